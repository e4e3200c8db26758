"""Attribute values as JSON that a database can store."""

import base64
import math

NUL_SHOWN = "\ufffd"


def storable(text: str) -> str:
    """Return text with NUL characters replaced, which the database cannot store."""
    return text.replace("\x00", NUL_SHOWN)


def storable_number(value: float) -> float | str:
    """Return a number, or the word for one that JSON does not have."""
    return value if math.isfinite(value) else str(value)


def storable_bytes(data: bytes) -> str:
    """Return bytes as base64, as OTLP/JSON writes them."""
    return base64.b64encode(data).decode()

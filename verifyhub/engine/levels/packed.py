"""Claims sent packed, for runs that changed many files (B6, "compressed claims").

A block may hold `"claims": {"encoding": "gzip+base64", "data": "…"}` in place of the
list. Anchors are source code and shrink to a fraction; what comes out is checked like
a list that came plain.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NoReturn

from verifyhub.engine.levels.categories import Category, Problem
from verifyhub.engine.levels.claims import BLOCK
from verifyhub.engine.types import Interaction

ENCODING = "gzip+base64"
MAX_PACKED = 4 * 1024 * 1024
MAX_UNPACKED = 16 * 1024 * 1024
_GZIP = 31
_PLACE = f"{BLOCK}.claims"


class _PackedError(ValueError):
    """Packed claims cannot be unpacked; the message is for the agent's side."""


def unpack_claims(interaction: Interaction) -> tuple[Interaction, list[Problem]]:
    """Return the interaction with its claims as a list, and what kept them from it."""
    block = interaction.structured_output
    packed = block.get("claims") if isinstance(block, Mapping) else None
    if not isinstance(block, Mapping) or not isinstance(packed, Mapping):
        return interaction, []
    try:
        claims, problems = _unpacked(packed), list[Problem]()
    except _PackedError as error:
        claims = []
        problems = [
            Problem(path=_PLACE, category=Category.INVALID_TYPE, message=str(error))
        ]
    unpacked = {**block, "claims": claims}
    return replace(interaction, structured_output=unpacked), problems


def _unpacked(packed: Mapping[str, Any]) -> list[Any]:
    data = packed.get("data")
    if packed.get("encoding") != ENCODING or not isinstance(data, str):
        raise _PackedError(f"must be an array, or have encoding {ENCODING} and data.")
    if len(data) > MAX_PACKED:
        raise _PackedError(f"must have at most {MAX_PACKED} characters of data.")
    try:
        claims = json.loads(_inflated(data), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        if isinstance(error, _PackedError):
            raise
        raise _PackedError("must hold JSON.") from error
    if not isinstance(claims, list):
        raise _PackedError("must hold an array.")
    return claims


def _inflated(data: str) -> bytes:
    """Inflate within the bound: a small reply may be made to grow without end."""
    machine = zlib.decompressobj(wbits=_GZIP)
    try:
        text = machine.decompress(base64.b64decode(data, validate=True), MAX_UNPACKED)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise _PackedError("must be gzip in base64.") from error
    if not machine.eof:
        raise _PackedError(f"must be whole, and hold at most {MAX_UNPACKED} bytes.")
    return text


def _no_number(name: str) -> NoReturn:
    raise _PackedError(f"must not hold {name}.")

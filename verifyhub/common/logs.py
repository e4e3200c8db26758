"""Structured logs: one JSON object a line, with the id of the request or task."""

from typing import Any

import structlog


def get_logger(name: str) -> Any:
    """Return a logger whose events are dotted facts with ids as keywords."""
    return structlog.get_logger(name)

"""Parse replies of the server strictly, since verdicts depend on them."""

import json
from typing import Any


class ReplyError(ValueError):
    """A reply is not JSON, or is ambiguous JSON."""


def read_json(data: bytes) -> Any:
    """Parse a reply.

    Raises:
        ReplyError: If it is not UTF-8 or not JSON, is nested too deep, repeats a key,
            or contains NaN or an infinity.
    """
    try:
        return json.loads(
            data.decode(), object_pairs_hook=_pairs, parse_constant=_refuse
        )
    except (ValueError, RecursionError) as error:
        raise ReplyError("the reply is no JSON") from error


def _pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(items)
    if len(value) < len(items):
        raise ReplyError("the reply repeats a key")
    return value


def _refuse(literal: str) -> Any:
    raise ReplyError(f"{literal} is no JSON")

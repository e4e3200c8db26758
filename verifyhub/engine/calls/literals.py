"""What Python prints of dictionaries and lists, as JSON.

Many tools return `str(result)`: `{'paid': True, 'note': None}`.
"""

import json
import re
from typing import Any

_BEGINS = re.compile(r"\s*[{\[][\s{\[]*'")
_TOKEN = re.compile(
    r"'(?:[^'\\]++|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\"|True|False|None"
    r"|[-+]?\d[\d.eE+-]*+|[{}\[\](),:]|\s++",
    re.DOTALL,
)
_AS_JSON = {"True": "true", "False": "false", "None": "null", "(": "[", ")": "]"}
_BARE_QUOTE = re.compile(r'(?<!\\)((?:\\\\)*+)"')
_BYTE = re.compile(r"(?<!\\)((?:\\\\)*+)\\x([\da-fA-F]{2})")
_LONGEST = 1_000_000


def literal_as_json(text: str) -> str | None:
    """Return a printed dictionary or list as JSON; None if it is nothing of the kind.

    As a rule each value keeps its place in the text.
    """
    if len(text) > _LONGEST or not _BEGINS.match(text):
        return None
    literal, end = beginning_as_json(text)
    return literal if end == len(text) else None


def beginning_as_json(text: str) -> tuple[str, int]:
    """Return what Python printed as JSON, and where the first other thing stands."""
    if not _BEGINS.match(text):
        return text, len(text)
    pieces: list[str] = []
    end = 0
    while match := _TOKEN.match(text, end):
        token, end = match.group(), match.end()
        pieces.append(_string(token) if token[0] == "'" else _AS_JSON.get(token, token))
    return "".join(pieces), end


def _string(token: str) -> str:
    body = token[1:-1]
    if '"' in body:
        body = _BARE_QUOTE.sub(r"\1\\" + '"', body)
    if "\\" in body:
        body = _BYTE.sub(r"\1\\u00\2", body.replace("\\'", "'"))
    return f'"{body}"'


_PART = re.compile(
    r'(?P<string>"(?:[^"\\]++|\\.)*+")(?P<colon>\s*+:)?|(?P<mark>[{}\[\]])'
    r"|(?P<word>-?\d[\d.eE+-]*+|true|false|null)|,|\s++",
    re.DOTALL,
)
_BEGINS_JSON = re.compile(r"\s*(?:\{\s*\"|\[\s*[{\[\"])")
_CLOSING = {"{": "}", "[": "]"}
_DEEPEST = 100


def cut_json(text: str) -> tuple[Any, int] | None:
    """Read JSON, or what Python prints, of which the end is missing.

    Returns:
        What is whole, and where that ends in the text; None if nothing is.
    """
    if len(text) > _LONGEST:
        return None
    text, _ = beginning_as_json(text)
    if not _BEGINS_JSON.match(text):
        return None
    end, missing = _whole(text)
    try:
        return (json.loads(text[:end] + missing), end) if end else None
    except (ValueError, RecursionError):
        return None


def _whole(text: str) -> tuple[int, str]:
    """Return where the last whole value ends, and the brackets missing behind it."""
    closing: list[str] = []
    end, missing = 0, ""
    place, is_value = 0, False
    while len(closing) < _DEEPEST and (match := _PART.match(text, place)):
        place = match.end()
        if match["colon"]:
            is_value = True
            continue
        if not (match["mark"] or match["string"] or match["word"]):
            continue
        if match["mark"] in _CLOSING:
            closing.append(_CLOSING[match["mark"]])
            is_value = False
            continue
        # What a cut ends with may be a part of a number, or a key.
        is_part = place == len(text) or (closing[-1:] == ["}"] and not is_value)
        if not closing or (
            closing.pop() != match["mark"] if match["mark"] else is_part
        ):
            break
        is_value = False
        end, missing = place, "".join(reversed(closing))
        if not closing:
            break
    return end, missing

"""The parser for untrusted JSON: it refuses duplicate keys, NaN and deep nesting.

Python's own parser accepts NaN, lone surrogates, NUL and duplicate keys; PostgreSQL and
other parsers refuse them or read them differently. This module depends on no framework.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, TypeAlias

MAX_DEPTH = 64
# A run of 10,000 tool calls has about 80,000 values; the largest real run seen, 641.
MAX_NODES = 200_000
MAX_NUMBER_LENGTH = 30
MAX_SHOWN_KEY = 100
KEY_TWICE = "A key stands here twice."
OUT_OF_RANGE = "A number is out of range."
NO_NUMBER = "is not a JSON number."
BOM = b"\xef\xbb\xbf"

# A string literal, closed or not; it always consumes characters, so scanning is linear.
STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
NOT_STRUCTURE = bytes(set(range(256)) - set(b"[]{},"))
STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1, ord(","): 0}
# Only an escape can produce NUL or a surrogate in decoded text.
SUSPECT_ESCAPE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
# Replaces characters that a database cannot store.
REPLACEMENT = "\ufffd"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# Names and identifiers; two different ones must not become equal.
_NAMING = re.compile(
    r"(?:^|_)(?:ids?|names?|type|role|tool|model|session|status|kind|uuid|key)$"
    r"|(?:Ids?|ID|Names?|Uuid|Type|Key)$"
)
# Below these keys are inputs and outputs of tools, whatever their fields are called.
_CONTENTS = frozenset(
    {"input", "output", "arguments", "result", "toolUseResult", "observation"}
)


class StrictJSONError(ValueError):
    """The text is not valid JSON, or is refused.

    Attributes:
        message: The problem, without the text itself.
        line, column: The position, from 1, for text that is not JSON.
        path: The position, as `tool_calls[3].input`, for JSON that is refused.
        too_large: Whether the size is the only reason.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int | None = None,
        column: int | None = None,
        path: str | None = None,
        too_large: bool = False,
    ) -> None:
        self.message, self.line, self.column = message, line, column
        self.path, self.too_large = path, too_large
        super().__init__(f"{self.place}: {message}" if self.place else message)

    @property
    def place(self) -> str:
        """The path, or line and column; empty if unknown."""
        if self.line is not None:
            return f"line {self.line}, column {self.column}"
        return self.path or ""


@dataclass(slots=True)
class _Refused:
    """Replaces a refused value until its path is known."""

    reason: str


def loads(
    data: bytes,
    *,
    max_bytes: int,
    max_depth: int = MAX_DEPTH,
    max_nodes: int = MAX_NODES,
    mends_texts: bool = False,
) -> Any:
    """Parse UTF-8 JSON strictly.

    Args:
        data: The whole document.
        max_bytes: The maximum length; longer documents are not parsed.
        max_depth: The maximum nesting of objects and arrays.
        max_nodes: The maximum number of values in all objects and arrays together.
        mends_texts: Whether NUL and lone surrogates in free text, which tools may
            print, become U+FFFD. In keys and names they are always refused.

    Raises:
        StrictJSONError: If the text is not UTF-8 (a byte order mark, UTF-16 and
            invalid sequences included), is not JSON, is larger, deeper or has more
            values than allowed, repeats a key, or contains NUL, a lone surrogate,
            NaN, an infinity, a number out of range or of more than 30 characters.
    """
    if len(data) > max_bytes:
        raise StrictJSONError(
            f"The text has more than {max_bytes} bytes.", too_large=True
        )
    text = _decode(data)
    _check_shape(data, max_depth=max_depth, max_nodes=max_nodes)
    refused: list[_Refused] = []

    def refuse(reason: str) -> Any:
        refused.append(_Refused(reason))
        return refused[-1]

    try:
        value = _decoder(refuse).decode(text)
    except json.JSONDecodeError as error:
        raise StrictJSONError(
            f"Not JSON: {error.msg}.", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise StrictJSONError(f"Nested deeper than {max_depth} levels.") from None
    if refused or SUSPECT_ESCAPE.search(text):
        value = _checked(value, refused, mends_texts=mends_texts)
    return value


def _decode(data: bytes) -> str:
    if data.startswith((BOM, b"\xff\xfe", b"\xfe\xff")):
        raise StrictJSONError("The text begins with a byte order mark.")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise StrictJSONError(
            "The text is not UTF-8.", line=line, column=column
        ) from None


def _check_shape(data: bytes, *, max_depth: int, max_nodes: int) -> None:
    """Check depth and size of the document before it is parsed.

    String literals are removed first, so that brackets in them do not count; the rest
    is a few bytes per value. A document with few brackets, whatever they are, needs
    none of that.
    """
    brackets = data.count(b"[") + data.count(b"{")
    if brackets <= max_depth and brackets + data.count(b",") <= max_nodes:
        return
    structure = STRING.sub(b"", data).translate(None, NOT_STRUCTURE)
    opened = structure.count(b"[") + structure.count(b"{")
    if structure.count(b",") + opened > max_nodes:
        raise StrictJSONError(f"More than {max_nodes} values.")
    depth = max(accumulate(STEP[byte] for byte in structure), default=0)
    if depth > max_depth:
        raise StrictJSONError(f"Nested deeper than {max_depth} levels.")


def _decoder(refuse: Any) -> json.JSONDecoder:
    def pairs(items: list[tuple[str, Any]]) -> Any:
        value = dict(items)
        if len(value) < len(items):
            return refuse(KEY_TWICE)
        return value

    def integer(literal: str) -> Any:
        if len(literal) > MAX_NUMBER_LENGTH:
            return refuse(f"A number has more than {MAX_NUMBER_LENGTH} characters.")
        return int(literal)

    def real(literal: str) -> Any:
        value = float(literal)
        if len(literal) > MAX_NUMBER_LENGTH:
            return refuse(f"A number has more than {MAX_NUMBER_LENGTH} characters.")
        return value if math.isfinite(value) else refuse(OUT_OF_RANGE)

    def constant(literal: str) -> Any:
        return refuse(f"{literal} {NO_NUMBER}")

    return json.JSONDecoder(
        object_pairs_hook=pairs,
        parse_int=integer,
        parse_float=real,
        parse_constant=constant,
    )


def _checked(value: Any, refused: list[_Refused], *, mends_texts: bool) -> Any:
    """Refuse the first invalid value; replace characters in place if requested."""
    root = [value]
    for link, node, place in _walk(root):
        reason = node.reason if isinstance(node, _Refused) else None
        if isinstance(node, str):
            reason = text_problem(node)
            if reason and mends_texts and _is_free_text(link):
                container, key = place
                container[key] = _UNSTORABLE.sub(REPLACEMENT, node)
                continue
        if reason:
            parts = []
            while link is not None:
                link, step = link
                shown = step[:MAX_SHOWN_KEY] if isinstance(step, str) else step
                parts.append(f"[{shown}]" if isinstance(shown, int) else f".{shown}")
            raise StrictJSONError(
                reason, path="".join(reversed(parts)).removeprefix(".")
            )
    if refused:
        # The value was in a repeated object, of which only this marker is left.
        raise StrictJSONError(refused[0].reason)
    return root[0]


def _is_free_text(link: "_Link") -> bool:
    """Return whether a text is free text rather than a name or identifier."""
    naming = None
    while link is not None:
        link, step = link
        if step in _CONTENTS:
            return True
        if naming is None and isinstance(step, str):
            naming = _NAMING.search(step) is not None
    return not naming


# A position in the document: that of its container, and its key or index in it. Only
# the path of a refused value is written out: a long key would otherwise be copied for
# each of its descendants.
_Link: TypeAlias = "tuple[_Link, str | int] | None"


# The container of a value, and its key or index in it.
_Place: TypeAlias = tuple[Any, Any]


def _walk(root: list[Any]) -> Iterator[tuple[_Link, Any, _Place]]:
    """Yield every value of a document with its position, in order, not recursively.

    Args:
        root: The document, alone in a list.
    """
    stack: list[tuple[_Link, _Place]] = [(None, (root, 0))]
    while stack:
        link, place = stack.pop()
        container, key = place
        node = container[key]
        yield link, node, place
        if isinstance(node, dict):
            for name in node:
                if reason := text_problem(name):
                    yield link, _Refused(f"In a key: {reason}"), place
            stack.extend(((link, name), (node, name)) for name in reversed(node))
        elif isinstance(node, list):
            stack.extend(
                ((link, index), (node, index)) for index in range(len(node) - 1, -1, -1)
            )


def text_problem(text: str) -> str | None:
    """Return why a string cannot be stored: NUL or a lone surrogate; None if it can."""
    if "\x00" in text:
        return "Text holds the character U+0000."
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "Text holds a lone surrogate."
    return None

"""Tables, XML and labelled lines in outputs that are no JSON, read as JSON would be.

A row of a table, an element of XML, and a run of lines such as `Total: 12` become
objects; the header, the tags and the labels are the keys. Each cell remembers its
place. Every pass takes linear time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from verifyhub.engine.types import Span

_LONGEST = 200_000
_MOST_COLUMNS = 60
_LONGEST_KEY = 40
_FEWEST_LABELLED = 3
_RULE = re.compile(r"[-+|:=\s]+")
_LABELLED = re.compile(
    r"[ \t]*+(?P<item>[-*•][ \t]++)?[*_\"]{0,3}"
    r"(?P<key>[^\W\d_][^\n:=|<>{}.,;\d]{0,40}?)"
    r"[*_\"]{0,3}[ \t]*+(?::[*_\"]{0,3}|=)(?:[ \t]++(?P<value>\S[^\n]*+)?|$)"
)
_PAIR = re.compile(
    r"(?P<key>[A-Za-z][\w.-]{0,40}+)=(?:\"(?P<quoted>[^\"\n]*+)\"|(?P<bare>[^\s;,\"]++))"
)
_GAP = re.compile(r"\t+| {2,}")
_TAG = re.compile(
    r"<(?P<close>/)?(?P<name>[A-Za-z_][\w:.-]{0,60}+)(?P<rest>[^<>]*+)>"
    r"|<!--(?:[^-]|-(?!->))*+-->|<[?!][^<>]*+>"
)
_ATTRIBUTE = re.compile(r"([\w:.-]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
_VOID = frozenset({"br", "hr", "img", "input", "meta", "link", "col", "wbr"})
_MOST_DEPTH = 24


class Cell(str):
    """A text that knows where it stands in its output."""

    __slots__ = ("start",)
    start: int

    @classmethod
    def at(cls, text: str, start: int, end: int) -> "Cell":
        """Return the text between two places, without blanks and marks around it."""
        part = text[start:end]
        inner = part.strip(' \t\r\n*_`"')
        cell = cls(inner)
        cell.start = start + (part.index(inner) if inner else 0)
        return cell

    @property
    def span(self) -> Span:
        """Where it stands."""
        return self.start, self.start + len(self)


@dataclass
class Tables:
    """What a text holds beside prose.

    Attributes:
        data: Objects and lists of objects, with cells for leaves; empty for none.
        rest: The text with blanks where these stand, so that places stay.
    """

    data: list[Any] = field(default_factory=list)
    rest: str = ""


def read_tables(text: str) -> Tables:
    """Return what a text holds as tables, XML or labelled lines."""
    if len(text) > _LONGEST or not text.strip():
        return Tables(rest=text)
    if text.lstrip()[0] == "<":
        return _read_tagged(text)
    tables = Tables()
    gone: list[Span] = []
    for block in _blocks(text):
        for reader in (_piped, _parted, _aligned, _labelled):
            data, used = reader(text, block)
            if data:
                tables.data.append(data if len(data) > 1 else data[0])
                gone += used
                break
    if len(tables.data) == 1 and isinstance(tables.data[0], list):
        tables.data = tables.data[0]
    tables.rest = _without(text, gone)
    return tables


def _without(text: str, gone: Sequence[Span]) -> str:
    pieces = []
    end = 0
    for start, stop in gone:
        pieces += [text[end:start], " " * (stop - start)]
        end = stop
    return "".join([*pieces, text[end:]])


Block = list[Span]
Found = tuple[list[dict[str, Any]], list[Span]]
_NOTHING: Found = ([], [])


def _blocks(text: str) -> Iterator[Block]:
    """Yield the lines between blank ones, as places."""
    block: Block = []
    start = 0
    for line in text.splitlines(keepends=True):
        span = (start, start + len(line.rstrip("\r\n")))
        start += len(line)
        if text[slice(*span)].strip():
            block.append(span)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _rows(
    header: Sequence[Cell], rows: Sequence[Sequence[Cell]]
) -> list[dict[str, Any]]:
    return [
        {str(key): cell for key, cell in zip(header, row, strict=False) if key and cell}
        for row in rows
    ]


def _is_header(cells: Sequence[Cell]) -> bool:
    names = [str(one) for one in cells if one]
    return (
        1 < len(cells) <= _MOST_COLUMNS
        and len(names) == len(set(names)) > 1
        and all(len(one) <= _LONGEST_KEY and _is_key(one) for one in names)
    )


def _is_key(name: str) -> bool:
    return any(map(str.isalpha, name)) and not name[:1].isdecimal()


def _table(cut: Sequence[list[Cell]], lines: Block) -> Found:
    """Make a table of lines that are cut to cells, the first one its header."""
    if len(cut) < 2 or not _is_header(cut[0]):
        return _NOTHING
    return _rows(cut[0], cut[1:]), [(start, end) for start, end in lines]


def _piped(text: str, block: Block) -> Found:
    """Read `| a | b |` and the like, with a rule under the header or without."""
    lines = [one for one in block if "|" in text[slice(*one)]]
    if len(lines) < 2:
        return _NOTHING
    cut = [
        list(_cells(text, span, "|"))
        for span in lines
        if not _RULE.fullmatch(text, *span)
    ]
    if cut and all(row and not row[0] for row in cut):
        cut = [row[1:] for row in cut]
    if len({len(row) for row in cut}) > 2:
        return _NOTHING
    rules = [one for one in block if _RULE.fullmatch(text, *one)]
    return _table(cut, sorted({*lines, *rules}))


def _cells(text: str, span: Span, sign: str) -> Iterator[Cell]:
    start, end = span
    quoted = text.count('"', start, end) > 1
    while start <= end:
        if quoted and text[start : start + 1] == '"':
            close = text.find('"', start + 1, end)
            stop = text.find(sign, close if close > 0 else start, end)
        else:
            stop = text.find(sign, start, end)
        stop = stop if stop >= 0 else end
        yield Cell.at(text, start, stop)
        start = stop + 1


def _parted(text: str, block: Block) -> Found:
    """Read values parted by tabs, semicolons or commas under a header."""
    head = text[slice(*block[0])]
    for sign in "\t;,":
        if sign not in head or len(block) < 2:
            continue
        cut = [list(_cells(text, one, sign)) for one in block]
        width = len(cut[0])
        # Two words with a comma between them are as well a line of prose.
        few = width < 3 and (" " in head or len(block) < 3)
        if sign != "\t" and (few or ". " in head):
            continue
        if all(len(row) == width for row in cut):
            return _table(cut, block)
    return _NOTHING


def _aligned(text: str, block: Block) -> Found:
    """Read columns that are parted by two blanks or more."""
    if len(block) < 2 or not _GAP.search(text, *block[0]):
        return _NOTHING
    cut, lines = [], []
    for start, end in block:
        start += len(text[start:end]) - len(text[start:end].lstrip())
        if _RULE.fullmatch(text, start, end):
            continue
        row, place = [], start
        for gap in _GAP.finditer(text, start, end):
            row.append(Cell.at(text, place, gap.start()))
            place = gap.end()
        row.append(Cell.at(text, place, end))
        cut.append(row)
        lines.append((start, end))
    if len(cut[0]) < 3 or any(len(row) != len(cut[0]) for row in cut):
        return _NOTHING
    return _table(cut, lines)


def _labelled(text: str, block: Block) -> Found:
    """Read `Total: 12` line by line, or `total=12; paid=yes` on one line."""
    pairs = [list(_PAIR.finditer(text, *span)) for span in block]
    if all(len(line) >= _FEWEST_LABELLED for line in pairs):
        return [
            {
                one["key"]: Cell.at(
                    text, *one.span("quoted" if one["quoted"] else "bare")
                )
                for one in line
            }
            for line in pairs
        ], [one.span() for line in pairs for one in line]
    matches = [(_LABELLED.fullmatch(text, *span), span) for span in block]
    good = [one for one, _ in matches if one and one["value"]]
    if len(good) < 2 or len(good) * 3 < len(block):
        return _NOTHING
    objects: list[dict[str, Any]] = [{}]
    for match in good:
        key = match["key"].strip()
        items = match["item"] and any(not one["item"] for one in good)
        if key in objects[-1] or (items and objects[-1]):
            objects.append({})
        objects[-1][key] = Cell.at(text, *match.span("value"))
    return objects, [one.span() for one in good]


# XML and tables of HTML.


@dataclass
class _Element:
    name: str
    start: int
    children: list["_Element"] = field(default_factory=list)
    attributes: dict[str, Cell] = field(default_factory=dict)
    text: tuple[int, int] = (0, 0)


def _read_tagged(text: str) -> Tables:
    top = _Element("", 0)
    stack = [top]
    end = tags = 0
    for match in _TAG.finditer(text):
        if match["name"] is None:
            continue
        tags += 1
        if stack[-1].text == (0, 0) and text[end : match.start()].strip():
            stack[-1].text = (end, match.start())
        end = match.end()
        if match["close"]:
            _close(stack, match["name"])
        else:
            _open(text, stack, match)
    rows = list(_html_rows(text, top)) if tags >= _FEWEST_LABELLED else []
    if rows:
        return Tables(data=rows)
    names = {one.name.lower() for one in top.children}
    if tags < _FEWEST_LABELLED or not names.isdisjoint({"html", "div", "p", "body"}):
        return Tables(rest=text)
    return Tables(data=[_as_data(text, one) for one in top.children])


def _open(text: str, stack: list[_Element], match: re.Match[str]) -> None:
    element = _Element(match["name"], match.start())
    for one in _ATTRIBUTE.finditer(text, *match.span("rest")):
        group = 2 if one[2] is not None else 3
        element.attributes[one[1]] = Cell.at(text, *one.span(group))
    stack[-1].children.append(element)
    closed = match["rest"].endswith("/") or element.name.lower() in _VOID
    if not closed and len(stack) < _MOST_DEPTH:
        stack.append(element)


def _close(stack: list[_Element], name: str) -> None:
    """Leave an element, with those inside it that were not closed."""
    if any(one.name == name for one in stack[-3:]):
        while len(stack) > 1 and stack.pop().name != name:
            pass


def _as_data(text: str, element: _Element) -> Any:
    own = Cell.at(text, *element.text)
    if not element.children and not element.attributes:
        return own
    data: dict[str, Any] = dict(element.attributes)
    for child in element.children:
        value = _as_data(text, child)
        if child.name in data:
            known = data[child.name]
            data[child.name] = (
                [*known, value] if isinstance(known, list) else [known, value]
            )
        else:
            data[child.name] = value
    if own:
        data.setdefault(element.name if not element.children else "text", own)
    return data


def _html_rows(text: str, top: _Element) -> Iterator[dict[str, Any]]:
    """Yield the rows of tables as objects, by their header cells."""
    header: list[Cell] = []
    stack = [top]
    while stack:
        element = stack.pop()
        if element.name.lower() != "tr":
            stack += reversed(element.children)
            continue
        cells = [Cell.at(text, *_text_of(one)) for one in element.children]
        heads = [one.name.lower() == "th" for one in element.children]
        if all(heads) or not header:
            header = cells
            if heads[:1] == [True] and len(cells) == 2 and not all(heads):
                yield {str(cells[0]): cells[1]}
                header = []
        elif cells:
            yield _rows(header, [cells])[0]


def _text_of(element: _Element) -> Span:
    while element.text == (0, 0) and element.children:
        element = element.children[0]
    return element.text

"""Where the lines of a block stand in the source, quotation marks and lists aside."""

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from verifyhub.common.markdown.pieces import SourceMap


def note_places(state: StateBlock, tokens: list[Token]) -> None:
    """Put an `Origin` into the tokens of a leaf block that was just parsed."""
    in_table = any(token.type == "table_open" for token in tokens)
    cell_at: dict[int, int] = {}
    for token in tokens:
        if token.type == "inline" and token.map:
            line = token.map[0]
            if in_table:
                at = cell_at.get(line, _line_start(state, line))
                token.meta["origin"], cell_at[line] = _cell(state, token.content, at)
            else:
                token.meta["origin"] = _lines(state, token.content, line)
        elif token.type == "fence" and token.map:
            token.meta["origin"] = _lines(state, token.content, token.map[0] + 1)
            token.meta["info"] = _info(state, token)
        elif token.type == "code_block" and token.map:
            token.meta["origin"] = _lines(state, token.content, token.map[0])


def _lines(state: StateBlock, content: str, line: int) -> SourceMap:
    """Find each line of a content at the end of its line of the source."""
    origin, at = SourceMap(), 0
    for number, text in enumerate(content.split("\n"), line):
        if number >= len(state.eMarks):
            break
        source, skipped = _find(state, text, number)
        if source >= 0:
            length = len(text) - skipped
            # The line's end belongs to it, where there is one.
            origin.add(at + skipped, source, length)
            if at + len(text) < len(content):
                origin.add(at + len(text), state.eMarks[number], 1)
        at += len(text) + 1
    return origin


def _find(state: StateBlock, text: str, line: int) -> tuple[int, int]:
    """Return where a line's text stands, and how many blanks before it were made up."""
    end = state.eMarks[line]
    start = end - len(text)
    if start >= 0 and state.src.startswith(text, start):
        return start, 0
    # Tabs partly used up by indentation came back as blanks; blanks at the end and the
    # closing hashes of a heading are gone.
    bare = text.lstrip(" ")
    place = state.src.rfind(bare, state.bMarks[line], end) if bare else end
    if place >= 0 and not state.src[place + len(bare) : end].strip(" \t"):
        return place, len(text) - len(bare)
    start = _after_hashes(state, line)
    return (start, 0) if state.src.startswith(text, start) else (-1, 0)


def _after_hashes(state: StateBlock, line: int) -> int:
    at, end = _line_start(state, line), state.eMarks[line]
    while at < end and state.src[at] == "#":
        at += 1
    while at < end and state.src[at].isspace():
        at += 1
    return at


def _line_start(state: StateBlock, line: int) -> int:
    return state.bMarks[line] + state.tShift[line]


def _cell(state: StateBlock, content: str, at: int) -> tuple[SourceMap, int]:
    """Find a table's cell from `at` on; there `\\|` stands for `|`."""
    origin, source = SourceMap(), state.src
    if not content:
        return origin, at
    while at < len(source) and (source[at] == "|" or source[at].isspace()):
        at += 1
    for index, character in enumerate(content):
        if source.startswith("\\|", at) and character == "|":
            at += 1
        if not source.startswith(character, at):
            break
        origin.add(index, at, 1)
        at += 1
    return origin, at


def _info(state: StateBlock, token: Token) -> tuple[int, int]:
    """Return where a fence's info string stands."""
    line = token.map[0] if token.map else 0
    start = _line_start(state, line) + len(token.markup)
    end = state.eMarks[line]
    while start < end and state.src[start].isspace():
        start += 1
    while end > start and state.src[end - 1].isspace():
        end -= 1
    return start, end

"""CommonMark with tables and strikethrough, with positions of tokens.

Every rule is markdown-it's own. This module adds positions: those of the lines of a
leaf block, and the range that an inline rule consumed. Links to definitions elsewhere
stay as typed, so that no text disappears.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from verifyhub.common.markdown.pieces import SourceMap

# Deeper quotations and lists are shown flat, since deeper nesting helps no reader.
MAX_NESTING = 24
LEAVES = ("code", "fence", "heading", "lheading", "paragraph", "table")
Rule = Callable[[StateBlock, int, int, bool], bool]
Span = tuple[int, int]


class _State(StateInline):
    """The state of inline parsing, with the position of the pending text."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.read: list[Span] = []
        self.label_end = 0

    def append_pending(self, text: str) -> None:
        self.read.append((self.pos, len(text)))
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802 - markdown-it's name
        token = super().pushPending()
        origin, at = SourceMap(), 0
        for source, length in self.read:
            used = min(length, len(token.content) - at)
            if used > 0:
                origin.add(at, source, used)
            at += length
        self.read = []
        token.meta["read"] = origin
        return token


class _Inline(ParserInline):
    """markdown-it's inline parser; each token gets `at` and `end` in its block."""

    def tokenize(self, state: StateInline) -> None:
        assert isinstance(state, _State)  # noqa: S101 - made in `parse` below
        end = state.posMax
        while state.pos < end:
            before, start = len(state.tokens), state.pos
            if not self._apply_rules(state):
                state.append_pending(state.src[state.pos])
                state.pos += 1
            _place(state, before, start)
            if not state.pending:
                # The rule for line ends may have removed the blanks before it.
                state.read = []
        if state.pending:
            state.pushPending()
        state.label_end = end

    def parse(
        self, src: str, md: MarkdownIt, env: Any, tokens: list[Token]
    ) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens

    def _apply_rules(self, state: _State) -> bool:
        if state.level >= MAX_NESTING or _is_part_of_a_name(state):
            return False
        return any(rule(state, False) for rule in self.ruler.getRules(""))


def _is_part_of_a_name(state: _State) -> bool:
    """Return whether a delimiter is part of a name: `__init__.py` is not bold."""
    marker = state.src[state.pos]
    if marker not in "_*":
        return False
    origin: SourceMap = state.env["origin"]
    place = origin.position(state.pos)
    inner = int(marker == "*")
    names: NameSpans = state.env["names"]
    return names.holds(place, inner)


class NameSpans:
    """Ranges of a text that are names, queried in ascending order of position."""

    def __init__(self, spans: Sequence[Span]) -> None:
        # Overlapping names are merged, since only being inside matters.
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def holds(self, place: int, inner: int) -> bool:
        """Return whether a position is in a name, `inner` characters from its edges."""
        at = bisect_right(self._starts, place) - 1
        if at < 0:
            return False
        return self._starts[at] + inner <= place < self._ends[at] - inner


def _place(state: _State, before: int, start: int) -> None:
    """Set the position of a rule's tokens in their block."""
    position = start
    for token in state.tokens[before:]:
        if "end" in token.meta or "read" in token.meta:
            continue
        position += token.info == "auto" and token.nesting > 0
        token.meta |= {"at": position, "end": state.pos, "label_end": state.label_end}
        if token.type == "text":
            position += len(token.content)


def _noting(rule: Rule) -> Rule:
    """Return a leaf block's rule that also stores where the lines of its tokens are."""

    def noted(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        before = len(state.tokens)
        if not rule(state, start, end, silent):
            return False
        if not silent:
            note_places(state, state.tokens[before:])
        return True

    return noted


def _inline(state: Any) -> None:
    for token in state.tokens:
        if token.type == "inline":
            token.children = []
            state.env["origin"] = token.meta["origin"]
            state.md.inline.parse(token.content, state.md, state.env, token.children)


def _build() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING})
    md.inline = _Inline()
    md.enable(["table", "strikethrough"])
    md.disable(["reference", "html_block", "html_inline", "linkify", "fragments_join"])
    md.disable(["text_join", "replacements", "smartquotes"])
    md.core.ruler.at("inline", _inline)
    for rule in md.block.ruler.__rules__:
        if rule.name in LEAVES:
            rule.fn = _noting(rule.fn)
    md.block.ruler.__cache__ = None
    return md


_PARSER = _build()


def parse(source: str, names: Sequence[Span]) -> list[Token]:
    """Parse Markdown whose line ends are `\\n`; inside `names` nothing is emphasis."""
    return _PARSER.parse(source, {"names": NameSpans(names)})


def note_places(state: StateBlock, tokens: list[Token]) -> None:
    """Set an `Origin` on the tokens of a leaf block that was just parsed."""
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
            # The line includes its line end, if there is one.
            origin.add(at + skipped, source, length)
            if at + len(text) < len(content):
                origin.add(at + len(text), state.eMarks[number], 1)
        at += len(text) + 1
    return origin


def _find(state: StateBlock, text: str, line: int) -> tuple[int, int]:
    """Return the position of a line's text, and how many blanks were added before."""
    end = state.eMarks[line]
    start = end - len(text)
    if start >= 0 and state.src.startswith(text, start):
        return start, 0
    # Tabs that indentation used partly become blanks; blanks at the end and the closing
    # hashes of a heading are removed.
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
    """Find a table's cell from `at` on, where `\\|` means `|`."""
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
    """Return the position of a fence's info string."""
    line = token.map[0] if token.map else 0
    start = _line_start(state, line) + len(token.markup)
    end = state.eMarks[line]
    while start < end and state.src[start].isspace():
        start += 1
    while end > start and state.src[end - 1].isspace():
        end -= 1
    return start, end

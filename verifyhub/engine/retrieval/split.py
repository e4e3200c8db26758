"""Split texts into passages of about 120 words, whole sentences if possible.

A passage ends at the best boundary in its second half: a paragraph's end before a
sentence's, a sentence's before a line's. Nothing but blanks lies between two of them.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from verifyhub.engine.passages import Passage, PassageOrigin
from verifyhub.engine.text.tokens import UNSPACED
from verifyhub.engine.types import Span

# Words of a passage. The default model reads 256 pieces of words, which are as many as
# 120 to 180 words of prose.
MAX_WORDS = 120
# This many characters, blanks among them, count as one word more: no passage is longer
# than 1,440 characters, whatever stands in it.
WORD_CHARACTERS = 12

# A run without blanks, or a part of it, with the blanks behind it. Every part consumes
# what it matches at once.
_ATOM = re.compile(r"(?:[^\s。！？]{1,120}+[。！？]*+|[。！？]{1,120}+)\s*+")
_LEADING = re.compile(r"\s*+")
_UNSPACED = re.compile(f"[{UNSPACED}]")
_CLOSERS = "\"'»”’)]}*_`"
_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।")
# An initial or a number of a list ends no sentence.
_INITIAL = re.compile(r"(?:\W{0,3}\w|\W{0,3}\d{1,3})\.")
_HEADING = re.compile(r"#{1,6} |={3}|-{3}")
_ITEM = re.compile(r"[-*•–] |\d{1,3}[.)] |\|")

_INSIDE, _BLANK, _LINE, _SENTENCE, _PARAGRAPH = range(5)


class _WordSpan(NamedTuple):
    """A word with what sticks to it: its place, its size, and how well it ends."""

    start: int
    end: int
    size: int
    ending: int


def split(
    text: str, *, origin: PassageOrigin, ref: str, title: str = ""
) -> list[Passage]:
    """Split a text into passages, in their order.

    Args:
        text: Anything; a text of blanks alone has no passages.
        origin: What kind of text it is.
        ref: Which one.
        title: What people call it.

    Returns:
        Passages whose spans lie in `text`, one behind the other, and hold all of it
        but blanks.
    """
    return [
        Passage(
            id=f"{origin}:{ref}:{start}",
            origin=origin,
            ref=ref,
            title=title,
            text=text[start:end],
            span=(start, end),
        )
        for start, end in spans(text)
    ]


def spans(text: str) -> Iterator[Span]:
    """Yield the places of a text's passages."""
    pending: list[_WordSpan] = []
    size = 0
    for atom in _atoms(text):
        while pending and size + atom.size > MAX_WORDS:
            last = _cut(pending)
            yield pending[0].start, pending[last].end
            pending = pending[last + 1 :]
            size = sum(word.size for word in pending)
        pending.append(atom)
        size += atom.size
    if pending:
        yield pending[0].start, pending[-1].end


def _cut(atoms: Sequence[_WordSpan]) -> int:
    """Return where a passage ends: at the best place in its second half."""
    half = sum(atom.size for atom in atoms) / 2
    size, best, place = 0, -1, len(atoms) - 1
    for position, atom in enumerate(atoms):
        size += atom.size
        if size >= half and atom.ending >= best:
            best, place = atom.ending, position
    return place


def _atoms(text: str) -> Iterator[_WordSpan]:
    first = _LEADING.match(text)
    begins_line, in_heading = True, False
    for atom in _ATOM.finditer(text, first.end() if first else 0):
        core = atom.group().rstrip()
        end = atom.start() + len(core)
        size = 1 + (atom.end() - atom.start()) // WORD_CHARACTERS
        if not core.isascii():
            size = max(size, (1 + len(_UNSPACED.findall(core))) // 2)
        in_heading = in_heading or (begins_line and not core.strip("#"))
        begins_line = "\n" in text[end : atom.end()]
        ending = _ending(text, core, end, atom.end())
        # What a heading is about stands behind it.
        yield _WordSpan(atom.start(), end, size, _BLANK if in_heading else ending)
        in_heading = in_heading and not begins_line


def _ending(text: str, core: str, end: int, after: int) -> int:
    """Return how good a place for a cut the end of an atom is."""
    gap = text[end:after]
    if gap.count("\n") > 1 or after == len(text):
        return _PARAGRAPH
    if "\n" in gap and _HEADING.match(text, after):
        return _PARAGRAPH
    ends = core.rstrip(_CLOSERS).endswith(_ENDS) and not _INITIAL.fullmatch(core)
    if ends and (gap or core[-1] in "。！？"):
        return _SENTENCE
    if "\n" in gap:
        return _SENTENCE if _ITEM.match(text, after) else _LINE
    return _BLANK if gap else _INSIDE

"""How much of a text is missing, by the marks of truncation in it.

`… [1200 characters trimmed] …` alone on a line stands for missing text. A mark beside
other words is content of a file.
"""

import re
from collections.abc import Iterator

from verifyhub.engine.text.search import NameSearch, blocks

_LENGTHS = {"character": 1, "char": 1, "byte": 1, "token": 4, "word": 6, "line": 40}
_UNIT = r"(character|char|byte|token|word|line)s?"
_CUT = r"(?:trimmed|truncated|omitted|clipped|elided)(?: by (?:the )?\w{1,20})?"
_AROUND = r"[^\w\n]{0,12}"
_COUNTED = re.compile(
    rf"{_AROUND}(?:(\d{{1,9}}) (?:more )?{_UNIT} (?:were |was )?{_CUT}"
    rf"|{_CUT} (\d{{1,9}})(?: of \d{{1,9}})? {_UNIT}){_AROUND}",
    re.IGNORECASE,
)
_UNCOUNTED = re.compile(
    rf"[ \t.…]{{0,12}}[\[(<.…][ \t.…]{{0,12}}(?:(?:output|result|response|observation"
    rf"|text) )?{_CUT}{_AROUND}",
    re.IGNORECASE,
)
_LONGEST = 200
# The expressions above only match texts with one of these.
STEMS = ("rimmed", "runcated", "omitted", "Omitted", "lipped", "lided")

_STEMS = NameSearch(STEMS)


def marks_of_cuts(text: str) -> Iterator[tuple[str, int]]:
    """Yield each mark in a text with the number of missing characters.

    Lines, words and tokens count by a usual length. A mark without a number stands for
    as much as the remaining text.
    """
    uncounted = False
    for line in _lines_with_stems(text):
        mark = _COUNTED.fullmatch(line)
        if mark:
            count, unit = (mark[1], mark[2]) if mark[1] else (mark[3], mark[4])
            yield line.strip(), int(count) * _LENGTHS[unit.lower()]
        elif not uncounted and _UNCOUNTED.fullmatch(line):
            uncounted = True
            yield line.strip(), len(text)


def _lines_with_stems(text: str) -> Iterator[str]:
    """Yield the distinct short lines that may contain a mark."""
    seen: set[int] = set()
    places = [
        (stem, first + start)
        for first, last in blocks(text)
        for stem, start, _ in _STEMS.in_block(text[first:last])
    ]
    start = end = 0
    for _, place in sorted(places):
        if start <= place < end:
            continue
        start = text.rfind("\n", 0, place) + 1
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        if end - start <= _LONGEST and start not in seen:
            seen.add(start)
            yield text[start:end].rstrip("\r")

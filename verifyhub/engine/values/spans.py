"""Places of a text, asked for what overlaps them without going through all."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from verifyhub.engine.types import Span


class Spans:
    """Places of one text, in any order."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        # The furthest end of any place up to this one.
        self._ends = list(accumulate((end for _, end in ordered), max))

    def overlap(self, span: Span) -> bool:
        """Whether one of the places shares a character with another."""
        before = bisect_right(self._starts, span[1] - 1)
        return before > 0 and self._ends[before - 1] > span[0]

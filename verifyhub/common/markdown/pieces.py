"""The pieces of a rendered text, and the position of each in the source."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

LINE_OR_END = re.compile("\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Tag:
    """Markup generated here; it never contains external text."""

    html: str


@dataclass(frozen=True, slots=True)
class Text:
    """Hostile text, and the half-open range of the source that it represents.

    If the range has the text's length, both have the same characters. Otherwise the
    text represents the range as a whole (`&amp;` is shown as `&`).
    """

    text: str
    start: int
    end: int
    css: str = ""

    @property
    def is_verbatim(self) -> bool:
        """Whether text and source have the same characters."""
        return self.end - self.start == len(self.text)


Piece = Tag | Text


@dataclass(slots=True)
class SourceMap:
    """A map from the characters of a block's content to their positions in the source.

    Runs are added in order; between them are characters that the parser added or
    removed (indentation, `>` of a quotation, the backslash of `\\|` in a table).
    """

    at: list[int] = field(default_factory=list)
    source: list[int] = field(default_factory=list)
    length: list[int] = field(default_factory=list)

    def add(self, at: int, source: int, length: int) -> None:
        """Map `length` characters from `at` to the source from `source`."""
        if (
            self.at
            and self.at[-1] + self.length[-1] == at
            and self.source[-1] + self.length[-1] == source
        ):
            self.length[-1] += length
            return
        self.at.append(at)
        self.source.append(source)
        self.length.append(length)

    def position(self, at: int) -> int:
        """Return a character's position; for an added one, a position next to it."""
        run = max(0, bisect_right(self.at, at) - 1)
        if not self.at:
            return 0
        return self.source[run] + max(0, min(at - self.at[run], self.length[run]))

    def texts(
        self, content: str, start: int, end: int, css: str = ""
    ) -> Iterator[Text]:
        """Split content[start:end] into texts that are contiguous in the source."""
        run = max(0, bisect_right(self.at, start) - 1)
        while start < end:
            is_within = run < len(self.at)
            first = self.at[run] if is_within else end
            if start < first:
                stop = min(first, end)
                yield self._made_up(content[start:stop], start, css)
            else:
                stop = min(first + self.length[run], end)
                source = self.source[run] + start - first
                if stop > start:
                    yield Text(content[start:stop], source, source + stop - start, css)
                run += 1
            start = max(start, stop)
            if run >= len(self.at) and start < end:
                yield self._made_up(content[start:end], start, css)
                return

    def _made_up(self, text: str, at: int, css: str) -> Text:
        place = self.position(at)
        return Text(text, place, place, css)


def moved(text: Text, carriage_returns: Sequence[int]) -> Iterator[Text]:
    """Yield texts with their positions in the source as sent, with line ends `\\r\\n`.

    Args:
        text: A piece with positions in the source whose `\\r\\n` became `\\n`.
        carriage_returns: The positions of those `\\n`, ascending.
    """
    parts = LINE_OR_END.findall(text.text) if text.is_verbatim else [text.text]
    start = text.start
    for part in parts:
        end = start + len(part) if text.is_verbatim else text.end
        yield Text(
            part,
            start + bisect_left(carriage_returns, start),
            end + bisect_left(carriage_returns, end),
            text.css,
        )
        start = end

"""Every text of a run as a source of evidence, with its tier."""

from collections.abc import Iterator, Sequence
from enum import Enum, IntEnum
from typing import NamedTuple

from verifyhub.engine.calls.json_tree import Entry
from verifyhub.engine.text.paths import Components
from verifyhub.engine.text.search import blocks
from verifyhub.engine.types import Span


class LedgerTier(IntEnum):
    """The tier of a text as evidence, best first; only the first verifies all kinds."""

    OBSERVED = 0
    SELF_WRITTEN = 1
    AUTHORED = 2
    ABSENT = 3
    INPUT = 4
    TASK = 5


class Own(Enum):
    """A pool of the agent's own words: in written files, or in notes to itself."""

    WRITTEN = "written"
    NOTED = "noted"


class LedgerSource(NamedTuple):
    """One text: an output, or a string in an input.

    In `text`, places that do not count are blanked, so that positions do not change.
    `bases` are the possible base folders of relative paths in it. `feeds` is the pool
    of the agent's own words to which this text adds, `repeats` the pool that it may
    only repeat; `is_code` if the repeated text is source code; `lists` if the tool
    wrote the beginnings of lines. `entries` are the paths of names in a listing; if it
    `is_nested`, such a name alone is not a path. `owner` is the module or package of
    the shown file: `dates` of `src/dates.py`, whose `parse` is `dates.parse` elsewhere.
    `filled` are the only parts that are not blanked, where these are few.
    """

    tool_call: int
    field: str
    text: str
    tier: LedgerTier
    bases: tuple[Components, ...] = ()
    feeds: Own | None = None
    repeats: Own | None = None
    lists: bool = False
    is_code: bool = True
    entries: tuple[Entry, ...] = ()
    is_nested: bool = False
    owner: str = ""
    filled: Sequence[Span] = ()

    def blocks(self) -> Iterator[Span]:
        """Return ranges without blanks that no chunk crosses: `text.search.blocks`."""
        if not self.filled:
            return blocks(self.text)
        return (
            (start + first, start + last)
            for start, end in self.filled
            for first, last in blocks(self.text[start:end])
        )

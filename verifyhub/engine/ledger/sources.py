"""Every text of a run as a source of evidence, with the tier it counts in."""

from dataclasses import dataclass
from enum import Enum, IntEnum

from verifyhub.engine.calls.json_tree import Entry
from verifyhub.engine.text.paths import Components


class LedgerTier(IntEnum):
    """The tier of a text as evidence, best first; only the first verifies all kinds."""

    OBSERVED = 0
    SELF_WRITTEN = 1
    AUTHORED = 2
    ABSENT = 3
    INPUT = 4
    TASK = 5


class Own(Enum):
    """A pool of the agent's own words: written to files, or noted for itself."""

    WRITTEN = "written"
    NOTED = "noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerSource:
    """One text: an output, or a string inside an input.

    `text` has places blanked that do not count, so that positions stay true.
    `bases` are the folders that relative paths in it may start from.
    `feeds` names the pool of the agent's own words that this text adds to, `repeats`
    the pool that it may only give back; `is_code` says that what it gives back is
    source code; `lists` that what begins a line was put there by the tool. `entries`
    are the paths that the names of a listing stand for; where it `is_nested`, such a
    name alone is no path. `owner` is the module or package of the file that it shows:
    `dates` of `src/dates.py`, whose `parse` is `dates.parse` elsewhere.
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

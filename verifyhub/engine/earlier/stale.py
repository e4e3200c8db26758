"""Whether what a call showed was changed since: then its sight is stale, not false."""

from collections.abc import Iterator, Sequence

from verifyhub.engine.calls.changes import CallChange, ChangeKind
from verifyhub.engine.completion.same_file import same_file
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import Evidence
from verifyhub.engine.types import Mention, MentionKind

_PATHS = frozenset({MentionKind.FILE, MentionKind.DIRECTORY})
# What it costs to look at one change, in characters.
_COST_OF_CHANGE = 200
# Files of one call that its content may be from.
_MOST_PATHS = 20


class Staleness:
    """Looks for changes after the calls of a ledger.

    Reads at most so many characters of what was changed; a name for which nothing is
    left to read counts as changed.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._done = [change for change in ledger.changes if change.done]
        self._left = 20_000_000

    def is_stale(self, mention: Mention, places: Sequence[Evidence]) -> bool:
        """Return whether every place of a name was outdated by a later change."""
        return all(self._is_outdated(mention, place) for place in places)

    def _is_outdated(self, mention: Mention, place: Evidence) -> bool:
        for change in self._newest_after(place):
            if self._left < 0:
                return True
            if mention.kind in _PATHS:
                stands = _leaves_path(change, mention.key)
            else:
                stands = self._leaves_name(change, mention.key, place.tool_call)
            if stands is not None:
                return not stands
        return False

    def _newest_after(self, place: Evidence) -> Iterator[CallChange]:
        """Yield what was changed after a place was seen, the newest first.

        The old text of an edit was there when the edit was made, and not after it.
        """
        first = place.tool_call + (not place.field.startswith("input."))
        for change in reversed(self._done):
            self._left -= _COST_OF_CHANGE
            if change.call < first:
                return
            yield change

    def _leaves_name(self, change: CallChange, key: str, call: int) -> bool | None:
        """Return whether a name stands after a change; None if that says nothing."""
        name = key.rpartition(".")[2]
        if self._any(name, _added(change)):
            return True
        if self._any(name, _removed(change)):
            return False
        paths = self._ledger.calls[call].paths[:_MOST_PATHS]
        gone = change.paths if change.action in _WHOLE else change.gone
        if any(same_file(path, other) for path in paths for other in gone):
            return False
        return None

    def _any(self, name: str, texts: Sequence[str]) -> bool:
        for text in texts:
            self._left -= len(text)
            if self._left < 0:
                return False
            if _stands_in(name, text):
                return True
        return False


# After these nothing is known of what the file held before.
_WHOLE = frozenset({ChangeKind.DELETE, ChangeKind.WRITE, ChangeKind.REWRITE})


def _added(change: CallChange) -> Sequence[str]:
    if change.replaced:
        return [one.new for one in change.replaced]
    if change.patch is not None:
        return change.patch.added
    return change.texts if change.content is None else (change.content,)


def _removed(change: CallChange) -> list[str]:
    removed = [one.old for one in change.replaced if one.old]
    if change.patch is not None:
        removed += change.patch.removed
    return removed if change.before is None else [*removed, change.before]


def _leaves_path(change: CallChange, key: str) -> bool | None:
    """Return whether a file or folder is there after a change; None: not about it."""
    moved = change.patch is not None and change.patch.moved_to
    gone = change.paths if change.deleted else change.gone
    gone = change.paths[:1] if moved else gone
    if any(same_file(path, key) or _lies_in(key, path) for path in gone):
        return False
    there = () if change.deleted else change.paths
    return True if any(same_file(path, key) for path in there) else None


def _lies_in(key: str, folder: str) -> bool:
    folder = folder.rstrip("/").removeprefix("./")
    return bool(folder) and key.startswith(f"{folder}/")


def _stands_in(name: str, text: str) -> bool:
    """Return whether a name stands in a text as a whole word."""
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        sides = (text[max(0, start - 1) : start], text[end : end + 1])
        if not any(side.isalnum() or side == "_" for side in sides):
            return True
        start = text.find(name, end)
    return False

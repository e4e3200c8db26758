"""Read the files of a run: how each call used them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.changes import CallChange, ChangeKind, Replacement
from verifyhub.engine.calls.commands import spoken_words
from verifyhub.engine.calls.shell import FILLED_IN
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.ledger.history import (
    CHANGES,
    EventKind,
    FileEvent,
    Timeline,
    hashes_of,
    plain_command,
    sha256_of,
)
from verifyhub.engine.text.paths import Components, components

# The maximum characters of file content that are hashed or rewritten in one run.
TEXT_BUDGET = 64 * 1024 * 1024
# The maximum number of files with one name that a command may refer to.
MAX_NAMESAKES = 50
_WORD = re.compile(r"[\w.@~+%/\\-]++")
_HASHED = re.compile(r"^([0-9a-f]{64}) [ *]([^\n]{1,1000})$", re.MULTILINE)
_HASHERS = ("sha256sum", "shasum -a 256", "shasum -a256")
_OPAQUE = frozenset({ToolKind.OTHER, ToolKind.AGENT})


class FileAction(StrEnum):
    """How a call used a file."""

    SEEN = "seen"
    LISTED = "listed"
    WRITTEN = "written"
    EDITED = "edited"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """One file in one successful call, as its output shows it.

    `path` is spelled as in the call. `sha256` is the hash of the file after the call,
    None if the trace does not contain it; `is_exact` is false if the text is as shown
    by a tool, which may differ in line breaks.
    """

    call: int
    path: str
    action: FileAction
    sha256: str | None = None
    is_exact: bool = True


class Files:
    """The files of a run, and the history of each, read from its calls.

    Attributes:
        entries: How each call used files, in order.
        timeline: The history of each file.
    """

    def __init__(
        self, calls: Iterable[Call], changes: Mapping[int, Sequence[CallChange]]
    ) -> None:
        """Read the calls.

        Args:
            changes: The changes and attempted changes by the index of the call.
        """
        self.entries: list[FileEntry] = []
        self.timeline = Timeline()
        self.left = TEXT_BUDGET
        # Texts of files that were read before the first change.
        self.read: dict[Components, str] = {}
        for entry in calls:
            self._add(entry, changes.get(entry.index, ()))

    def _add(self, entry: Call, changes: Sequence[CallChange]) -> None:
        self.timeline.calls += 1
        if entry.command is not None:
            self._command(entry, changes)
        elif not entry.succeeded:
            for path in {path for change in changes for path in change.paths}:
                name = components(path)[-1:] or ("",)
                self.timeline.failed.setdefault(name[0], []).append(entry.index)
        else:
            self._note_shown(entry)
            for change in changes:
                self._change(change)
            if entry.kind in _OPAQUE:
                self.timeline.last_opaque = entry.index

    def _note_shown(self, entry: Call) -> None:
        """Record the files whose content a call showed."""
        whole_file = entry.whole_file
        for path in entry.shown:
            text = whole_file[1] if whole_file and whole_file[0] == path else None
            digest = self._show(entry.index, path, text) if text is not None else None
            self._note(entry.index, path, FileAction.SEEN, digest, is_exact=False)

    def _show(self, call: int, path: str, text: str) -> str | None:
        self.left -= len(text)
        if self.left < 0:
            return None
        key = self.timeline.key_of(path)
        if key in self.timeline.files:
            event = FileEvent(
                call=call,
                kind=EventKind.SEEN,
                hashes=hashes_of(text),
                text=text,
                is_exact=False,
            )
            self.timeline.note(path, event)
        else:
            self.read[components(path)] = text
        return sha256_of(text)

    def _note(
        self,
        call: int,
        path: str,
        action: FileAction,
        sha256: str | None = None,
        *,
        is_exact: bool = True,
    ) -> None:
        self.entries.append(
            FileEntry(
                call=call, path=path, action=action, sha256=sha256, is_exact=is_exact
            )
        )

    def _change(self, change: CallChange) -> None:
        """Record what a successful change did to each of its files."""
        paths = change.paths
        if change.patch is not None and change.patch.moved_to:
            self._moved(change)
        elif change.action is ChangeKind.DELETE:
            for path in paths:
                self._deleted(change.call, path)
        elif change.action in {ChangeKind.WRITE, ChangeKind.EDIT, ChangeKind.REWRITE}:
            for path in paths:
                self._changed(change, path, self._event(change, path))
        else:
            for path in change.gone:
                self._deleted(change.call, path)
            for path in change.rewritten:
                self._changed(change, path, self._unknown(change))

    def _changed(self, change: CallChange, path: str, event: FileEvent) -> None:
        action = FileAction.EDITED
        if change.action is ChangeKind.WRITE or event.kind is EventKind.WRITE:
            action = FileAction.WRITTEN
        digest = None if event.text is None else sha256_of(event.text)
        self._note(change.call, path, action, digest, is_exact=event.is_exact)
        self.timeline.note(path, event)

    def _deleted(self, call: int, path: str) -> None:
        self._note(call, path, FileAction.DELETED)
        self.timeline.note(path, FileEvent(call=call, kind=EventKind.DELETE))

    def _moved(self, change: CallChange) -> None:
        path, target = change.paths
        event = self._event(change, path)
        self._deleted(change.call, path)
        self._changed(change, target, event)

    def _event(self, change: CallChange, path: str) -> FileEvent:
        if change.action is ChangeKind.REWRITE:
            return self._unknown(change)
        if change.content is not None:
            return self._written(change, change.content)
        before, is_exact = self._text_before(path)
        if change.before is not None:
            before, is_exact = change.before, True
        text = self._text_after(change, before)
        added = tuple(replacement.new for replacement in change.replaced)
        removed = tuple(
            replacement.old
            for replacement in change.replaced
            if replacement.old is not None
        )
        if change.patch is not None and not change.replaced:
            added, removed = change.patch.added, change.patch.removed
        if text is None:
            kind = EventKind.EDIT if added or removed else EventKind.REWRITE
            return FileEvent(call=change.call, kind=kind, removed=removed, added=added)
        return FileEvent(
            call=change.call,
            kind=EventKind.EDIT,
            hashes=hashes_of(text),
            removed=removed,
            added=added,
            text=text,
            is_exact=is_exact or change.action is ChangeKind.WRITE,
        )

    def _unknown(self, change: CallChange) -> FileEvent:
        return FileEvent(call=change.call, kind=EventKind.REWRITE)

    def _written(self, change: CallChange, text: str) -> FileEvent:
        """Return the event after which the content of a file is this text."""
        self.left -= len(text)
        if self.left < 0:
            return self._unknown(change)
        return FileEvent(
            call=change.call,
            kind=EventKind.WRITE,
            hashes=hashes_of(text),
            added=(text,),
            text=text,
        )

    def _text_after(self, change: CallChange, before: str | None) -> str | None:
        self.left -= len(before or "")
        if self.left < 0:
            return None
        if change.replaced:
            return self._replaced(change.replaced, before)
        return change.patch.apply(before) if change.patch is not None else None

    def _replaced(
        self, replaced: Sequence[Replacement], text: str | None
    ) -> str | None:
        for replacement in replaced:
            if text is None or not replacement.old:
                return None
            self.left -= len(text)
            if self.left < 0 or (
                not replacement.everywhere and text.count(replacement.old) != 1
            ):
                return None
            text = text.replace(replacement.old, replacement.new)
        return text

    def _text_before(self, path: str) -> tuple[str | None, bool]:
        key = self.timeline.key_of(path)
        for event in reversed(self.timeline.files.get(key or (), ())):
            if event.kind in CHANGES or event.text is not None:
                return event.text, event.is_exact
            if event.kind is EventKind.NAMED:
                return None, True
        return self.read.get(components(path)), False

    def _command(self, entry: Call, changes: Sequence[CallChange]) -> None:
        command = entry.command or ""
        # A command that failed at its end has run too.
        ran = entry.ran
        table = self.timeline.commands
        if not ran:
            refused = entry.state is CallState.REFUSED
            table = self.timeline.refused if refused else self.timeline.broken
        for part in {command, *(part.text for part in entry.commands)}:
            table.setdefault(plain_command(part), []).append(entry.index)
        if not ran:
            return
        self._note_shown(entry)
        if any(word in command for word in _HASHERS) and not spoken_words(command):
            self._hashed(entry)
        for change in changes:
            if entry.succeeded:
                self._change(change)
            elif change.action in {
                ChangeKind.WRITE,
                ChangeKind.EDIT,
                ChangeKind.REWRITE,
            }:
                for path in change.paths:
                    rewritten = FileEvent(call=entry.index, kind=EventKind.REWRITE)
                    self.timeline.note(path, rewritten)
        # No part of a quiet command changes source files.
        is_quiet = FILLED_IN.isdisjoint(command) and all(
            part.leaves_files for part in entry.commands
        )
        if not is_quiet:
            self.timeline.last_opaque = entry.index
            self._named(entry, command)

    def _hashed(self, entry: Call) -> None:
        for digest, path in _HASHED.findall(entry.call.output):
            event = FileEvent(
                call=entry.index, kind=EventKind.SEEN, hashes=frozenset({digest})
            )
            self.timeline.note(path, event)
            if entry.succeeded:
                self._note(entry.index, path, FileAction.SEEN, digest)

    def _named(self, entry: Call, command: str) -> None:
        """Record the known files that a command names, which it may have changed."""
        for word in set(_WORD.findall(command)):
            parts = components(word)
            known = self.timeline.names.get(parts[-1] if parts else "", [])
            for key in known[:MAX_NAMESAKES]:
                events = self.timeline.files[key]
                # Its effect is recorded already.
                if events[-1].call != entry.index or events[-1].text is None:
                    event = FileEvent(call=entry.index, kind=EventKind.NAMED)
                    events.append(event)

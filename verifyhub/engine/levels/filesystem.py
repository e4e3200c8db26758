"""Level 3: compare an agent's claims about files with the trace and the files."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from verifyhub.engine.ledger.history import (
    CHANGES,
    EventKind,
    FileEvent,
    Timeline,
    plain_command,
)
from verifyhub.engine.levels.categories import Category, Problem
from verifyhub.engine.levels.claims import ClaimType, LevelClaim
from verifyhub.engine.ports import FileLook, FileState, FileTree
from verifyhub.engine.reports import Grade
from verifyhub.engine.text.paths import Components

MAX_SHOWN = 400
# Characters of file content that anchors are searched in, for one run.
SEARCH_BUDGET = 100_000_000
# What looking at one call costs of it, beside the text of the call.
CALL_COST = 100
MAX_CALLS = 20
UNSEEN = "no_call_did_this"
# Trace, manifest and workspace do not say the same.
DISAGREE = "sources_disagree"


class ClaimState(StrEnum):
    """The state of a claim; a stale one was true until the run changed the file."""

    OK = "ok"
    FALSE = "false"
    STALE = "stale"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRuling:
    """The ruling on one claim, and its reason.

    Attributes:
        source: `trace`, `manifest` or `workspace`; None where nothing decided.
        grade: What that source is worth.
        sides: Where sources disagree, the ruling of each.
    """

    claim: LevelClaim
    state: ClaimState
    reason: str
    category: Category | None = None
    source: str | None = None
    calls: tuple[int, ...] = ()
    grade: Grade | None = None
    sides: tuple["FileRuling", ...] = ()

    @property
    def is_settled(self) -> bool:
        """Whether evidence beyond the agent's own word settles the claim."""
        if self.state is ClaimState.UNKNOWN:
            return False
        return self.state is not ClaimState.OK or self.grade is not Grade.D

    def as_dict(self) -> dict[str, Any]:
        sides = [side.as_side() for side in self.sides]
        return {
            "claim": self.claim.index,
            "type": str(self.claim.type),
            "path": self.claim.subject[:MAX_SHOWN],
            "status": str(self.state),
            "category": str(self.category) if self.category else None,
            "reason": self.reason,
            "grade": str(self.grade) if self.grade else None,
            "source": self.source,
            "tool_calls": list(self.calls),
            **({"sides": sides} if sides else {}),
        }

    def error(self) -> dict[str, Any]:
        """Return it as an error of the level, with the file or command it is about."""
        category = self.category or Category.UNKNOWN
        message = MESSAGES[category]
        problem = Problem(path=self.claim.place, category=category, message=message)
        subject = self.claim.subject[:200]
        return {**problem.as_dict(), "claim": self.claim.index, "file": subject}

    def as_side(self) -> dict[str, Any]:
        """Return it as one of those that disagree."""
        return {
            "source": self.source,
            "grade": str(self.grade) if self.grade else None,
            "status": str(self.state),
            "reason": self.reason,
        }


MESSAGES = {
    Category.HASH_MISMATCH: "The file does not have this SHA-256.",
    Category.ANCHOR_MISMATCH: "The file does not hold this text.",
    Category.FILE_NOT_FOUND: "The file is not there.",
    Category.FILESYSTEM_MISMATCH: "The run does not show this work.",
    Category.UNKNOWN: "The claim is not right.",
}


@dataclass(frozen=True, slots=True)
class _FileHistory:
    """One file's events, with what every claim about it asks of them."""

    events: list[FileEvent]
    last_by_hash: Mapping[str, int]
    is_known: bool

    @classmethod
    def of(cls, events: list[FileEvent]) -> "_FileHistory":
        last = {h: i for i, event in enumerate(events) for h in event.hashes}
        known = all(
            (e.hashes and e.is_exact) or e.kind is EventKind.DELETE for e in events
        )
        # A file that was only hashed may be one of its name in another folder.
        known = known and any(event.kind in CHANGES for event in events)
        return cls(events, last, known)

    @property
    def calls(self) -> list[int]:
        return [event.call for event in self.events[:MAX_CALLS]]


class Judge:
    """Rules on the claims of one run.

    The best source that knows rules: a look at the files themselves, then a manifest
    that a gateway signed, the trace, and last the agent's own manifest. Where sources
    disagree nobody knows. The trace's order alone tells a claim that a later change
    outdated from one that never was true.
    """

    def __init__(
        self, timeline: Timeline, trees: Sequence[FileTree], grades: Mapping[str, Grade]
    ) -> None:
        """Take what there is to look at.

        Args:
            timeline: What the trace shows.
            trees: Files to look at.
            grades: What each of these is worth, by its name.
        """
        self.timeline, self.trees, self.grades = timeline, trees, grades
        self.left = SEARCH_BUDGET
        self.histories: dict[Components, _FileHistory] = {}

    def rule(self, claim: LevelClaim) -> FileRuling:
        if claim.type is ClaimType.COMMAND_EXECUTED:
            return self._command(claim)
        key = self.timeline.key_of(claim.path)
        if key is None:
            traced, events = _unknown(claim, "ambiguous_path"), list[FileEvent]()
        else:
            history = self._history(key)
            events = history.events
            traced = self._by_trace(claim, history)
        known = [] if traced.state is ClaimState.UNKNOWN else [traced]
        for tree in self.trees:
            look = tree.look(
                claim.path, (claim.after,) if claim.after is not None else ()
            )
            looked = _by_look(claim, look, tree.name, events)
            if looked is not None:
                graded = replace(looked, grade=self.grades[tree.name])
                known.append(self._older(graded, traced))
            elif traced.state is ClaimState.UNKNOWN and look.reason:
                traced = _unknown(claim, look.reason)
        return _best(claim, known) or traced

    def _history(self, key: Components) -> _FileHistory:
        if key not in self.histories:
            self.histories[key] = _FileHistory.of(self.timeline.events(key))
        return self.histories[key]

    def _command(self, claim: LevelClaim) -> FileRuling:
        command = plain_command(claim.command)
        if calls := self.timeline.commands.get(command):
            return _ruling(claim, ClaimState.OK, "command_in_trace", calls=calls)
        if calls := self.timeline.refused.get(command):
            return _false(claim, Category.FILESYSTEM_MISMATCH, "not_run", calls)
        if not self.timeline.calls:
            return _unknown(claim, "no_trace")
        if command in self.timeline.broken:
            return _unknown(claim, "command_broke")
        return _false(claim, Category.FILESYSTEM_MISMATCH, "command_not_in_trace")

    def _by_trace(self, claim: LevelClaim, file: _FileHistory) -> FileRuling:
        if not any(event.kind is not EventKind.NAMED for event in file.events):
            return self._unattempted(claim)
        if claim.type is ClaimType.FILE_WRITE:
            return self._write(claim, file)
        if claim.type is ClaimType.FILE_DELETE:
            return self._delete(claim, file)
        return self._edit(claim, file)

    def _older(self, looked: FileRuling, traced: FileRuling) -> FileRuling:
        """Tell a claim that the run itself outdated, or may have, from a false one."""
        if looked.state is not ClaimState.FALSE:
            return looked
        if traced.state is ClaimState.STALE:
            return traced
        since = max(traced.calls, default=-1)
        if traced.state is ClaimState.OK and self.timeline.last_opaque > since:
            return _unknown(looked.claim, "command_may_have_changed_it")
        return looked

    def _unattempted(self, claim: LevelClaim) -> FileRuling:
        if not self.timeline.calls:
            return _unknown(claim, "no_trace")
        if self.timeline.last_opaque >= 0:
            return _unknown(claim, "trace_cannot_tell")
        name = claim.path.replace("\\", "/").rstrip("/").rpartition("/")[2]
        failed = self.timeline.failed.get(name, ())
        reason = "call_failed" if failed else UNSEEN
        return _false(claim, Category.FILESYSTEM_MISMATCH, reason, failed)

    def _write(self, claim: LevelClaim, file: _FileHistory) -> FileRuling:
        position = file.last_by_hash.get(claim.sha256)
        if position is not None:
            return _by_event(claim, file.events, position, "hash_in_trace")
        if not file.is_known or self._may_differ(file):
            return _unknown(claim, "bytes_not_in_trace")
        if all(event.kind is EventKind.DELETE for event in file.events):
            category, reason = Category.FILE_NOT_FOUND, "only_deleted"
        else:
            category, reason = Category.HASH_MISMATCH, "other_bytes_in_trace"
        return _false(claim, category, reason, file.calls)

    def _delete(self, claim: LevelClaim, file: _FileHistory) -> FileRuling:
        for position in reversed(range(len(file.events))):
            if file.events[position].kind is EventKind.DELETE:
                return _by_event(claim, file.events, position, "deleted_in_trace")
        if self._may_differ(file):
            return _unknown(claim, "trace_cannot_tell")
        return _false(claim, Category.FILESYSTEM_MISMATCH, "never_deleted", file.calls)

    def _may_differ(self, file: _FileHistory) -> bool:
        """Whether a later call may have changed the file without a trace of how."""
        return self.timeline.last_opaque > file.events[0].call

    def _edit(self, claim: LevelClaim, file: _FileHistory) -> FileRuling:
        for position in reversed(range(len(file.events))):
            self.left -= CALL_COST
            if self.left < 0:
                return _unknown(claim, "too_much_text")
            if self._shows(claim, file.events[position]):
                return self._still(claim, file.events, position)
        if self.left < 0:
            return _unknown(claim, "too_much_text")
        rewritten = any(event.kind is EventKind.REWRITE for event in file.events)
        if rewritten or self._may_differ(file):
            return _unknown(claim, "bytes_not_in_trace")
        calls = file.calls
        return _false(claim, Category.ANCHOR_MISMATCH, "other_text_in_trace", calls)

    def _shows(self, claim: LevelClaim, event: FileEvent) -> bool:
        """Whether one call took out the text before and put in the text after."""
        if event.kind not in {EventKind.WRITE, EventKind.EDIT}:
            return False
        took = claim.before is None or self._within(claim.before, event.removed)
        put = claim.after is None or self._within(claim.after, event.added)
        is_write = event.kind is EventKind.WRITE
        return (took or is_write) and put and (claim.after is not None or took)

    def _within(self, anchor: str, texts: Sequence[str]) -> bool:
        for text in texts:
            self.left -= len(text)
            if self.left < 0:
                return False
            if anchor in text:
                return True
        return False

    def _still(
        self, claim: LevelClaim, events: list[FileEvent], position: int
    ) -> FileRuling:
        """Return whether the text that a call put in stands to the end of the run."""
        later = [event for event in events[position + 1 :] if event.kind in CHANGES]
        calls = [events[position].call]
        change = None
        if later and claim.after is not None:
            change = next((e for e in later if self._takes(claim.after, e)), None)
        if change is None:
            return _ruling(claim, ClaimState.OK, "anchor_in_trace", calls=calls)
        return _ruling(
            claim, ClaimState.STALE, "changed_later", calls=[*calls, change.call]
        )

    def _takes(self, anchor: str, event: FileEvent) -> bool:
        if event.kind is EventKind.DELETE:
            return True
        if event.text is not None and event.is_exact:
            return not self._within(anchor, (event.text,))
        return self._within(anchor, event.removed)


def _best(claim: LevelClaim, known: Sequence[FileRuling]) -> FileRuling | None:
    """Return the ruling of the best source; None where none knows.

    One that may have been outdated by a command says nothing against the others.
    """
    rulings = [ruling for ruling in known if ruling.state is not ClaimState.UNKNOWN]
    if any(ruling.grade is not None and ruling.grade < Grade.C for ruling in rulings):
        # The file is as claimed; that no call is seen to have done it denies nothing.
        rulings = [ruling for ruling in rulings if ruling.reason != UNSEEN]
    if len({ruling.state is ClaimState.FALSE for ruling in rulings}) > 1:
        return replace(_unknown(claim, DISAGREE), sides=tuple(rulings))
    ranked = sorted(rulings, key=lambda ruling: str(ruling.grade))
    return ranked[0] if ranked else next(iter(known), None)


def _by_event(
    claim: LevelClaim, events: list[FileEvent], position: int, reason: str
) -> FileRuling:
    """A call made it true; a later change of the same file outdates it."""
    call = events[position].call
    kinds = CHANGES
    if claim.type is ClaimType.FILE_DELETE:
        kinds = CHANGES - {EventKind.DELETE}
    later = [e.call for e in events[position + 1 :] if e.kind in kinds]
    if later:
        calls = [call, *later[:1]]
        return _ruling(claim, ClaimState.STALE, "changed_later", calls=calls)
    return _ruling(claim, ClaimState.OK, reason, calls=[call])


def _by_look(
    claim: LevelClaim, look: FileLook, source: str, events: list[FileEvent]
) -> FileRuling | None:
    """Rule by the file as it was found; None where it was not read far enough."""
    if look.state is FileState.UNREAD:
        return None
    exists = look.state is FileState.PRESENT
    wrong: Category | None = None
    if claim.type is ClaimType.FILE_DELETE:
        wrong = Category.FILESYSTEM_MISMATCH if exists else None
        reason = "still_there" if exists else "not_there"
    elif not exists:
        wrong, reason = Category.FILE_NOT_FOUND, "not_there"
    elif claim.type is ClaimType.FILE_WRITE:
        if look.sha256 is None:
            return None
        same = look.sha256 == claim.sha256 or any(
            # One write, with or without the line break that its tool adds.
            {look.sha256, claim.sha256} <= event.hashes
            for event in events
        )
        wrong = None if same else Category.HASH_MISMATCH
        reason = "same_hash" if same else "other_hash"
    elif claim.after is None or look.anchors is None:
        return None
    else:
        is_present = claim.after in look.anchors
        wrong = None if is_present else Category.ANCHOR_MISMATCH
        reason = "anchor_found" if is_present else "no_anchor"
    state = ClaimState.FALSE if wrong else ClaimState.OK
    return FileRuling(
        claim=claim, state=state, category=wrong, reason=reason, source=source
    )


def _ruling(
    claim: LevelClaim, state: ClaimState, reason: str, *, calls: Sequence[int]
) -> FileRuling:
    return FileRuling(
        claim=claim,
        state=state,
        reason=reason,
        source="trace",
        grade=Grade.C,
        calls=tuple(calls[:MAX_CALLS]),
    )


def _false(
    claim: LevelClaim, category: Category, reason: str, calls: Sequence[int] = ()
) -> FileRuling:
    ruling = _ruling(claim, ClaimState.FALSE, reason, calls=calls)
    return replace(ruling, category=category)


def _unknown(claim: LevelClaim, reason: str) -> FileRuling:
    return FileRuling(claim=claim, state=ClaimState.UNKNOWN, reason=reason)

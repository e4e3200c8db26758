"""Check names and claims that an answer's own calls leave open against earlier calls.

One ledger over the earlier calls and the answer's own, in their order, says what it
would say of one run: what was written earlier and read back is the agent's own, tests
that ran before a later change show nothing (ADR 0042). An answer's own calls go first:
where they decide, nothing earlier is asked.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from operator import attrgetter

from verifyhub.engine.calls.call import read_call
from verifyhub.engine.calls.changes import CallChange, ChangeKind, same_file
from verifyhub.engine.calls.inputs import string_leaves
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.completion.check import check_completion
from verifyhub.engine.completion.languages.model import ClaimKind
from verifyhub.engine.decisions.grades import enough, enough_for_claim
from verifyhub.engine.earlier.turns import EarlierTurn, EarlierTurns
from verifyhub.engine.grounding.ground import (
    AUTHORED,
    TRACE_CUT,
    Exemption,
    ground_mentions,
)
from verifyhub.engine.ledger.build import ledger_of_calls
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.written import WrittenFiles
from verifyhub.engine.reports import (
    FOUND_EARLIER,
    STALE,
    TOLD_VERIFIED,
    ClaimStatus,
    CompletionClaim,
    EarlierEvidence,
    Evidence,
    Grade,
    MentionResult,
    Status,
)
from verifyhub.engine.types import Interaction, Mention, MentionKind, ToolCall
from verifyhub.engine.value_results import ValueNote, ValueResult
from verifyhub.engine.values.check import check_values

_PATHS = frozenset({MentionKind.FILE, MentionKind.DIRECTORY})
# The cost of checking one change, in characters.
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
        # The old text of an edit was there when the edit was made, and not after it.
        first = place.tool_call + (not place.field.startswith("input."))
        # What was changed after the place was seen, the newest first.
        for change in reversed(self._done):
            self._left -= _COST_OF_CHANGE
            if change.call < first:
                break
            if self._left < 0:
                return True
            if mention.kind in _PATHS:
                stands = _leaves_path(change, mention.key)
            else:
                stands = self._leaves_name(change, mention.key, place.tool_call)
            if stands is not None:
                return not stands
        return False

    def _leaves_name(self, change: CallChange, key: str, call: int) -> bool | None:
        """Return whether a name stands after a change; None if that says nothing."""
        name = key.rpartition(".")[2]
        if self._any(name, _added(change)):
            return True
        if self._any(name, _removed(change)):
            return False
        paths = self._ledger.calls[call].paths[:_MOST_PATHS]
        removed_paths = change.paths if change.action in _WHOLE else change.gone
        if any(same_file(path, other) for path in paths for other in removed_paths):
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
        return [replacement.new for replacement in change.replaced]
    if change.patch is not None:
        return change.patch.added
    return change.texts if change.content is None else (change.content,)


def _removed(change: CallChange) -> list[str]:
    removed = [replacement.old for replacement in change.replaced if replacement.old]
    if change.patch is not None:
        removed += change.patch.removed
    return removed if change.before is None else [*removed, change.before]


def _leaves_path(change: CallChange, key: str) -> bool | None:
    """Return whether a file or folder is there after a change; None: not about it."""
    moved = change.patch is not None and change.patch.moved_to
    removed_paths = change.paths if change.deleted else change.gone
    removed_paths = change.paths[:1] if moved else removed_paths
    folders = (path.rstrip("/").removeprefix("./") for path in removed_paths)
    inside = any(folder and key.startswith(f"{folder}/") for folder in folders)
    if inside or any(same_file(path, key) for path in removed_paths):
        return False
    paths = () if change.deleted else change.paths
    return True if any(same_file(path, key) for path in paths) else None


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


# Work that is outdated by a later change of code, as a run of tests is.
_OUTDATED = frozenset({ClaimKind.COMMIT, ClaimKind.PUSH, ClaimKind.RUN})


class EarlierSight:
    """Evidence of earlier calls for an answer, read lazily.

    Args:
        earlier: The earlier answers, and what memory delivered.
        interaction: The answer at hand.
        rules: What the project's own tools do.
        least: The lowest grade of evidence that the project accepts.
        pairs: What the project calls values and tools.
    """

    def __init__(
        self,
        earlier: EarlierTurns,
        interaction: Interaction,
        *,
        rules: Mapping[str, ToolKind],
        least: Grade,
        pairs: Pairs = NO_PAIRS,
    ) -> None:
        self._earlier, self._own, self._least = earlier, interaction, least
        self._rules, self._pairs = rules, pairs
        self._places: list[tuple[EarlierTurn, ToolCall]] = [
            (turn, call) for turn in earlier.turns for call in turn.calls
        ]

    @cached_property
    def ledger(self) -> Ledger:
        """The ledger of the earlier calls, followed by the answer's own."""
        earlier = (call for _, call in self._places)
        # Copies, each with its place in the whole; nothing else holds them.
        calls = list(map(copy, [*earlier, *self._own.tool_calls]))
        for index, call in enumerate(calls):
            object.__setattr__(call, "index", index)
        return ledger_of_calls(
            calls, self._own.task, rules=self._rules, pairs=self._pairs
        )

    @property
    def count(self) -> int:
        """The number of earlier calls in the ledger."""
        return len(self._places)

    def mentions(
        self,
        known: Sequence[Mention],
        own: Sequence[MentionResult],
        exemption: Exemption = attrgetter("exempt"),
    ) -> tuple[MentionResult, ...]:
        """Settle mentions that the answer's own calls leave open, in their places.

        Args:
            known: The names of the answer.
            own: The same, as its own calls settle them.
            exemption: See `ground_mentions`.
        """
        # A name is open, or what showed one may be an earlier turn's words.
        is_open = any(not result.is_verified for result in own)
        if self._places and (is_open or self._reads_own_words()):
            seen = ground_mentions(known, self.ledger, exemption)
            own = list(map(self._settled, known, own, seen))
        return tuple(map(self._from_memory, own))

    def claims(
        self, answer: str, own: Sequence[CompletionClaim]
    ) -> tuple[CompletionClaim, ...]:
        """Settle the claims of work that the answer's own calls do not support."""
        open_spans = {claim.span for claim in own if not _is_supported(claim)}
        if not self._places or not open_spans:
            return tuple(own)
        settled = {claim.span: claim for claim in check_completion(answer, self.ledger)}
        return tuple(
            self._settled_claim(claim, settled[claim.span])
            if claim.span in open_spans and claim.span in settled
            else claim
            for claim in own
        )

    def values(self, own: Sequence[ValueResult]) -> tuple[ValueResult, ...]:
        """Settle values that the answer's own calls do not contain.

        What they know otherwise (another record's, another count) stays wrong.
        """
        if not self._places or not any(map(_is_unknown, own)):
            return tuple(own)
        entries = self.ledger.calls
        run = replace(self._own, tool_calls=tuple(entry.call for entry in entries))
        settled = {
            span: value
            for value in check_values(run, entries, pairs=self._pairs)
            for span in value.spans
        }
        return tuple(
            self._settled_value(value, [settled.get(span) for span in value.spans])
            if _is_unknown(value)
            else value
            for value in own
        )

    def _settled_value(
        self, own: ValueResult, with_earlier: Sequence[ValueResult | None]
    ) -> ValueResult:
        first = next((value for value in with_earlier if value is not None), None)
        if first is None or any(
            value is None or value.is_flagged for value in with_earlier
        ):
            return own
        count = self.count
        earlier = [
            replace(self._evidence(place.call), field=place.field, span=place.span)
            for place in first.evidence
            if 0 <= place.call < count
        ]
        return replace(
            first,
            spans=own.spans,
            grade=max((place.grade for place in earlier), default=first.grade),
            evidence=tuple(
                replace(place, call=max(place.call - count, -1))
                for place in first.evidence
                if not 0 <= place.call < count
            ),
            earlier_evidence=tuple(earlier),
        )

    def _reads_own_words(self) -> bool:
        written = WrittenFiles()
        for _, call in self._places:
            paths = read_call(call, self._rules).written
            written.add(path.rstrip("/").rpartition("/")[2] for path in paths)
        return bool(written) and any(
            written.shown((), text)
            for call in self._own.tool_calls
            for text in (call.output, *(leaf for _, leaf in string_leaves(call.input)))
        )

    def _settled(
        self, mention: Mention, own: MentionResult, with_earlier: MentionResult
    ) -> MentionResult:
        if own.is_verified:
            # A file that was looked at, or a signed call, is not the agent's own words.
            is_sure = with_earlier.is_verified or own.grade != Grade.C
            return own if is_sure else self._placed(with_earlier)
        if with_earlier.is_verified:
            placed = self._placed(with_earlier)
            if self._staleness.is_stale(mention, with_earlier.evidence):
                return replace(placed, status=Status.UNVERIFIED, reason=STALE)
            best = min(
                (place.grade for place in placed.earlier_evidence), default=Grade.C
            )
            result = replace(placed, reason=FOUND_EARLIER, grade=best, suggestion=None)
            return enough(result, self._least)
        # What earlier traces leave out excuses an answer that looked nowhere itself.
        excused = {AUTHORED} if self._own.tool_calls else {AUTHORED, TRACE_CUT}
        if own.counts and with_earlier.reason in excused:
            return self._placed(with_earlier)
        return replace(own, suggestion=own.suggestion or with_earlier.suggestion)

    @cached_property
    def _staleness(self) -> Staleness:
        return Staleness(self.ledger)

    def _placed(self, with_earlier: MentionResult) -> MentionResult:
        """Return a result with its places where they are: here, or in a turn."""
        own, earlier = self._by_turn(with_earlier.evidence)
        if with_earlier.grade is Grade.D:
            earlier = [replace(place, grade=Grade.D) for place in earlier]
        earlier.sort(key=lambda place: place.grade)
        return replace(
            with_earlier, evidence=tuple(own), earlier_evidence=tuple(earlier)
        )

    def _by_turn(
        self, places: Iterable[Evidence]
    ) -> tuple[list[Evidence], list[EarlierEvidence]]:
        own: list[Evidence] = []
        earlier: list[EarlierEvidence] = []
        for place in places:
            if 0 <= place.tool_call < self.count:
                evidence = self._evidence(place.tool_call)
                earlier.append(replace(evidence, field=place.field, span=place.span))
            else:
                index = max(place.tool_call - self.count, -1)
                own.append(replace(place, tool_call=index))
        return own, earlier

    def _evidence(self, index: int) -> EarlierEvidence:
        turn, call = self._places[index]
        return turn.evidence(call.index)

    def _from_memory(self, own: MentionResult) -> MentionResult:
        """Verify a name that no call shows by what memory delivered."""
        evidence = self._earlier.from_memory.get((str(own.kind), own.key))
        if evidence is None or own.is_verified or own.reason == STALE:
            return own
        result = replace(
            own,
            status=Status.VERIFIED,
            reason=TOLD_VERIFIED,
            grade=evidence.grade,
            evidence=(),
            earlier_evidence=(evidence,),
            suggestion=None,
        )
        return enough(result, self._least)

    def _settled_claim(
        self, own: CompletionClaim, with_earlier: CompletionClaim
    ) -> CompletionClaim:
        if _is_supported(with_earlier):
            if self._is_outdated(with_earlier):
                return own
        elif own.status is not ClaimStatus.UNATTEMPTED:
            return own
        earlier = [
            self._evidence(index)
            for index in with_earlier.evidence
            if index < self.count
        ]
        grade = with_earlier.grade
        if grade is Grade.C and earlier and with_earlier.evidence[0] < self.count:
            grade = earlier[0].grade
        return enough_for_claim(
            replace(
                with_earlier,
                evidence=tuple(
                    index - self.count
                    for index in with_earlier.evidence
                    if index >= self.count
                ),
                earlier_evidence=tuple(earlier),
                grade=grade,
            ),
            self._least,
        )

    def _is_outdated(self, claim: CompletionClaim) -> bool:
        """Whether files were changed after the work of an earlier turn."""
        if claim.kind not in _OUTDATED:
            return False
        last = max(claim.evidence, default=-1)
        changes = self.ledger.changes
        return any(
            change.done and change.paths and change.call > last for change in changes
        )


def _is_unknown(value: ValueResult) -> bool:
    return value.is_flagged and value.reason is ValueNote.NOT_FOUND


def _is_supported(claim: CompletionClaim) -> bool:
    return claim.status is ClaimStatus.SUPPORTED

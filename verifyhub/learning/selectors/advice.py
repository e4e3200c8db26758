"""Find thresholds that would have flagged answers that people rejected."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from verifyhub.accounts.models import Project
from verifyhub.common.shares import SMALL_SAMPLE, Share, ShareDifference
from verifyhub.engine.decisions.replay import goes_to_review, replayed
from verifyhub.engine.presets.strictness import Strictness, apply_strictness
from verifyhub.engine.reports import Verdict
from verifyhub.engine.thresholds import SendsBack, Thresholds
from verifyhub.learning.selectors.windows import WINDOW_DAYS, recent_answers

# Decided answers that are replayed, newest first.
MAX_DECIDED = 500
OUTLOOK_ANSWERS = 200

Value = float | int | str
# Stricter values to try, for thresholds that can flag an answer.
LADDER: dict[str, tuple[Value, ...]] = {
    "uncertain_below_confidence": (0.65, 0.7, 0.75, 0.8, 0.85, 0.9),
    "minimum_grade": ("B", "A"),
    "sends_back": ("untrue", "wrong", "doubtful"),
    "retry_above_unverified": (2, 1, 0),
    "reformulate_below_confidence": (0.45, 0.5, 0.55, 0.6),
    "follow_up_below_completeness": (0.65, 0.7, 0.75, 0.8, 0.85, 0.9),
}
REPLAYABLE = (*LADDER, "max_retries", "max_follow_ups")


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedAnswers:
    """Answers that would be accepted today, and people's decisions on them.

    Attributes:
        rejected: The share that people rejected.
        days: The period in days.
    """

    rejected: Share
    days: int

    @property
    def is_few(self) -> bool:
        """Whether there are too few decisions to advise by."""
        return self.rejected.total < SMALL_SAMPLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One threshold that would have given better verdicts.

    Attributes:
        name: The threshold.
        now, value: Its current and the advised value.
        caught: The share of rejected answers that it would have flagged.
        extra: The share of accepted answers that it would have flagged too.
    """

    name: str
    now: Value
    value: Value
    caught: Share
    extra: Share

    @property
    def gain(self) -> ShareDifference:
        """The ratio of the rates of flagged wrong and right answers."""
        return ShareDifference(first=self.caught, second=self.extra)


def accepted_answers(project: Project, *, now: datetime) -> AcceptedAnswers:
    """Return how often people rejected answers that the machine accepts."""
    pairs = _accepted(project, now)
    return AcceptedAnswers(
        rejected=Share(count=sum(wrong for _, wrong in pairs), total=len(pairs)),
        days=WINDOW_DAYS,
    )


def advice(project: Project, *, now: datetime) -> list[Advice]:
    """Return thresholds that would have flagged rejected answers, best first.

    For each threshold, the stricter value with the greatest difference between the
    flagged shares of rejected and accepted answers is selected (Youden 1950). It is
    only advised if the 95 % interval of that difference is above 0, and based on at
    least 20 decisions.
    """
    pairs = _accepted(project, now)
    if len(pairs) < SMALL_SAMPLE:
        return []
    in_force = thresholds_of(project)
    proposals = [
        best
        for name in LADDER
        if (best := _best(project, name, pairs, in_force)) is not None
    ]
    return sorted(proposals, key=lambda proposal: -(proposal.gain.value or 0.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Counts of the newest answers that would go to review with given thresholds."""

    now: int
    then: int
    answers: int


def outlook(project: Project, values: Mapping[str, Any], *, now: datetime) -> Outlook:
    """Replay the newest 200 answers with other thresholds.

    Args:
        project: The tenant; its own thresholds apply to others.
        values: Thresholds to try.
        now: The end of the period.

    Raises:
        ThresholdError: If a value is invalid.
    """
    rows = list(
        recent_answers(project, now=now).order_by("-answered_at", "-pk")[
            :OUTLOOK_ANSWERS
        ]
    )
    in_force = thresholds_of(project)
    tried = thresholds_of(project, values)
    return Outlook(
        now=sum(goes_to_review(row.facts, in_force) for row in rows),
        then=sum(goes_to_review(row.facts, tried) for row in rows),
        answers=len(rows),
    )


def thresholds_of(
    project: Project, values: Mapping[str, Any] | None = None
) -> Thresholds:
    """Return a project's thresholds adjusted by its preset, with some replaced.

    Raises:
        ThresholdError: If a value is invalid.
    """
    own = Thresholds.with_overrides({**project.thresholds, **(values or {})})
    return apply_strictness(own, Strictness(project.strictness))


Pair = tuple[Mapping[str, Any], bool]


def _accepted(project: Project, now: datetime) -> list[Pair]:
    """Return facts of decided answers that would be accepted today, and if rejected."""
    rows = (
        recent_answers(project, now=now)
        .filter(human_verdict__in=[Verdict.ACCEPT, Verdict.REJECT])
        .order_by("-answered_at", "-pk")[:MAX_DECIDED]
    )
    in_force = thresholds_of(project)
    return [
        (row.facts, row.human_verdict == Verdict.REJECT)
        for row in rows
        if replayed(row.facts, in_force) is Verdict.ACCEPT
    ]


def _best(
    project: Project, name: str, pairs: Sequence[Pair], in_force: Thresholds
) -> Advice | None:
    tried = [
        _tried(project, name, value, pairs, in_force)
        for value in _stricter(name, in_force)
    ]
    sound = [
        proposal
        for proposal in tried
        if (interval := proposal.gain.interval) is not None and interval[0] > 0
    ]
    return max(sound, key=lambda proposal: proposal.gain.value or 0.0, default=None)


def _tried(
    project: Project,
    name: str,
    value: Value,
    pairs: Sequence[Pair],
    in_force: Thresholds,
) -> Advice:
    # Adjusted by the preset, which may cap the value.
    other = thresholds_of(project, {name: value})
    outcomes = [
        (wrong, replayed(facts, other) is not Verdict.ACCEPT) for facts, wrong in pairs
    ]
    return Advice(
        name=name,
        now=getattr(in_force, name),
        value=value,
        caught=_share(up for wrong, up in outcomes if wrong),
        extra=_share(up for wrong, up in outcomes if not wrong),
    )


def _share(up: Iterable[bool]) -> Share:
    sides = list(up)
    return Share(count=sum(sides), total=len(sides))


def _stricter(name: str, in_force: Thresholds) -> Iterator[Value]:
    """Yield the values of the ladder that are stricter than the current one."""
    now: Any = getattr(in_force, name)
    if name == "sends_back":
        current = SendsBack(now)
        yield from (str(value) for value in SendsBack if not current.covers(value))
        return
    falls = name in {"minimum_grade", "retry_above_unverified"}
    steps: tuple[Any, ...] = LADDER[name]
    yield from (value for value in steps if (value < now if falls else value > now))

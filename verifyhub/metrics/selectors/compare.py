"""Compare two or more sides, measure by measure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from django.db.models import (
    BigIntegerField,
    Case,
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    When,
)
from django.db.models.functions import Cast, Coalesce

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share, ShareDifference
from verifyhub.inference.models import ModelCall
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.selectors.answers import FLAGGED
from verifyhub.metrics.selectors.sides import PAIRED, newest, newest_ids, rows_by
from verifyhub.metrics.significance import (
    ALPHA,
    Tested,
    compare_means,
    compare_shares,
    holm,
    is_few,
    paired_p,
)
from verifyhub.metrics.windows import Window
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import (
    MentionStatus,
    MentionVerdict,
    Verdict,
    Verification,
)

MAX_SIDES = 5
_DECIDED = Q(
    review_item__state__in=[ReviewItem.State.CONFIRMED, ReviewItem.State.OVERRIDDEN]
)
_WRONG = _DECIDED & (
    Q(review_item__human_verdict=Verdict.REJECT)
    | Q(review_item__human_verdict="", verdict=Verdict.REJECT)
)
_OVERRIDDEN = (
    _DECIDED
    & ~Q(review_item__human_verdict="")
    & ~Q(review_item__human_verdict=F("verdict"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedMeasure:
    """A measure of comparison.

    Attributes:
        name: Its name in the API.
        hits, cases: Columns of the sums over a session.
        unit: `share`, `number`, `microdollars` or `milliseconds`.
        good: Whether `low` or `high` is better; may be empty.
    """

    name: str
    hits: str
    cases: str
    unit: str = "share"
    good: str = "low"


MEASURES: Final = (
    ComparedMeasure(name="flagged", hits="flagged", cases="answers"),
    ComparedMeasure(name="invented", hits="invented", cases="answers"),
    ComparedMeasure(name="wrong", hits="wrong", cases="decided"),
    ComparedMeasure(name="overridden", hits="overridden", cases="decided"),
    ComparedMeasure(
        name="firstAttempts", hits="first_accepted", cases="firsts", good="high"
    ),
    ComparedMeasure(name="retries", hits="retries", cases="firsts", unit="number"),
    ComparedMeasure(
        name="runCost", hits="run_cost", cases="run_costs", unit="microdollars"
    ),
    ComparedMeasure(
        name="checkCost", hits="check_cost", cases="check_costs", unit="microdollars"
    ),
    ComparedMeasure(
        name="checkTime", hits="check_ms", cases="timed", unit="milliseconds"
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """A sum over cases; `value` is None without cases."""

    total: float
    cases: int

    @property
    def value(self) -> float | None:
        return self.total / self.cases if self.cases else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSide:
    """One side: its sessions (an answer without one is its own) and their sums."""

    value: str
    answers: int
    sessions: int
    groups: Mapping[str, list[tuple[int, int]]]

    def figure(self, measure: ComparedMeasure) -> Share | Mean:
        """Return a measure over all sessions of this side."""
        groups = self.groups[measure.name]
        if measure.unit == "share":
            return Share.of_groups(groups)
        return Mean(total=sum(t for t, _ in groups), cases=sum(n for _, n in groups))


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One measure of two sides; `corrected` is p corrected by Holm over the page."""

    measure: ComparedMeasure
    first: Share | Mean
    second: Share | Mean
    tested: Tested
    corrected: float | None = None

    @property
    def cases(self) -> tuple[int, int]:
        first, second = (
            side.total if isinstance(side, Share) else side.cases
            for side in (self.first, self.second)
        )
        return int(first), int(second)

    @property
    def says(self) -> str:
        """The result: `higher` or `lower` (the first side), `open`, `few` or `none`."""
        if self.tested.value is None:
            return "none"
        if is_few(*self.cases):
            return "few"
        if self.corrected is None or self.corrected >= ALPHA:
            return "open"
        return "higher" if self.tested.value > 0 else "lower"

    @property
    def is_better(self) -> bool | None:
        """Whether the first is better; None if it is undecided."""
        if self.says not in ("higher", "lower"):
            return None
        return (self.says == "lower") == (self.measure.good == "low")


@dataclass(frozen=True, slots=True, kw_only=True)
class SameAnswers:
    """Answers that were checked in both ways, and those flagged by only one."""

    both: int
    only_first: int
    only_second: int
    p: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSides:
    """Two sides, measure by measure."""

    first: str
    second: str
    measures: list[Compared]
    same_answers: SameAnswers | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """All pairs of the chosen sides; `tests` is the number of corrected p-values."""

    by: str
    sides: list[ComparedSide]
    pairs: list[ComparedSides]
    tests: int


def compare(
    project: Project, window: Window, by: str, values: Sequence[str]
) -> Comparison:
    """Compare the newest answers of each side, at most MAX_SIDES of them.

    Args:
        project: The tenant.
        window: The answers to compare.
        by: One of `DIMENSIONS`.
        values: The sides, as in `offered`; duplicates count once.
    """
    distinct = list(dict.fromkeys(values))[:MAX_SIDES]
    rows = rows_by(project, window, by)
    sides = [_side(rows, value) for value in distinct]
    pairs = [_pair(first, second) for first, second in combinations(sides, 2)]
    if by in PAIRED:
        pairs = [replace(p, same_answers=_same_answers(rows, p)) for p in pairs]
    corrected = holm([m.tested.p for pair in pairs for m in pair.measures])
    left = iter(corrected)
    return Comparison(
        by=by,
        sides=sides,
        pairs=[
            replace(p, measures=[replace(m, corrected=next(left)) for m in p.measures])
            for p in pairs
        ],
        tests=sum(1 for p in corrected if p is not None),
    )


def _pair(first: ComparedSide, second: ComparedSide) -> ComparedSides:
    measures = []
    for measure in MEASURES:
        groups = first.groups[measure.name], second.groups[measure.name]
        tested = (
            compare_shares(_difference(*groups))
            if measure.unit == "share"
            else compare_means(*groups)
        )
        measures.append(
            Compared(
                measure=measure,
                first=first.figure(measure),
                second=second.figure(measure),
                tested=tested,
            )
        )
    return ComparedSides(first=first.value, second=second.value, measures=measures)


def _difference(
    first: list[tuple[int, int]], second: list[tuple[int, int]]
) -> ShareDifference:
    """Return the difference; cases are independent if no session has two."""
    if any(cases > 1 for _, cases in [*first, *second]):
        return ShareDifference.of_groups(first, second)
    return ShareDifference(first=Share.of_groups(first), second=Share.of_groups(second))


def _side(rows: QuerySet[Any], value: str) -> ComparedSide:
    chosen = newest_ids(rows.filter(side=value))
    sessions = list(_sessions(Verification.objects.filter(pk__in=chosen)))
    return ComparedSide(
        value=value,
        answers=sum(row["answers"] for row in sessions),
        sessions=len(sessions),
        groups={
            measure.name: [
                (row[measure.hits] or 0, row[measure.cases])
                for row in sessions
                if row[measure.cases]
            ]
            for measure in MEASURES
        },
    )


def _sessions(rows: QuerySet[Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the sums of each session's answers."""
    facts = _with_facts(rows)
    first = Q(is_retry=False)
    yield from (
        facts.values("session_or_answer")
        .annotate(
            answers=Count("pk"),
            flagged=Count("pk", filter=FLAGGED),
            invented=Count("pk", filter=Q(invents=True)),
            decided=Count("pk", filter=_DECIDED),
            wrong=Count("pk", filter=_WRONG),
            overridden=Count("pk", filter=_OVERRIDDEN),
            firsts=Count("pk", filter=first),
            first_accepted=Count("pk", filter=first & Q(verdict=Verdict.ACCEPT)),
            retries=Count("pk", filter=~first),
            run_cost=Sum("interaction__run_cost_microdollars"),
            run_costs=Count("interaction__run_cost_microdollars"),
            check_cost=Sum("paid"),
            check_costs=Count("paid"),
            check_ms=Sum("duration_ms"),
            timed=Count("duration_ms"),
        )
        .order_by("session_or_answer")
    )


def _with_facts(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return for each verification: retry, inventions, and cost."""
    earlier = Interaction.objects.filter(
        project=OuterRef("project"),
        client_id=OuterRef("interaction__parent"),
        task=OuterRef("interaction__task"),
        created_at__lte=OuterRef("interaction__created_at"),
    )
    invented = MentionVerdict.objects.filter(
        Q(human_status=MentionStatus.UNVERIFIED)
        | Q(human_status="", status=MentionStatus.UNVERIFIED),
        MentionVerdict.COUNTED,
        verification=OuterRef("pk"),
    )
    paid = (
        ModelCall.objects.filter(
            verification_id=OuterRef("pk"), cost_microdollars__isnull=False
        )
        .order_by()
        .values("verification_id")
        .annotate(cost=Sum("cost_microdollars"))
        .values("cost")
    )
    annotated: QuerySet[Any] = rows.annotate(
        is_retry=Exists(earlier),
        invents=Exists(invented),
        paid=Cast(Subquery(paid), BigIntegerField()),
        session_or_answer=Coalesce(
            Cast("interaction__session_id", CharField()),
            Cast("interaction_id", CharField()),
        ),
    )
    return annotated


def _same_answers(rows: QuerySet[Any], pair: ComparedSides) -> SameAnswers:
    flagged = Case(When(FLAGGED, then=True), default=False)
    first, second = (
        dict(
            newest(rows.filter(side=value))
            .annotate(is_flagged=flagged)
            .values_list("interaction_id", "is_flagged")
        )
        for value in (pair.first, pair.second)
    )
    both = first.keys() & second.keys()
    only_first = sum(1 for key in both if first[key] and not second[key])
    only_second = sum(1 for key in both if second[key] and not first[key])
    return SameAnswers(
        both=len(both),
        only_first=only_first,
        only_second=only_second,
        p=paired_p(only_first, only_second),
    )

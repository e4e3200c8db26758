"""Agreement of a project's reviewers, from answers with several judges."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from uuid import UUID

from django.db.models import Q, QuerySet

from verifyhub.accounts.models import User
from verifyhub.common.shares import Share
from verifyhub.review.agreement.coefficients import (
    Coefficient,
    cohen,
    fleiss,
    krippendorff,
)
from verifyhub.review.gold import gold_judges, gold_share
from verifyhub.review.models import Judgement, ReviewItem
from verifyhub.review.queue import KIND_NAMES

# The newest items: older ones say little about current judgements, and bootstrapping
# more rows would delay the page.
MOST_ITEMS = 500
FINAL = "final verdict"


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """An item with several judgements, and its final decision.

    Attributes:
        verdicts: The verdicts by reviewer's id.
        final: The final verdict; empty while it is disputed.
    """

    item: ReviewItem
    verdicts: dict[int, str]
    final: str

    @property
    def differ(self) -> bool:
        """Whether any two verdicts differ."""
        return len(set(self.verdicts.values())) > 1


@dataclass(frozen=True, slots=True)
class ReviewerPair:
    """Two reviewers and Cohen's kappa between them."""

    first: User
    second: User
    kappa: Coefficient


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """Items with one reason, and Krippendorff's alpha over them."""

    kind: str
    words: str
    alpha: Coefficient


@dataclass(frozen=True, slots=True)
class ReviewerRow:
    """The agreement of one reviewer with final verdicts and with gold.

    Attributes:
        kappa: Cohen's kappa between the reviewer and the final verdicts.
        final: Share of verdicts equal to the final one.
        gold: Share of correctly judged gold.
    """

    person: User
    kappa: Coefficient
    final: Share
    gold: Share


@dataclass(frozen=True, slots=True)
class Agreement:
    """The context of the agreement page."""

    items: list[JudgedItem]
    alpha: Coefficient
    kappa: Coefficient
    pairs: list[ReviewerPair]
    reasons: list[ReasonRow]
    reviewers: list[ReviewerRow]


# Judgements that need not be hidden: all have judged, or there is one judge.
TOLD = Q(state=Judgement.State.GIVEN) & (
    ~Q(item__state=ReviewItem.State.OPEN)
    | Q(item__disputed_at__isnull=False)
    | Q(kind=Judgement.Kind.GOLD)
)


def complete(judgements: QuerySet[Judgement]) -> QuerySet[Judgement]:
    """Keep the judgements that need not be hidden."""
    return judgements.filter(TOLD, kind=Judgement.Kind.REVIEW)


def judged_items(project_id: UUID) -> list[JudgedItem]:
    """Return the newest items with two or more judgements, newest first."""
    rows = (
        _newest(project_id)
        .select_related("item__interaction")
        .defer("item__interaction__answer_text", "decision")[: MOST_ITEMS * 10]
    )
    verdicts_of: dict[UUID, dict[int, str]] = defaultdict(dict)
    items = {}
    for row in rows:
        items[row.item_id] = row.item
        verdicts_of[row.item_id][row.reviewer_id] = row.verdict
    judged = [
        JudgedItem(items[key], verdicts, items[key].human_verdict)
        for key, verdicts in verdicts_of.items()
        if len(verdicts) > 1
    ]
    return judged[:MOST_ITEMS]


def ratings_of(project_id: UUID) -> list[dict[int, str]]:
    """Return the judgements of the items of `judged_items`, without the items."""
    verdicts_of: dict[UUID, dict[int, str]] = defaultdict(dict)
    rows = _newest(project_id).values_list("item_id", "reviewer_id", "verdict")
    for item, reviewer, verdict in rows[: MOST_ITEMS * 10]:
        verdicts_of[item][reviewer] = verdict
    ratings = [verdicts for verdicts in verdicts_of.values() if len(verdicts) > 1]
    return ratings[:MOST_ITEMS]


def _newest(project_id: UUID) -> QuerySet[Judgement]:
    return (
        complete(Judgement.objects.filter(project_id=project_id))
        .filter(item__reviews_wanted__gt=1)
        .order_by("-given_at", "-id")
    )


def people_of(items: Sequence[JudgedItem]) -> dict[int, User]:
    """Return everybody who judged one of the items, by id, ordered by name."""
    ids = {person for item in items for person in item.verdicts}
    people = User.objects.filter(pk__in=ids).order_by("username")
    return {user.pk: user for user in people}


def agreement(project_id: UUID) -> Agreement:
    """Compute all measures of agreement of a project's reviewers for the page."""
    items = judged_items(project_id)
    people = people_of(items)
    ratings = [item.verdicts for item in items]
    return Agreement(
        items=items,
        alpha=krippendorff(ratings),
        kappa=fleiss(ratings),
        pairs=[
            ReviewerPair(people[a], people[b], kappa)
            for a, b in combinations(people, 2)
            if (kappa := cohen(ratings, a, b)).n
        ],
        reasons=_by_reason(items),
        reviewers=[
            reviewer_row(project_id, person, items)
            for person in {**people, **gold_judges(project_id)}.values()
        ],
    )


def reviewer_row(
    project_id: UUID, person: User, items: Sequence[JudgedItem]
) -> ReviewerRow:
    """Compare one reviewer with final verdicts and gold."""
    settled = [
        {"person": item.verdicts[person.pk], FINAL: item.final}
        for item in items
        if item.final and person.pk in item.verdicts
    ]
    agreed = sum(row["person"] == row[FINAL] for row in settled)
    return ReviewerRow(
        person=person,
        kappa=cohen(settled, "person", FINAL),
        final=Share(count=agreed, total=len(settled)),
        gold=gold_share(project_id, person),
    )


def disagreements(
    items: Sequence[JudgedItem], *, people: Sequence[int] = (), reason: str = ""
) -> list[JudgedItem]:
    """Return the items to which these people, or any two, gave different verdicts."""
    differing = []
    for item in items:
        verdicts = {
            who: verdict
            for who, verdict in item.verdicts.items()
            if not people or who in people
        }
        if len(people) == 1 and item.final:
            verdicts[0] = item.final
        if len(set(verdicts.values())) < 2:
            continue
        if not reason or reason in item.item.reason_kinds:
            differing.append(item)
    return differing


def _by_reason(items: Sequence[JudgedItem]) -> list[ReasonRow]:
    by_kind: dict[str, list[dict[int, str]]] = defaultdict(list)
    for item in items:
        for kind in item.item.reason_kinds:
            by_kind[kind].append(item.verdicts)
    return [
        ReasonRow(kind, str(KIND_NAMES.get(kind, kind)), krippendorff(by_kind[kind]))
        for kind in sorted(by_kind, key=lambda kind: (-len(by_kind[kind]), kind))
    ]

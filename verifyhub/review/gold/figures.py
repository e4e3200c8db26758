"""Metrics of gold, and who may see them."""

from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from verifyhub.accounts.models import Project, User
from verifyhub.common.shares import Share
from verifyhub.review.gold.handing_out import keeps_gold
from verifyhub.review.models import GoldItem, GoldSeed, Judgement, ReviewItem
from verifyhub.review.models.gold import GoldQuerySet


def gold_items(project: Project) -> QuerySet[GoldItem]:
    """Return all gold of a project, including retired, newest first."""
    return (
        GoldItem.objects.filter(project=project)
        .select_related("item__interaction", "marked_by")
        .defer("item__interaction__answer_text")
        .order_by("-created_at", "-id")
    )


def gold_share(project_id: UUID, person: User) -> Share:
    """Count the gold that a reviewer judged, and judged correctly."""
    judged = GoldSeed.objects.filter(
        project_id=project_id, reviewer=person, judgement__isnull=False
    ).values_list("gold__verdict", "judgement__verdict")
    right = sum(true == given for true, given in judged)
    return Share(count=right, total=len(judged))


def gold_judged(gold: GoldItem) -> Share:
    """Count the reviewers who judged an item of gold, and judged it correctly."""
    judged = gold.seeds.filter(judgement__isnull=False)
    verdicts = list(judged.values_list("judgement__verdict", flat=True))
    return Share(count=verdicts.count(gold.verdict), total=len(verdicts))


def gold_judges(project_id: UUID) -> dict[int, User]:
    """Return everybody who judged gold, by id."""
    judged = GoldSeed.objects.filter(project_id=project_id, judgement__isnull=False)
    people = User.objects.filter(pk__in=judged.values("reviewer"))
    return {user.pk: user for user in people}


@dataclass(frozen=True, slots=True)
class KnownGold:
    """The gold that a viewer may know: empty for those whom it measures.

    Attributes:
        items: Active gold, with its correct verdicts.
        judgements: The reviewers' judgements of gold.
    """

    items: GoldQuerySet
    judgements: QuerySet[Judgement]
    is_secret: bool

    def answers(self) -> QuerySet[GoldItem, UUID]:
        """Return the ids of the answers that are active gold."""
        active = self.items.active(timezone.now())
        return active.values_list("item__interaction_id", flat=True)

    def shown(self, items: QuerySet[ReviewItem]) -> QuerySet[ReviewItem]:
        """Keep the items that the viewer may know."""
        return items.exclude(state=ReviewItem.State.GOLD) if self.is_secret else items


def known_gold(project_id: UUID, viewer: User | None) -> KnownGold:
    """Return the gold that a viewer may know: all for those who manage it, or none."""
    items = GoldItem.objects.filter(project_id=project_id, retired_at=None)
    judgements = Judgement.objects.filter(
        project_id=project_id, kind=Judgement.Kind.GOLD, state=Judgement.State.GIVEN
    )
    if viewer is not None and keeps_gold(project_id, viewer):
        return KnownGold(items, judgements, is_secret=False)
    return KnownGold(items.none(), judgements.none(), is_secret=True)

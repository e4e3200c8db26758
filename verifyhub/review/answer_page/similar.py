"""Answers similar to this one, with their decisions.

Three kinds of similarity, each a bounded read of an index: the same name not found, the
same agent flagged for the same reasons, and a similar task. The answer itself is never
included, so that blind reviews stay blind.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.contrib.postgres.search import TrigramSimilarity
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from verifyhub.common.prepared import PreparedQuery
from verifyhub.ingest.models import Interaction
from verifyhub.learning.excerpts import answer_excerpt, likeness_of, task_excerpt
from verifyhub.learning.models import LabelledExample
from verifyhub.learning.selectors.examples import nearest_first
from verifyhub.review.answer_page.marks import NameMark
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.queue import DECIDED, runs_without_evidence
from verifyhub.verification.models import MentionVerdict

SHOWN = 6
# Names, and answers read for each of them.
NAMES, PER_NAME = 8, 40
# The newest decisions among which those on the same agent are selected.
NEWEST_DECIDED = 400
NEAREST = 12
# The share of common trigrams from which tasks are similar (pg_trgm's default).
LIKE = 0.3
COUNTED = 1_000


@dataclass(slots=True)
class Similar:
    """A similar answer, the kind of similarity, and its decision."""

    item: ReviewItem
    why: list[str]
    decision: Override | None = None
    overrides: list[Override] = field(default_factory=list)


def similar_context(
    interaction: Interaction, item: ReviewItem | None, names: Sequence[NameMark]
) -> dict[str, Any]:
    """Return similar answers, and the number of open ones."""
    why: dict[UUID, list[str]] = {}
    for item_id, word in _likenesses(interaction, item, names):
        words = why.setdefault(item_id, [])
        if word not in words:
            words.append(word)
    return {
        "similar": _shown(interaction, why),
        "open_alike": _open_alike(interaction, item),
        "open_reason": _main_reason(item),
        "open_at_most": COUNTED,
    }


def decisions_on_name(
    interaction: Interaction, name: NameMark, *, hidden: Collection[UUID]
) -> list[Override]:
    """Return people's decisions on a name in other answers, newest first.

    Those on hidden items are left out: gold that measures the viewer.
    """
    if name.row is None:
        return []
    return _DECISIONS_ON_NAME(
        project=interaction.project_id,
        answer=interaction.pk,
        kind=name.row.kind,
        key=name.row.key,
        hidden=list(hidden),
    )


def _decisions_on_name(
    project: Any, answer: Any, kind: Any, key: Any, hidden: Any
) -> QuerySet[Override]:
    judged = (
        MentionVerdict.objects.filter(project=project, kind=kind, key=key)
        .exclude(human_status="")
        .values("id")[:PER_NAME]
    )
    return (
        Override.objects.filter(mention__in=judged, undone_at=None)
        .exclude(item__interaction=answer)
        .exclude(item__any_of=hidden)
        .select_related("reviewer", "api_key", "mention", "item__interaction")
        .defer("item__interaction__answer_text")
        .order_by("-created_at", "id")[:SHOWN]
    )


_DECISIONS_ON_NAME = PreparedQuery(_decisions_on_name)


def _likenesses(
    interaction: Interaction, item: ReviewItem | None, names: Sequence[NameMark]
) -> Iterator[tuple[UUID, str]]:
    for pk in _with_names(interaction, names):
        yield pk, _("names the same thing that was not found")
    if item is not None and item.reason_kinds:
        for pk in _of_agent(interaction, item):
            yield pk, _("same agent, same reasons")
    for pk in _with_task(interaction):
        yield pk, _("a task like this one")


def _with_names(interaction: Interaction, names: Sequence[NameMark]) -> Iterable[UUID]:
    flagged = [name.row for name in names if name.row and name.tone == "unverified"]
    if not flagged:
        return []
    runs = runs_without_evidence(
        interaction.project_id,
        [(row.kind, row.key) for row in flagged[:NAMES]],
        rows=PER_NAME,
    )
    others = _others(interaction).filter(verification__in=runs)
    return others.values_list("pk", flat=True)


def _of_agent(interaction: Interaction, item: ReviewItem) -> Iterable[UUID]:
    newest = (
        ReviewItem.objects.filter(
            project_id=interaction.project_id,
            resolved_at__isnull=False,
            state__in=DECIDED,
        )
        .order_by("-resolved_at", "id")
        .values("pk")[:NEWEST_DECIDED]
    )
    return (
        _others(interaction)
        .filter(
            pk__in=newest,
            agent_name=interaction.agent_name,
            reason_kinds__overlap=item.reason_kinds,
        )
        .order_by("-resolved_at", "id")
        .values_list("pk", flat=True)[:SHOWN]
    )


def _with_task(interaction: Interaction) -> Iterable[UUID]:
    text = likeness_of(
        task_excerpt(interaction.task), answer_excerpt(interaction.answer)
    )
    rows = LabelledExample.objects.filter(
        project_id=interaction.project_id, active=True
    )
    near = nearest_first(rows, text).values("interaction_id", "task_excerpt")[:NEAREST]
    similar = [
        row["interaction_id"]
        for row in near.annotate(
            share=TrigramSimilarity("task_excerpt", task_excerpt(interaction.task))
        )
        if row["share"] >= LIKE
    ]
    return (
        _others(interaction)
        .filter(interaction__in=similar)
        .values_list("pk", flat=True)
    )


def _others(interaction: Interaction) -> QuerySet[ReviewItem]:
    return (
        ReviewItem.objects.filter(project_id=interaction.project_id)
        .exclude(interaction=interaction)
        .exclude(state=ReviewItem.State.SUPERSEDED)
    )


def _shown(interaction: Interaction, why: dict[UUID, list[str]]) -> list[Similar]:
    """Select the most similar, decided ones first, with their decisions."""
    items = list(
        _others(interaction)
        .filter(pk__in=why)
        .select_related("interaction", "resolved_by", "resolved_by_key")
        .defer("interaction__answer_text")
        .order_by("-created_at", "id")
    )
    items.sort(key=lambda item: (item.state not in DECIDED, -len(why[item.pk])))
    shown = {item.pk: Similar(item, why[item.pk]) for item in items[:SHOWN]}
    overrides = (
        Override.objects.filter(item__in=shown, undone_at=None)
        .select_related("reviewer", "api_key", "mention")
        .order_by("-created_at", "id")[: SHOWN * 10]
    )
    for override in overrides:
        similar = shown[override.item_id]
        if override.target in Override.SETTLING:
            similar.decision = similar.decision or override
        elif override.target == Override.Target.MENTION:
            similar.overrides.append(override)
    return list(shown.values())


def _main_reason(item: ReviewItem | None) -> str:
    return item.reason_kinds[0] if item is not None and item.reason_kinds else ""


def _open_alike(interaction: Interaction, item: ReviewItem | None) -> int:
    """Count open items of the same agent with the same main reason, up to a limit."""
    reason = _main_reason(item)
    if not reason:
        return 0
    alike = _others(interaction).filter(
        state=ReviewItem.State.OPEN,
        agent_name=interaction.agent_name,
        reason_kinds__contains=[reason],
    )
    return alike[:COUNTED].count()

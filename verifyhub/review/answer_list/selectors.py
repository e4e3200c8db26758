"""Reads of the list of answers."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db.models import OuterRef, QuerySet, Subquery

from verifyhub.accounts.models import User
from verifyhub.ingest.models import Interaction
from verifyhub.review.answer_list.decision_filters import by_decisions
from verifyhub.review.answer_list.filters import by_people, narrowed
from verifyhub.review.answer_list.report_filters import finished
from verifyhub.review.models import ReviewItem
from verifyhub.review.visibility import handed_items
from verifyhub.verification.models import Verification


def answers(
    project_id: UUID,
    filters: Mapping[str, Any],
    viewer: User | None = None,
    *,
    read: int | None = None,
) -> QuerySet[Interaction]:
    """Return the interactions of a project, newest first, with their newest state.

    Filters by decisions use those that the viewer may know.

    Each has `state` of its latest verification; `verdict`, `confidence`, `run_id` and
    `unverified` of the latest finished one; and `review_state` and `human_verdict` of
    the latest item.

    Args:
        project_id: The tenant.
        filters: Cleaned data of `AnswerFilterForm`; empty values do not filter.
        viewer: The viewer; None for a program.
        read: How many of the newest answers' reports may be read; None for all.
    """
    latest = Verification.objects.filter(interaction=OuterRef("pk")).order_by("-number")
    run = finished()
    item = ReviewItem.objects.filter(interaction=OuterRef("pk")).order_by(
        "-verification__number"
    )
    rows = (
        Interaction.objects.filter(project_id=project_id)
        .select_related("session")
        .defer("answer_text")
        .annotate(
            state=Subquery(latest.values("state")[:1]),
            verdict=Subquery(run.values("verdict")[:1]),
            confidence=Subquery(run.values("confidence")[:1]),
            run_id=Subquery(run.values("pk")[:1]),
            unverified=Subquery(run.values("unverified_count")[:1]),
            review_state=Subquery(item.values("state")[:1]),
            human_verdict=Subquery(item.values("human_verdict")[:1]),
        )
    )
    rows = narrowed(rows, project_id, filters, read=read)
    rows = by_decisions(rows, project_id, filters, viewer)
    if filters.get("person") or filters.get("overridden"):
        handed = handed_items(project_id, viewer) if viewer else []
        rows = by_people(rows, project_id, filters, handed)
    return rows.order_by("-created_at", "-id")


def decider(project_id: UUID, decider: str) -> str:
    """Return the name of a person or key that decided in a project; may be empty.

    Args:
        project_id: The tenant.
        decider: `user` and a number, or `key` and an id.
    """
    kind, _, who = decider.partition(" ")
    if not who:
        return ""
    items = ReviewItem.objects.filter(project_id=project_id).select_related(
        "resolved_by", "resolved_by_key"
    )
    by = {"resolved_by_id": who} if kind == "user" else {"resolved_by_key_id": who}
    item = items.filter(**by).exclude(state=ReviewItem.State.OPEN).first()
    return item.resolver if item else decider

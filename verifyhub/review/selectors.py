"""Reads of the queue, of the answers, and of what people decided."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count, F, OuterRef, QuerySet, Subquery, TextField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, Left, Length
from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.review.answer_filters import by_people, narrowed
from verifyhub.review.decision_filters import by_decisions
from verifyhub.review.models import Act, ActMember, Override, ReviewItem
from verifyhub.review.queue_filters import all_with_text, matching, ordered
from verifyhub.review.report_filters import finished
from verifyhub.review.seen import handed_items
from verifyhub.verification.models import Verification

# How much of a tool call the timeline shows before it is asked for, in characters.
PREVIEW_CHARACTERS = 400
# Keys of an input that tell what a call was about, the most telling first.
TELLING_KEYS = ("command", "file_path", "pattern", "query", "url", "path")
HEAVY = ("interaction__answer", "verification__report")
AGENTS_SHOWN = 200
# From name to name along the index: `DISTINCT` would read every answer of the project.
AGENTS = """
WITH RECURSIVE named(agent) AS (
    SELECT min(agent_name) FROM ingest_interaction
    WHERE project_id = %(project)s AND agent_name <> ''
    UNION ALL
    SELECT (
        SELECT min(agent_name) FROM ingest_interaction
        WHERE project_id = %(project)s AND agent_name <> '' AND agent_name > named.agent
    ) FROM named WHERE named.agent IS NOT NULL
)
SELECT agent FROM named WHERE agent IS NOT NULL LIMIT %(limit)s
"""


def queue(
    project_id: UUID, filters: Mapping[str, Any], user: User | None = None
) -> QuerySet[ReviewItem]:
    """Return every item that the queue's filters hold, in its order.

    The list itself shows pages of it (`queue_selectors.queue_page`), whose search for
    words goes from window to window; here all texts are read.

    Args:
        project_id: The tenant.
        filters: Cleaned data of `QueueFilterForm`; empty values do not filter.
        user: Who `me` is among the assignees.
    """
    items = matching(project_id, filters, now=timezone.now(), user=user)
    if text := filters.get("text"):
        items = all_with_text(items, str(text))
    shown = items.select_related("interaction", "verification", "resolved_by")
    return ordered(shown.defer(*HEAVY), filters)


def answers(
    project_id: UUID,
    filters: Mapping[str, Any],
    viewer: User | None = None,
    *,
    read: int | None = None,
) -> QuerySet[Interaction]:
    """Return every interaction of a project, newest first, with its newest state.

    What people did is asked as the viewer may know it; a program is handed no gold.

    Each carries `state` of its latest verification, `verdict`, `confidence` and
    `unverified` of the latest that finished, and `review_state` and `human_verdict` of
    the latest item.

    Args:
        project_id: The tenant.
        filters: Cleaned data of `AnswerFilterForm`; empty values do not filter.
        viewer: Who asks; None for a program.
        read: Of how many of the newest answers reports may be opened; None for all.
    """
    latest = Verification.objects.filter(interaction=OuterRef("pk")).order_by("-number")
    run = finished()
    item = ReviewItem.objects.filter(interaction=OuterRef("pk")).order_by(
        "-verification__number"
    )
    found = (
        Interaction.objects.filter(project_id=project_id)
        .select_related("session")
        .defer("answer")
        .annotate(
            state=Subquery(latest.values("state")[:1]),
            verdict=Subquery(run.values("verdict")[:1]),
            confidence=Subquery(run.values("confidence")[:1]),
            unverified=Subquery(run.values("unverified_count")[:1]),
            review_state=Subquery(item.values("state")[:1]),
            human_verdict=Subquery(item.values("human_verdict")[:1]),
        )
    )
    found = narrowed(found, project_id, filters, read=read)
    found = by_decisions(found, project_id, filters, viewer)
    if filters.get("person") or filters.get("overridden"):
        handed = handed_items(project_id, viewer) if viewer else []
        found = by_people(found, project_id, filters, handed)
    return found.order_by("-created_at", "-id")


def agents(project_id: UUID) -> list[str]:
    """Names of the agents that have answered, for the filter, at most 200."""
    with connection.cursor() as cursor:
        cursor.execute(AGENTS, {"project": project_id, "limit": AGENTS_SHOWN})
        return [row[0] for row in cursor.fetchall()]


def decider(project_id: UUID, decider: str) -> str:
    """Name the person or key that decided in a project; empty where nobody did.

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
    made = items.filter(**by).exclude(state=ReviewItem.State.OPEN).first()
    return made.resolver if made else decider


def interaction(project_id: UUID, interaction_id: UUID) -> Interaction | None:
    """Return one interaction of a project, with its session and key."""
    return (
        Interaction.objects.filter(project_id=project_id, id=interaction_id)
        .select_related("session", "api_key", "project")
        .first()
    )


def report_of(run: Verification) -> dict[str, Any]:
    """Return the report of a finished verification.

    Raises:
        ValueError: If it has not finished.
    """
    if run.report is None:
        raise ValueError(f"{run} has no report")
    return dict(run.report)


def runs(interaction: Interaction) -> list[Verification]:
    """All verifications of an interaction, newest first, without their reports."""
    return list(
        Verification.objects.filter(
            project_id=interaction.project_id, interaction=interaction
        )
        .defer("report")
        .order_by("-number")
    )


def decisions(item: ReviewItem) -> list[Override]:
    """Every override of an item, undone ones too, newest first."""
    return list(
        item.overrides.select_related(
            "reviewer", "api_key", "undone_by", "undone_by_key", "mention", "act"
        ).order_by("-created_at", "-id")
    )


def claim_words(made: Iterable[Override]) -> dict[int, Override]:
    """Return the standing word of each claim of work, by its index.

    Args:
        made: Decisions of one item, newest first.
    """
    standing = [
        each
        for each in made
        if each.target == Override.Target.CLAIM and each.undone_at is None
    ]
    return {
        each.subject["index"]: each
        for each in reversed(standing)
        if "index" in each.subject
    }


def quoted(verification: Verification) -> dict[str, Any]:
    """Return what people said of an answer's claims, what they added and corrected.

    Only what stands, and of several words about one thing the latest.
    """
    target = Override.Target
    standing = list(
        Override.objects.filter(
            item__verification=verification,
            target__in=[target.CLAIM, target.MISSED, target.ANSWER],
            undone_at=None,
        ).order_by("created_at", "id")
    )
    claims = {
        made.subject["index"]: made
        for made in standing
        if made.target == target.CLAIM and "index" in made.subject
    }
    corrections = [made.text for made in standing if made.target == target.ANSWER]
    return {
        "claims": [
            {
                "index": index,
                "text": claims[index].subject["text"],
                "machine_status": claim["status"],
                "human_status": claims[index].after,
            }
            for index, claim in enumerate(
                report_of(verification).get("completion_claims", [])
            )
            if index in claims
        ],
        "facts": [
            {
                "index": row.index,
                "text": row.text,
                "machine_status": row.status,
                "human_status": row.human_status,
            }
            for row in verification.claims.exclude(human_status="").order_by("index")
        ],
        "missed": [
            {
                "text": made.subject["text"],
                "kind": made.subject["kind"],
                "human_status": made.after,
                "suggestion": made.subject.get("suggestion", ""),
                "span": made.subject["span"],
            }
            for made in standing
            if made.target == target.MISSED
        ],
        "correction": corrections[-1] if corrections else None,
    }


def member_counts(act: Act) -> dict[str, int]:
    """Count the answers of an act on many by state, states without any too."""
    counts = dict.fromkeys(ActMember.State.values, 0)
    rows = act.members.order_by().values_list("state").annotate(n=Count("id"))
    return counts | dict(rows)


def timeline(interaction: Interaction) -> QuerySet[ToolCall]:
    """Return the tool calls in order, with the beginnings of their texts alone.

    Each carries `output_length` and `input_length` in characters, `output_start`,
    `input_start`, and `gist`: what the call was about, where the tool is a usual one.
    """
    return (
        ToolCall.objects.filter(
            project_id=interaction.project_id, interaction=interaction
        )
        .alias(input_text=Cast("input", TextField()))
        .annotate(
            output_length=Length("output"),
            output_start=Left("output", PREVIEW_CHARACTERS),
            gist=Left(
                Coalesce(*(KT(f"input__{key}") for key in TELLING_KEYS)),
                PREVIEW_CHARACTERS,
            ),
            input_length=Length(F("input_text")),
            input_start=Left(F("input_text"), PREVIEW_CHARACTERS),
        )
        .defer("output", "input")
        .order_by("index")
    )


def calls(interaction: Interaction, indexes: set[int]) -> dict[int, ToolCall]:
    """Return the tool calls that evidence points at, whole, by index."""
    found = ToolCall.objects.filter(
        project_id=interaction.project_id, interaction=interaction, index__in=indexes
    )
    return {call.index: call for call in found}

"""Reads of queue items, answers and decisions."""

import re
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Count, Q

from verifyhub.common.http import or_404
from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import Act, ActMember, Override, ReviewItem
from verifyhub.verification.models import Verification

# The beginning of a UUID; fewer than four digits may be a word.
ID_START = re.compile(r"[0-9a-f]{4}[0-9a-f-]*", re.IGNORECASE)
UUID_DIGITS = 32


_ANSWER = PreparedQuery(
    lambda project, answer: Interaction.objects.select_related(
        "session", "api_key", "project"
    ).filter(project=project, id=answer)
)
_RUNS = PreparedQuery(
    lambda project, answer: (
        Verification.objects.filter(project=project, interaction=answer)
        .defer("report")
        .order_by("-number")
    )
)
_OVERRIDES = PreparedQuery(
    lambda item: (
        Override.objects.filter(item=item)
        .select_related(
            "reviewer", "api_key", "undone_by", "undone_by_key", "mention", "act"
        )
        .order_by("-created_at", "-id")
    )
)


def interaction_of(project_id: UUID, interaction_id: UUID) -> Interaction:
    """Return one interaction of a project, with its session and key.

    Raises:
        Http404: If the project has none with this id.
    """
    return or_404(_ANSWER.first(project=project_id, answer=interaction_id))


def holds_text(text: str) -> Q:
    """Return a filter for interactions by text in task or answer, or by id prefix.

    Args:
        text: The text; case is ignored in task and answer.
    """
    condition = Q(task__icontains=text) | Q(answer_text__icontains=text)
    condition |= Q(client_id__startswith=text)
    digits = text.replace("-", "").lower()
    if ID_START.fullmatch(text) and len(digits) <= UUID_DIGITS:
        first, last = (UUID(digits.ljust(UUID_DIGITS, fill)) for fill in "0f")
        condition |= Q(pk__range=(first, last))
    return condition


def report_of(run: Verification) -> VerificationReport:
    """Return the report of a finished verification.

    Raises:
        ValueError: If it has not finished.
    """
    if run.report is None:
        raise ValueError(f"{run} has no report")
    return run.verdict_object


def runs_of(interaction: Interaction) -> list[Verification]:
    """Return all verifications of an interaction, newest first, without reports."""
    return _RUNS(project=interaction.project_id, answer=interaction.pk)


def decisions(item: ReviewItem) -> list[Override]:
    """Every override of an item, undone ones too, newest first."""
    overrides = _OVERRIDES(item=item.pk)
    for override in overrides:
        override.item = item
    return overrides


def latest_overrides(overrides: Iterable[Override], target: str) -> dict[int, Override]:
    """Return the current override of each claim of work, or of each value, by index.

    Args:
        overrides: Overrides of one item, newest first.
        target: The kind of their targets.
    """
    active = [
        override
        for override in overrides
        if override.target == target and override.undone_at is None
    ]
    return {
        override.subject["index"]: override
        for override in reversed(active)
        if "index" in override.subject
    }


def quoted(verification: Verification) -> dict[str, Any]:
    """Return people's current decisions on an answer's claims, additions, corrections.

    Of several decisions on one target the latest counts.
    """
    target = Override.Target
    active = list(
        Override.objects.filter(
            item__verification=verification,
            target__in=[target.CLAIM, target.MISSED, target.ANSWER],
            undone_at=None,
        ).order_by("created_at", "id")
    )
    claims = {
        override.subject["index"]: override
        for override in active
        if override.target == target.CLAIM and "index" in override.subject
    }
    corrections = [
        override.text for override in active if override.target == target.ANSWER
    ]
    return {
        "claims": [
            {
                "index": index,
                "text": claims[index].subject["text"],
                "machine_status": str(claim.status),
                "human_status": claims[index].after,
            }
            for index, claim in enumerate(report_of(verification).completion_claims)
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
                "text": override.subject["text"],
                "kind": override.subject["kind"],
                "human_status": override.after,
                "suggestion": override.subject.get("suggestion", ""),
                "span": override.subject["span"],
            }
            for override in active
            if override.target == target.MISSED
        ],
        "correction": corrections[-1] if corrections else None,
    }


def member_counts(act: Act) -> dict[str, int]:
    """Count the answers of a bulk act by state, including empty states."""
    counts = dict.fromkeys(ActMember.State.values, 0)
    rows = act.members.order_by().values_list("state").annotate(n=Count("id"))
    return counts | dict(rows)

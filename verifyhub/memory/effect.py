"""Measure the effect of a constraint: its name in sessions with it, and in others."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.fields.json import KT

from verifyhub.common.shares import Share, ShareDifference
from verifyhub.ingest.models import Interaction
from verifyhub.learning.models import FeedbackKind, JudgedAnswer
from verifyhub.memory.models import Constraint, ContextDelivery
from verifyhub.memory.rates import sightings_of

# Answers of one comparison, the latest of its window: the confidence interval of a
# share over so many is within a percentage point.
MAX_ANSWERS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Shares of answers with the name, of sessions that received it and of others.

    Attributes:
        difference: The share with the constraint minus the share without; negative if
            the constraint helps. Its interval is clustered by session.
        sessions_told: How many sessions received it; an answer without a session
            counts as one.
        sessions_not_told: How many did not.
    """

    difference: ShareDifference
    sessions_told: int
    sessions_not_told: int

    @property
    def told(self) -> Share:
        return self.difference.first

    @property
    def not_told(self) -> Share:
        return self.difference.second


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintEffect:
    """The effect of a delivered constraint on answers that arrived in [since, until).

    Attributes:
        since: The first moment that counts (aware).
        until: The end of the window, exclusive (aware).
        arms: By the session's random arm in the experiment with constraints: the
            unbiased comparison.
        contexts: By whether the answer's context contained the constraint. Budget and
            task also decide what a context contains, so the groups may differ
            otherwise. Answers without a recorded context are left out.
    """

    since: datetime
    until: datetime
    arms: Sides
    contexts: Sides


def effect_in_force(
    constraint: Constraint, *, now: datetime
) -> ConstraintEffect | None:
    """Measure a constraint while it was active; None if it never was.

    Args:
        constraint: The constraint.
        now: The moment (aware).
    """
    if constraint.active_at is None:
        return None
    until = constraint.retired_at or now
    return effect_of(constraint, since=constraint.active_at, until=until)


def effect_of(
    constraint: Constraint, *, since: datetime, until: datetime
) -> ConstraintEffect:
    """Measure a constraint by a bounded number of the latest answers of a window.

    Args:
        constraint: The constraint.
        since: The first moment of arrival that counts (aware).
        until: The end of the window, exclusive (aware).
    """
    return ConstraintEffect(
        since=since,
        until=until,
        arms=_by_arm(constraint, since, until),
        contexts=_by_context(constraint, since, until),
    )


def _by_arm(constraint: Constraint, since: datetime, until: datetime) -> Sides:
    drawn = (
        JudgedAnswer.objects.filter(
            project_id=constraint.project_id,
            answered_at__gte=since,
            answered_at__lt=until,
        )
        .exclude(arms={})
        .order_by("-answered_at")
    )
    rows = JudgedAnswer.objects.filter(pk__in=drawn.values("pk")[:MAX_ANSWERS])
    sides = rows.annotate(side=KT(f"arms__{FeedbackKind.CONSTRAINTS}"))
    return _sides(constraint, sides, "session_key", told="false")


def _by_context(constraint: Constraint, since: datetime, until: datetime) -> Sides:
    answers = (
        Interaction.objects.filter(
            project_id=constraint.project_id,
            created_at__gte=since,
            created_at__lt=until,
        )
        .exclude(context_sha256="")
        .order_by("-created_at")
    )
    # The same text contains the same constraints, however often it was delivered.
    delivered = ContextDelivery.objects.filter(
        project_id=constraint.project_id, sha256=OuterRef("context_sha256")
    ).annotate(told=Q(constraint_ids__contains=[constraint.id]))
    rows = Interaction.objects.filter(pk__in=answers.values("pk")[:MAX_ANSWERS])
    sides = rows.annotate(side=Subquery(delivered.values("told")[:1]))
    return _sides(constraint, sides, "session_id", told=True)


def _sides(
    constraint: Constraint, rows: "QuerySet[Any]", session: str, *, told: object
) -> Sides:
    """Count answers by session and `side`; those without a side are left out."""
    sightings = sightings_of(constraint).filter(interaction_id=OuterRef("pk"))
    groups = (
        rows.annotate(seen=Exists(sightings))
        .values(session, "side")
        .annotate(hits=Count("pk", filter=Q(seen=True)), answers=Count("pk"))
        .order_by()
        .values_list(session, "side", "hits", "answers")
    )
    informed: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    for key, side, hits, answers in groups:
        if side is None:
            continue
        arm = informed if side == told else others
        if key:
            arm.append((hits, answers))
        else:
            # Each answer without a session is a group of its own.
            arm += [(1, 1)] * hits + [(0, 1)] * (answers - hits)
    return Sides(
        difference=ShareDifference.of_groups(informed, others),
        sessions_told=len(informed),
        sessions_not_told=len(others),
    )

"""Calculate what a constraint still needs before it is shared."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import CharField, Count, F, Q, QuerySet, Value
from django.db.models.functions import Cast, Coalesce, NullIf

from verifyhub.engine.memory.voices import people
from verifyhub.engine.reports import Status
from verifyhub.engine.thresholds import Thresholds
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting


class Alone(StrEnum):
    """The reason why all answers with a name count as one witness."""

    KEY = "key"
    OWNER = "owner"
    AGENT = "agent"
    DEPLOYMENT = "deployment"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintSupport:
    """The evidence for a constraint, and the evidence that the project requires.

    Attributes:
        answers: Answers of the last `rule.recurrence_days` that named it.
        sessions: Their sessions.
        witnesses: Their witnesses (`engine.memory.recurrence`).
        alone: Why they are one witness; None if there are several.
        said_by: The reviewers who shared with every session that the name is invented.
        people: The number of people among them.
        recurs_elsewhere: Whether a second session ever named it, so that one person
            fewer is enough.
        rule: The project's thresholds.
    """

    answers: int
    sessions: int
    witnesses: int
    alone: Alone | None
    said_by: tuple[str, ...]
    people: int
    recurs_elsewhere: bool
    rule: Thresholds

    @property
    def people_missing(self) -> int:
        """How many more people must confirm it, without other evidence."""
        needed = self.rule.confirming_people - self.recurs_elsewhere
        return max(1, needed - self.people)


def support_of(constraint: Constraint, *, now: datetime) -> ConstraintSupport:
    """Return the evidence for a constraint and the names merged into it.

    Args:
        constraint: The constraint.
        now: The moment (aware).
    """
    rule = Thresholds.with_overrides(constraint.project.thresholds)
    counted = _counted(
        Sighting.objects.filter(
            Q(constraint=constraint) | Q(constraint__merged_into=constraint),
            counts=True,
            seen_at__gt=now - timedelta(days=rule.recurrence_days),
        )
    )
    by = {kind: counted[kind.value] for kind in Alone}
    witnesses = min(by.values())
    confirmations = _confirmations(constraint)
    return ConstraintSupport(
        answers=counted["answers"],
        sessions=counted["sessions"],
        witnesses=witnesses,
        alone=next((kind for kind in Alone if by[kind] == 1), None),
        said_by=tuple(dict.fromkeys(row.author for row in confirmations)),
        people=len(
            people(voice for row in confirmations for voice in row.voices or ())
        ),
        recurs_elsewhere=constraint.session_count >= 2,
        rule=rule,
    )


def _counted(sightings: QuerySet[Sighting]) -> dict[str, int]:
    key = Cast("api_key_id", CharField())
    owner = Cast("api_key__created_by_id", CharField())
    sent = ~Q(api_key=None)

    def witnesses_by(name: str) -> Count:
        value = Coalesce(NullIf(F(name), Value("")), key)
        return Count(value, filter=sent, distinct=True)

    return sightings.aggregate(
        answers=Count("interaction_id", distinct=True),
        sessions=Count("session_id", distinct=True),
        key=Count("api_key_id", distinct=True),
        owner=Count(Coalesce(owner, key), filter=sent, distinct=True),
        agent=witnesses_by("agent"),
        deployment=witnesses_by("deployment"),
    )


def _confirmations(constraint: Constraint) -> list[MemoryEntry]:
    rows = MemoryEntry.objects.filter(
        project_id=constraint.project_id,
        kind=MemoryEntry.Kind.CORRECTION,
        state__in=(MemoryEntry.State.ACTIVE, MemoryEntry.State.SUPERSEDED),
        mention_kind=constraint.mention_kind,
        mention_key=constraint.mention_key,
        mention_status=Status.UNVERIFIED,
    ).exclude(voices=[])
    return list(rows.order_by("created_at", "id"))

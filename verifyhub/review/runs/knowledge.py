"""Entries learned from each answer of a session, and the origin of an entry.

It joins memory with verdicts and decisions, so it is in a package above both.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
    Window,
)
from django.db.models.functions import Left, RowNumber

from verifyhub.accounts.models import Project, User
from verifyhub.audit.models import AuditEvent
from verifyhub.audit.selectors import history
from verifyhub.engine.reports import Evidence
from verifyhub.ingest.models import Interaction, Session
from verifyhub.memory.models import Constraint, ContextDelivery, MemoryEntry, Sighting
from verifyhub.review.models import Override
from verifyhub.review.runs.pages import TASK_CHARACTERS, newest_runs, sessions
from verifyhub.review.visibility import mask_runs, masked_items
from verifyhub.verification.models import MentionVerdict, Verification

# Entries of one answer in a list; a link leads to the rest.
MAX_LESSONS = 6
MAX_DELIVERIES = 50
MAX_HISTORY = 200
MAX_SUPERSEDING = 5
Kind = MemoryEntry.Kind
# People's decisions first, then wrong names, then right ones.
_ORDER = (Kind.CORRECTION, Kind.PREFERENCE, Kind.BLOCKER, Kind.GAP, Kind.FINDING)


def known_sessions(project: Project, filters: Mapping[str, Any]) -> QuerySet[Any]:
    """Return a project's sessions, the last active first.

    Args:
        project: The tenant.
        filters: Cleaned data of `SessionFilterForm`; empty values do not filter.
    """
    rows: QuerySet[Any] = sessions(project.id, {"text": filters.get("text")})
    if agent := filters.get("agent"):
        sent = Interaction.objects.filter(session=OuterRef("pk"), agent_name=agent)
        rows = rows.filter(Exists(sent))
    if since := filters.get("since"):
        rows = rows.filter(last_at__gte=since)
    if until := filters.get("until"):
        rows = rows.filter(last_at__lt=until)
    knows = filters.get("knows")
    if knows:
        active = MemoryEntry.objects.filter(
            project=project, session=OuterRef("pk"), state=MemoryEntry.State.ACTIVE
        )
        rows = rows.filter(
            ~Exists(active) if knows == "nothing" else Exists(active.filter(kind=knows))
        )
    return rows


def counts_of(project: Project, ids: Collection[UUID]) -> dict[UUID, dict[str, int]]:
    """Count the active entries of some sessions by kind."""
    rows = (
        MemoryEntry.objects.filter(
            project=project, session__in=ids, state=MemoryEntry.State.ACTIVE
        )
        .order_by()
        .values_list("session", "kind")
        .annotate(number=Count("id"))
    )
    counts: dict[UUID, dict[str, int]] = defaultdict(dict)
    for session, kind, number in rows:
        counts[session][kind] = number
    return counts


@dataclass(slots=True, kw_only=True)
class Lessons:
    """The first `entries` and `constraints` learned from one answer, with counts."""

    total: int = 0
    entries: list[MemoryEntry] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    overrides: list[Override] = field(default_factory=list)

    @property
    def hidden(self) -> int:
        """How many entries are not shown."""
        return self.total - len(self.entries)


def lessons_of(
    project: Project, ids: Sequence[UUID], viewer: User
) -> dict[UUID, Lessons]:
    """Return what was learned from each of some answers, in at most six queries.

    Decisions on gold that measures the viewer, and entries learned from them, are left
    out.
    """
    lessons = {id_: Lessons() for id_ in ids}
    overrides = Override.objects.filter(project=project, item__interaction__in=ids)
    taught = MemoryEntry.objects.filter(project=project, interaction_id__in=ids)
    if hidden := masked_items(project.id, viewer):
        masked = overrides.filter(item__in=hidden).values("id")
        taught = taught.exclude(override_id__in=masked)
        overrides = overrides.exclude(item__in=hidden)
    totals = taught.order_by().values_list("interaction_id").annotate(n=Count("id"))
    for id_, total in totals:
        lessons[id_].total = total
    kinds = [When(kind=kind, then=Value(at)) for at, kind in enumerate(_ORDER)]
    importance = Case(*kinds, default=Value(9), output_field=IntegerField()).asc()
    for entry in _first(taught, "interaction_id", [importance, F("key").asc()]):
        lessons[entry.interaction_id].entries.append(entry)
    rows = Sighting.objects.filter(
        project=project, interaction_id__in=ids, counts=True
    ).select_related("constraint")
    for sighting in _first(rows, "interaction_id", [F("id").asc()]):
        lessons[sighting.interaction_id].constraints.append(sighting.constraint)
    decided = overrides.select_related("item", "reviewer", "mention")
    for override in decided.order_by("created_at"):
        lessons[override.item.interaction_id].overrides.append(override)
    return lessons


def _first(rows: QuerySet[Any], by: str, order: list[Any]) -> QuerySet[Any]:
    number = Window(RowNumber(), partition_by=[F(by)], order_by=order)
    numbered: QuerySet[Any] = rows.annotate(place=number)
    return numbered.filter(place__lte=MAX_LESSONS).order_by("place")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineEvent:
    """One row of a session's timeline: an answer, or a delivered context."""

    at: datetime
    answer: Interaction | None = None
    verification: Verification | None = None
    lessons: Lessons | None = None
    delivery: ContextDelivery | None = None
    context: ContextDelivery | None = None


def answers_of(session: Session) -> QuerySet[Interaction]:
    """Return a session's answers, newest first, with the beginning of their tasks."""
    return (
        Interaction.objects.filter(session=session)
        .annotate(task_start=Left("task", TASK_CHARACTERS))
        .only("id", "client_id", "created_at", "agent_name", "context_sha256")
        .order_by("-created_at", "-id")
    )


def timeline(
    session: Session,
    answers: Sequence[Interaction],
    *,
    viewer: User,
    is_first: bool,
) -> list[TimelineEvent]:
    """Merge answers and the contexts delivered between them, newest first.

    Args:
        session: The session.
        answers: One page of its `answers_of`.
        viewer: The viewer: decisions on gold that measures them are not shown.
        is_first: Whether it is the page of the newest answers.
    """
    project = session.project
    ids = [answer.id for answer in answers]
    lessons, runs = lessons_of(project, ids, viewer), newest_runs(project, ids)
    mask_runs(runs.values(), project.id, viewer)
    hashes = {answer.context_sha256 for answer in answers if answer.context_sha256}
    delivered = ContextDelivery.objects.filter(project=project, sha256__in=hashes)
    contexts = {row.sha256: row for row in delivered.order_by("created_at")}
    events = [
        TimelineEvent(
            at=answer.created_at,
            answer=answer,
            verification=runs.get(answer.id),
            lessons=lessons[answer.id],
            context=contexts.get(answer.context_sha256),
        )
        for answer in answers
    ]
    deliveries = ContextDelivery.objects.filter(project=project, session=session)
    if answers:
        deliveries = deliveries.filter(created_at__gte=answers[-1].created_at)
    if answers and not is_first:
        deliveries = deliveries.filter(created_at__lt=answers[0].created_at)
    events += [
        TimelineEvent(at=delivery.created_at, delivery=delivery)
        for delivery in deliveries.order_by("-created_at", "-id")[:MAX_DELIVERIES]
    ]
    return sorted(events, key=lambda event: event.at, reverse=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """The origin and the current state of an entry.

    Attributes:
        places: Evidence in the trace, as in the verdict.
        position: The name's position in the verdict; None if it is no name.
        superseded_by: Corrections that contradict it.
        constraint: The shared constraint on the same name.
    """

    answer: Interaction | None
    verification: Verification | None
    places: Sequence[Evidence]
    position: int | None
    override: Override | None
    superseded_by: list[MemoryEntry]
    constraint: Constraint | None
    events: list[AuditEvent]


def provenance(entry: MemoryEntry, viewer: User) -> Provenance:
    """Return an entry's run, check, tool call and person.

    Decisions on gold that measures the viewer are not shown.
    """
    project = entry.project
    answers = Interaction.objects.filter(project=project, id=_id(entry.interaction_id))
    answer = (
        answers.annotate(task_start=Left("task", TASK_CHARACTERS))
        .select_related("api_key")
        .defer("task", "answer_text")
        .first()
    )
    run = _verification(entry) if answer else None
    mention = _mention(entry, run) if run and entry.mention_key else None
    override = Override.objects.filter(
        project=project, id=_id(entry.override_id)
    ).exclude(item__in=masked_items(project.id, viewer))
    return Provenance(
        answer=answer,
        verification=run,
        places=_places(entry, run, mention),
        position=mention.index if mention else None,
        override=override.select_related("reviewer", "undone_by").first(),
        superseded_by=_superseding(entry),
        constraint=_constraint(entry),
        events=list(history(entry, project_id=project.id)[:MAX_HISTORY]),
    )


def _id(named: UUID | None) -> UUID:
    """Return a text as an id; None if it is invalid."""
    return named or UUID(int=0)


def _verification(entry: MemoryEntry) -> Verification | None:
    rows = Verification.objects.filter(
        project=entry.project, interaction_id=_id(entry.interaction_id)
    ).order_by("-number")
    return rows.filter(id=_id(entry.verification_id)).first() or rows.first()


def _mention(entry: MemoryEntry, run: Verification) -> MentionVerdict | None:
    return MentionVerdict.objects.filter(
        project=entry.project,
        verification=run,
        kind=entry.mention_kind,
        key=entry.mention_key,
    ).first()


def _places(
    entry: MemoryEntry, run: Verification | None, mention: MentionVerdict | None
) -> Sequence[Evidence]:
    if mention is None or run is None or entry.kind != Kind.FINDING:
        return ()
    mentions = run.verdict_object.mentions
    return mentions[mention.index].evidence if mention.index < len(mentions) else ()


def _superseding(entry: MemoryEntry) -> list[MemoryEntry]:
    if entry.state != MemoryEntry.State.SUPERSEDED:
        return []
    same = Q(interaction_id=entry.interaction_id, mention_key="")
    if entry.mention_key:
        same |= Q(mention_kind=entry.mention_kind, mention_key=entry.mention_key)
    rows = MemoryEntry.objects.filter(
        same,
        project=entry.project,
        kind=Kind.CORRECTION,
        state=MemoryEntry.State.ACTIVE,
    )
    return list(rows.order_by("-created_at")[:MAX_SUPERSEDING])


def _constraint(entry: MemoryEntry) -> Constraint | None:
    if not entry.mention_key:
        return None
    return Constraint.objects.filter(
        project=entry.project,
        mention_kind=entry.mention_kind,
        mention_key=entry.mention_key,
    ).first()

"""Reads of memory: the next agent's context, and the rows of the memory browser."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import (
    OuterRef,
    Q,
    QuerySet,
    Subquery,
)
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PreparedQuery
from verifyhub.engine.memory.context import PLAIN, AgentContext, Style, compile_context
from verifyhub.engine.memory.entries import EntryKind, LearnedEntry
from verifyhub.engine.memory.lifecycle import PROVING_GRADES
from verifyhub.engine.memory.sections import ContextLine
from verifyhub.engine.memory.spelling import without_joints
from verifyhub.engine.text.quoting import is_name
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Mention, MentionKind
from verifyhub.ingest.models import Interaction, Session
from verifyhub.memory import search as searching
from verifyhub.memory.context_rows import TaskNames, constraints_for, entries_for
from verifyhub.memory.guard import nearest_names
from verifyhub.memory.models import (
    Constraint,
    ContextDelivery,
    MemoryEntry,
    Sighting,
    Snapshot,
    folded,
)
from verifyhub.memory.search import SearchFilters

# Names with evidence of a proving grade among which a similar one is looked for.
MAX_REAL_NAMES = 200
Name: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionContext:
    """The context of an agent's next task in a session.

    `held_out` lists the kinds of feedback that are held out to measure their effect.
    `known` is false for a session that has sent nothing yet: its context consists of
    what the project's sessions share.
    """

    session: str
    known: bool
    context: AgentContext
    session_id: UUID | None = None
    held_out: tuple[str, ...] = ()


def session_context(
    *,
    project: Project,
    session_key: str,
    task: str,
    budget: int,
    style: Style = PLAIN,
    held_out: tuple[str, ...] = (),
) -> SessionContext:
    """Compile the context of a session, by the client's own name for it.

    At most four queries, whatever the size of the memory.

    Args:
        project: The tenant.
        session_key: The client's own name.
        task: What the agent is about to do.
        budget: The text's size limit in estimated tokens.
        style: The format of the text.
        held_out: Kinds of feedback that the session does not receive.
    """
    session_id, pools = _session_and_pools(project, session_key)
    names = TaskNames.of(task)
    entries = entries_for(
        project_id=project.id, session_id=session_id, names=names, now=timezone.now()
    )
    shared, merged = constraints_for(
        project_id=project.id,
        names=names,
        session_names={entry.mention_key for entry in entries if entry.mention_key},
    )
    entries = [_merged(entry, merged) for entry in entries]

    def nearby(lines: list[ContextLine]) -> dict[str, str]:
        mentions = {
            line.source: Mention(
                text=line.name,
                kind=MentionKind(line.mention_kind),
                spans=((0, len(line.name)),),
                key=line.mention_key,
            )
            for line in lines
            if line.mention_kind in set(MentionKind)
        }
        real = [
            entry.text
            for entry in entries
            if entry.kind == EntryKind.FINDING
            and entry.grade in PROVING_GRADES
            and is_name(entry.text)
        ]
        nearest = nearest_names(
            project, list(mentions.values()), complete=pools, real=real[:MAX_REAL_NAMES]
        )
        return {
            source: nearest[mention]
            for source, mention in mentions.items()
            if mention in nearest
        }

    context = compile_context(
        task=task,
        entries=entries,
        constraints=shared,
        budget=budget,
        thresholds=Thresholds.with_overrides(project.thresholds),
        style=style,
        left_out=held_out,
        nearby=nearby,
    )
    return SessionContext(
        session=session_key,
        known=session_id is not None,
        context=context,
        session_id=session_id,
        held_out=held_out,
    )


def _session_and_pools(
    project: Project, session_key: str
) -> tuple[UUID | None, frozenset[str]]:
    """Return the session's id and the pools with a whole snapshot, in one query."""
    session = Session.objects.filter(project=OuterRef("pk"), key=session_key)
    snapshots = Snapshot.objects.filter(project=OuterRef("pk")).order_by("id")
    session_id, pools = (
        Project.objects.filter(pk=project.pk)
        .values_list(
            Subquery(session.values("id")[:1]),
            ArraySubquery(snapshots.values("pools")),
        )
        .get()
    )
    return session_id, frozenset(
        pool for stored_pools in pools for pool in stored_pools
    )


def _merged(entry: LearnedEntry, merged: Mapping[Name, Name]) -> LearnedEntry:
    """Replace an entry's name by the one that it is merged into, to share it once."""
    kind, key = merged.get(
        (entry.mention_kind, entry.mention_key), (entry.mention_kind, entry.mention_key)
    )
    if key == entry.mention_key:
        return entry
    return replace(entry, mention_kind=kind, mention_key=key)


def shared_entries(
    project: Project, *, retracted: bool = False
) -> QuerySet[MemoryEntry]:
    """Return the shared entries of a project, newest first.

    Args:
        project: The tenant.
        retracted: Whether to include entries that a lead retracted.
    """
    rows = MemoryEntry.objects.filter(project=project, scope=MemoryEntry.Scope.PROJECT)
    if not retracted:
        rows = rows.exclude(state=MemoryEntry.State.RETRACTED)
    return rows.select_related("project").order_by("-created_at", "-id")


def constraints(
    project: Project, *, state: str = "", search: str = ""
) -> QuerySet[Constraint]:
    """A project's constraints, most supported first; empty filters filter nothing.

    Each carries `latest_interaction_id`, the answer that last named it, or None.
    """
    sightings = Sighting.objects.filter(constraint=OuterRef("pk"))
    latest = sightings.order_by("-counts", "-seen_at", "-id").values("interaction_id")
    rows = searching.constraints(project, SearchFilters(state=state, text=search))
    return rows.annotate(latest_interaction_id=Subquery(latest[:1])).order_by(
        "-interaction_count", "-created_at", "id"
    )


def newest_sessions(project: Project, *, most: int) -> QuerySet[Session, str]:
    """Return the keys of the newest sessions."""
    # Ids begin with the time.
    newest = Session.objects.filter(project=project).order_by("-id")
    return newest.values_list("key", flat=True)[:most]


def answers_of(constraint: Constraint, *, most: int) -> QuerySet[Sighting]:
    """Return the answers that stated a constraint's name, newest first.

    Each carries the `task` of its answer.
    """
    tasks = Interaction.objects.filter(id=OuterRef("interaction_id")).values("task")
    return constraint.sightings.annotate(task=Subquery(tasks[:1])).order_by(
        "-seen_at", "-id"
    )[:most]


def entries(
    project: Project,
    *,
    kind: str,
    state: str = "",
    session: str = "",
    search: str = "",
) -> QuerySet[MemoryEntry]:
    """A project's entries of one kind, newest first; empty filters filter nothing."""
    filters = SearchFilters(kind=kind, state=state, session=session, text=search)
    return searching.newest(project, filters)


# Rows of one kind counted at most: the tabs of every page show them.
MOST = 9_999


def counts_by_kind(project: Project) -> dict[str, int]:
    """Count the active entries of each kind and, under "", constraints of any state.

    No further than one more than `MOST`.
    """
    active = MemoryEntry.objects.filter(project=project, state=MemoryEntry.State.ACTIVE)
    every = Constraint.objects.filter(project=project)
    by_kind = {
        str(kind): active.filter(kind=kind)[: MOST + 1].count()
        for kind in MemoryEntry.Kind
    }
    return by_kind | {"": every[: MOST + 1].count()}


def snapshots(project: Project) -> QuerySet[Snapshot]:
    """A project's snapshots of names, by their own names."""
    return Snapshot.objects.filter(project=project).order_by("name")


_LEARNING = PreparedQuery(
    lambda projects: Snapshot.objects.filter(
        project__any_of=projects, origin=Snapshot.Origin.LEARNED
    ).values_list("project_id", flat=True)
)


def learning_projects(project_ids: Collection[UUID]) -> set[UUID]:
    """Return which of some projects learn names from accepted runs."""
    return set(_LEARNING(projects=list(project_ids)))


# Spellings of one name shown at most.
MAX_ALIKE = 20


def alike(constraint: Constraint) -> QuerySet[Constraint]:
    """Return constraints with names that differ only in case and joints.

    Only names of the same kind that are not merged yet.
    """
    own = without_joints(constraint.mention_key)
    return (
        Constraint.objects.filter(
            project_id=constraint.project_id,
            mention_kind=constraint.mention_kind,
            merged_into__isnull=True,
        )
        .exclude(pk=constraint.pk)
        .alias(folded=folded("mention_key"))
        .filter(folded=own)
        .order_by("-interaction_count", "id")[:MAX_ALIKE]
    )


def names_delivered_as_verified(
    answers: Collection[Interaction],
) -> dict[UUID, list[MemoryEntry]]:
    """Return the names that agents received as verified before they answered.

    `evidence` of an entry is the place in the trace of `interaction_id` that showed the
    name; both are None where a person said it. The delivered context is found by its
    hash. Entries that have been withdrawn since count no longer. Two queries, none
    where no context was delivered.
    """
    hashes = {answer.context_sha256 for answer in answers if answer.context_sha256}
    if not hashes:
        return {}
    deliveries: dict[tuple[UUID, str], ContextDelivery] = {}
    for delivery in ContextDelivery.objects.filter(
        project__in={answer.project_id for answer in answers}, sha256__in=hashes
    ).order_by("created_at", "id"):
        # The same text holds the same; the first delivery is as good as any.
        deliveries.setdefault((delivery.project_id, delivery.sha256), delivery)
    by_answer = {
        answer.id: first
        for answer in answers
        if (first := deliveries.get((answer.project_id, answer.context_sha256)))
        and first.created_at <= answer.created_at
    }
    ids = {id_ for delivery in by_answer.values() for id_ in delivery.entry_ids}
    shown = Q(kind=MemoryEntry.Kind.FINDING) | Q(
        kind=MemoryEntry.Kind.CORRECTION, mention_status="verified"
    )
    entries = {
        entry.id: entry
        for entry in MemoryEntry.objects.filter(
            shown, id__in=ids, state=MemoryEntry.State.ACTIVE
        ).exclude(mention_key="")
    }
    return {
        answer: [entries[id_] for id_ in delivery.entry_ids if id_ in entries]
        for answer, delivery in by_answer.items()
    }

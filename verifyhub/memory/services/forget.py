"""Delete memory that was learned from deleted answers."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from verifyhub.accounts.models import Project
from verifyhub.common.cascade import delete_with_dependents
from verifyhub.common.db import lowest_id
from verifyhub.ingest.models import Interaction, Session
from verifyhub.memory.models import (
    Constraint,
    ContextDelivery,
    MemoryEntry,
    Sighting,
)
from verifyhub.memory.services.changes import Name, name_of
from verifyhub.memory.services.counters import RemovedCounts, RemovedSighting
from verifyhub.memory.services.settle_constraints import settle_constraints
from verifyhub.memory.services.settle_names import corrected_names, settle_names
from verifyhub.memory.services.words import hold_words

# Entries or sightings of old answers that are deleted in one transaction.
MOST_ROWS = 1_000


def forget_answers(
    project: Project, answers: Sequence[UUID], *, settles: bool = True
) -> Mapping[str, int]:
    """Delete the entries and sightings of answers, and constraints without others.

    Must run inside the transaction that deletes the answers, at its end: answers that
    are being remembered wait from here on. Other names are settled again, as if the
    answers had never come.

    Args:
        project: The tenant.
        answers: The ids of their runs.
        settles: Whether to settle names; False for a transaction that is rolled back
            once its rows are counted, for which nobody then waits.

    Returns:
        Number of deleted rows, by kind.
    """
    entries = MemoryEntry.objects.filter(project=project, interaction_id__in=answers)
    sightings = Sighting.objects.filter(project=project, interaction_id__in=answers)
    return _forget(project, entries, sightings, are_few=True, settles=settles)


def forget_names_of(
    project: Project,
    answers: QuerySet[Interaction],
    *,
    before: datetime,
    after: UUID | None,
    most: int,
) -> tuple[Mapping[str, int], UUID | None]:
    """Delete what some names have from old answers, whose deletion follows.

    A usual name is then settled once, not with every batch of answers that stated it.
    Verification of the project waits meanwhile, so rows are limited as well as names: a
    usual name has thousands. Must run inside a transaction.

    Args:
        project: The tenant.
        answers: The old answers.
        before: Their time (aware); only answers with ids of that time are looked for.
        after: The constraint after which to continue; None for the first.
        most: How many names.

    Returns:
        Number of deleted rows, by kind, and the constraint after which to continue;
        None at the end.
    """
    end, after = lowest_id(before), after or UUID(int=0)
    old = Sighting.objects.filter(constraint=OuterRef("pk"), interaction_id__lt=end)
    rows = Constraint.objects.filter(project=project, id__gt=after)
    found = _few(list(rows.filter(Exists(old)).order_by("id")[:most]))
    if not found:
        return {}, None
    named = defaultdict(set)
    for row in found:
        named[row.mention_kind].add(row.mention_key)
    names = (Q(mention_kind=kind, mention_key__in=keys) for kind, keys in named.items())
    entries = MemoryEntry.objects.filter(reduce(or_, names), project=project)
    sightings = Sighting.objects.filter(constraint__in=found)
    of_old = {"interaction_id__lt": end, "interaction_id__in": answers.values("pk")}
    old_entries = _keys(entries.filter(**of_old))
    # A name is found again as long as it has old sightings, so these go last.
    old_sightings = (
        _keys(sightings.filter(**of_old)) if len(old_entries) < MOST_ROWS else []
    )
    counts = _forget(
        project,
        MemoryEntry.objects.filter(pk__in=old_entries),
        Sighting.objects.filter(pk__in=old_sightings),
    )
    is_done = MOST_ROWS not in (len(old_entries), len(old_sightings))
    return counts, found[-1].id if is_done else after


def _few(names: list[Constraint]) -> list[Constraint]:
    """Return the first names that have about `MOST_ROWS` sightings; at least one."""
    total = 0
    first: list[Constraint] = []
    for name in names:
        total += name.interaction_count
        if first and total > MOST_ROWS:
            break
        first.append(name)
    return first


def _keys(rows: QuerySet[Any]) -> list[Any]:
    return list(rows.values_list("pk", flat=True)[:MOST_ROWS])


def forget_session(project: Project, key: str) -> Mapping[str, int]:
    """Delete a session with its memory and its delivered contexts."""
    sessions = Session.objects.filter(project=project, key=key)
    entries = MemoryEntry.objects.filter(project=project, session__in=sessions)
    sightings = Sighting.objects.filter(project=project, session__in=sessions)
    counts = dict(_forget(project, entries, sightings, are_few=True))
    deliveries = ContextDelivery.objects.filter(project=project, session_key=key)
    counts["contexts"] = deliveries.delete()[0]
    # An answer that has come since then keeps it.
    empty = sessions.filter(interactions__isnull=True)
    counts["sessions"] = empty.delete()[1].get("ingest.Session", 0)
    return counts


def forget_old_memory(
    project: Project, before: datetime, *, most: int | None = None
) -> Mapping[str, int]:
    """Delete a batch of memory that was learned before a moment and not since.

    Corrections and what people shared with every session stay, and names that a person
    decided on; so do names that were met again.

    Returns:
        Number of deleted rows, by kind; zeros if nothing old is left.
    """
    learned = (MemoryEntry.Kind.FINDING, MemoryEntry.Kind.BLOCKER, MemoryEntry.Kind.GAP)
    old = MemoryEntry.objects.filter(
        project=project, kind__in=learned, updated_at__lt=before, override_id=None
    )
    keys = list(old.order_by("created_at").values_list("pk", flat=True)[:most])
    entries = MemoryEntry.objects.filter(pk__in=keys)
    unseen = Constraint.objects.filter(
        project=project,
        pinned=False,
        origin=Constraint.Origin.RECURRENCE,
        last_seen_at__lt=before,
    )
    names = list(unseen.order_by("last_seen_at").values_list("pk", flat=True)[:most])
    sightings = Sighting.objects.filter(constraint__in=names)
    return _forget(project, entries, sightings)


def _removed(sightings: QuerySet[Sighting]) -> RemovedCounts:
    """Return sightings that are about to be deleted, to be taken from the counters."""
    # A name that is merged into another may be deleted with its last sighting.
    counting_for = Coalesce("constraint__merged_into_id", "constraint_id")
    rows = sightings.filter(counts=True).values_list(
        counting_for, "interaction_id", "session_id", "api_key_id"
    )
    by_constraint: dict[UUID, list[RemovedSighting]] = defaultdict(list)
    for constraint, *voices in rows:
        answer, session, key = voices
        by_constraint[constraint].append((answer, session, key))
    return RemovedCounts(sightings=by_constraint)


def _forget(
    project: Project,
    entries: QuerySet[MemoryEntry],
    sightings: QuerySet[Sighting],
    *,
    are_few: bool = False,
    settles: bool = True,
) -> Mapping[str, int]:
    """Delete entries and sightings; few of a name's are taken from its counters."""
    # Verification of the project waits from here on, so not for nothing.
    if not (entries.exists() or sightings.exists()):
        return {}
    if settles:
        hold_words(project.id, change=True)
    removed = _removed(sightings) if settles and are_few else None
    rows = list(entries.values_list("pk", "kind", "mention_kind", "mention_key"))
    names = {(kind, key) for _, _, kind, key in rows}
    corrected = {
        (kind, key) for _, of, kind, key in rows if of == MemoryEntry.Kind.CORRECTION
    }
    touched = set(sightings.values_list("constraint_id", flat=True))
    deleted_entries = delete_with_dependents(MemoryEntry, [pk for pk, *_ in rows])
    counts = {
        "sightings": sightings.delete()[0],
        "entries": deleted_entries["memory.MemoryEntry"],
    }
    seen = Constraint.objects.filter(pk__in=touched)
    names |= set(seen.values_list("mention_kind", "mention_key"))
    deleted = _delete_unsupported(project, names)
    counts["constraints"] = len(deleted)
    # Sightings and corrections of a merged name count for the one it is merged into.
    mains = {name: main for name, main in deleted.items() if main is not None}
    names |= set(mains.values())
    corrected |= {mains[name] for name in corrected & mains.keys()}
    if settles and (names := {name for name in names if name[1]}):
        # As if what was deleted had never been known. Where nobody corrects or
        # corrected a name, none of its entries changes, and a usual name has one in
        # every session.
        corrected = corrected_names(project.id, names, deleted=corrected)
        if removed is not None:
            removed = replace(removed, recounted=corrected)
        settle_names(project=project, names=corrected, actor=None)
        names |= corrected
        settle_constraints(project=project, names=names, actor=None, removed=removed)
    return counts


def _delete_unsupported(
    project: Project, names: Collection[Name]
) -> dict[Name, Name | None]:
    """Delete constraints that no sighting, entry or merge supports any more.

    One that others are merged into stays as long as they do: a lead merged them.

    Args:
        project: The tenant.
        names: The names that deleted sightings and entries were about.

    Returns:
        The names that were deleted, each with the one that it was merged into.
    """
    constraints = Constraint.objects.filter(project=project)
    sightings_left = Sighting.objects.filter(constraint=OuterRef("pk"))
    entries_left = MemoryEntry.objects.filter(
        project=project,
        mention_kind=OuterRef("mention_kind"),
        mention_key=OuterRef("mention_key"),
    )
    merged = Constraint.objects.filter(merged_into=OuterRef("pk"))
    unsupported = constraints.filter(
        ~Exists(sightings_left), ~Exists(entries_left), ~Exists(merged), pinned=False
    )
    named = unsupported.filter(
        mention_kind__in={kind for kind, _ in names},
        mention_key__in={key for _, key in names if key},
    )
    doomed = [
        row for row in named.select_related("merged_into") if name_of(row) in names
    ]
    deleted: dict[Name, Name | None] = {}
    while doomed:
        constraints.filter(pk__in=[row.pk for row in doomed]).delete()
        for row in doomed:
            main = row.merged_into
            deleted[name_of(row)] = name_of(main) if main is not None else None
        mains = {row.merged_into_id for row in doomed if row.merged_into_id}
        doomed = list(unsupported.filter(pk__in=mains).select_related("merged_into"))
    return deleted

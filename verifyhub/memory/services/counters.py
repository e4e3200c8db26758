"""Counters of names: answers, sessions and keys."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Count, F, Max, Min, QuerySet, Subquery
from django.db.models.functions import Coalesce

from verifyhub.common.prepared import prepared_cursor
from verifyhub.ingest.models import Interaction
from verifyhub.memory.models import Constraint, Sighting
from verifyhub.memory.services.changes import Name

# What is counted of one constraint: interactions, sessions, keys, first, last.
Counted: TypeAlias = Mapping[str, Any]
# Constraints with the names merged into each; most have none.
Groups: TypeAlias = Mapping[UUID, Collection[UUID]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AddedCounts:
    """New sightings by constraint, where none was removed.

    Attributes:
        answers: By constraint, the answers that are new sightings of it and count.
        at: The time of the sightings (aware).
    """

    answers: Mapping[UUID, Sequence[Interaction]]
    at: datetime


# A deleted sighting: its answer, session and key.
RemovedSighting: TypeAlias = tuple[UUID, UUID | None, UUID | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedCounts:
    """Sightings that were deleted, where none was added.

    Attributes:
        sightings: Those that counted, by the constraint they counted for.
        recounted: Names whose other sightings may have begun or ceased to count.
    """

    sightings: Mapping[UUID, Sequence[RemovedSighting]]
    recounted: Set[Name] = frozenset()


# How many answers, sessions and keys of a name are new.
_New: TypeAlias = tuple[int, int, int]
# Which of some voices (answers, sessions, keys) constraints already had.
COUNTED_BEFORE = """
WITH new AS (
    SELECT * FROM unnest(%(of)s::uuid[], %(answers)s::uuid[]) AS new (of, answer)
)
"""
# Not EXISTS, for which the database would read all rows: see `first_of`.
COUNTED_BEFORE_BY = """
SELECT {place}, of, voice FROM unnest(%(of_{column})s::uuid[], %({column})s::uuid[])
    AS asked (of, voice)
WHERE (SELECT 1 FROM memory_sighting AS held
    WHERE constraint_id = of AND counts AND {column} = voice
      AND (of, interaction_id) NOT IN (TABLE new)
    ORDER BY seen_at LIMIT 1) = 1
"""
VOICES = ("interaction_id", "session_id", "api_key_id")
# The first and last sighting of constraints: the ends of an index for each key.
ENDS = """
WITH RECURSIVE asked AS (
    SELECT of FROM unnest(%(of)s::uuid[]) AS asked (of)
), held AS (
    SELECT asked.of, next.api_key_id FROM asked CROSS JOIN LATERAL (
        SELECT api_key_id FROM memory_sighting
        WHERE constraint_id = asked.of AND counts AND api_key_id IS NOT NULL
        ORDER BY api_key_id LIMIT 1
    ) AS next
    UNION ALL
    SELECT held.of, next.api_key_id FROM held CROSS JOIN LATERAL (
        SELECT api_key_id FROM memory_sighting
        WHERE constraint_id = held.of AND counts AND api_key_id > held.api_key_id
        ORDER BY api_key_id LIMIT 1
    ) AS next
)
SELECT of, (
    SELECT seen_at FROM memory_sighting
    WHERE constraint_id = of AND counts AND api_key_id = held.api_key_id
    ORDER BY seen_at LIMIT 1
), (
    SELECT seen_at FROM memory_sighting
    WHERE constraint_id = of AND counts AND api_key_id = held.api_key_id
    ORDER BY seen_at DESC LIMIT 1
) FROM held
UNION ALL
SELECT of, (
    SELECT seen_at FROM memory_sighting
    WHERE constraint_id = of AND counts AND api_key_id IS NULL
    ORDER BY seen_at LIMIT 1
), (
    SELECT seen_at FROM memory_sighting
    WHERE constraint_id = of AND counts AND api_key_id IS NULL
    ORDER BY seen_at DESC LIMIT 1
) FROM asked
"""
COUNTED_BEFORE += "UNION ALL".join(
    COUNTED_BEFORE_BY.format(place=place, column=column)
    for place, column in enumerate(VOICES)
)


def counters_of(
    constraints: Collection[Constraint],
    merged: Groups,
    added: AddedCounts | None,
    removed: RemovedCounts | None,
    names: Mapping[UUID, Collection[Name]],
) -> dict[UUID, Counted]:
    """Return the counts of some constraints' sightings, by id.

    Constraints without a sighting that counts are left out. If sightings were only
    added, or only deleted, the stored counts are adjusted: a name with a million
    sightings costs no more than a new one.

    Args:
        constraints: Locked by the caller.
        merged: The names merged into each constraint, where there are any.
        added: Sightings added since the counters were stored, if that is all.
        removed: Sightings deleted since then, if that is all.
        names: Each constraint's names, including those merged into it.
    """
    # Sightings of a merged constraint count for the one that it is merged into.
    own = [row for row in constraints if row.merged_into_id is None]
    if added is None and removed is not None:
        kept = [
            row
            for row in own
            if row.key_count and removed.recounted.isdisjoint(names[row.id])
        ]
        others = {row.id for row in own} - {row.id for row in kept}
        counted = recount({key: merged.get(key, ()) for key in others})
        return counted | _without_removed(kept, merged, removed)
    if added is None:
        return recount({row.id: merged.get(row.id, ()) for row in constraints})
    current = [row for row in own if _is_kept(row)]
    outdated = {row.id for row in own} - {row.id for row in current}
    counted = recount({key: merged.get(key, ()) for key in outdated})
    return counted | _added_to(current, merged, added)


def recount(groups: Groups) -> dict[UUID, Counted]:
    """Count the sightings of some constraints and of those merged into each."""
    if not groups:
        return {}
    rows = (
        grouped(groups)
        .values("group")
        .annotate(
            interactions=Count("interaction_id", distinct=True),
            sessions=Count("session_id", distinct=True),
            keys=Count("api_key_id", distinct=True),
            first=Min("seen_at"),
            last=Max("seen_at"),
        )
        .order_by()
    )
    return {row["group"]: row for row in rows}


def grouped(groups: Groups) -> QuerySet[Any]:
    """Return the counted sightings, grouped by the constraint they count for."""
    return Sighting.objects.filter(
        constraint__in=spellings(groups), counts=True
    ).annotate(group=Coalesce(F("constraint__merged_into_id"), F("constraint_id")))


def spellings(groups: Groups) -> set[UUID]:
    """Return all constraints of some groups."""
    return {*groups, *(member for members in groups.values() for member in members)}


def first_of(sightings: QuerySet[Sighting]) -> Subquery:
    """Return the first of some sightings, or null where there is none.

    With EXISTS the planner prefers a scan if one name has most of the sightings, since
    it takes others to be as frequent. With an order it uses the index.
    """
    return Subquery(sightings.order_by("seen_at").values("pk")[:1])


def _is_kept(row: Constraint) -> bool:
    """Whether keys were counted already when its counters were stored."""
    return bool(row.key_count or not row.interaction_count)


def _without_removed(
    rows: Collection[Constraint], merged: Groups, removed: RemovedCounts
) -> dict[UUID, Counted]:
    """Subtract deleted sightings from the counters, without reading all that are left.

    A voice is subtracted if no other sighting of the name has it.
    """
    counted = {row.id: _stored(row) for row in rows}
    lessened = {
        row.id: {row.id, *merged.get(row.id, ())}
        for row in rows
        if row.id in removed.sightings
    }
    voices = {
        key: [
            {voice for sighting in removed.sightings[key] if (voice := sighting[place])}
            for place in range(len(VOICES))
        ]
        for key in lessened
    }
    left = _voices_counted(_pairs(lessened, voices), ())
    ends = _ends({of for ids in lessened.values() for of in ids})
    for key, ids in lessened.items():
        gone = _uncounted(ids, voices[key], left)
        times = [time for of in ids for time in ends.get(of, ())]
        stored = counted.pop(key)
        if not times:
            continue
        counted[key] = {
            "interactions": stored["interactions"] - gone[0],
            "sessions": stored["sessions"] - gone[1],
            "keys": stored["keys"] - gone[2],
            "first": min(times),
            "last": max(times),
        }
    return counted


def _stored(row: Constraint) -> Counted:
    return {
        "interactions": row.interaction_count,
        "sessions": row.session_count,
        "keys": row.key_count,
        "first": row.first_seen_at,
        "last": row.last_seen_at,
    }


def _ends(constraints: Collection[UUID]) -> dict[UUID, list[datetime]]:
    """Return when each key first and last stated each constraint, in any order."""
    ends: dict[UUID, list[datetime]] = defaultdict(list)
    if not constraints:
        return ends
    with prepared_cursor() as cursor:
        cursor.execute(ENDS, {"of": list(constraints)})
        for of, *times in cursor.fetchall():
            ends[of] += [time for time in times if time is not None]
    return ends


def _added_to(
    rows: Collection[Constraint], merged: Groups, added: AddedCounts
) -> dict[UUID, Counted]:
    groups = {row.id: {row.id, *merged.get(row.id, ())} for row in rows}
    new = _new_voices(
        {key: ids for key, ids in groups.items() if ids & added.answers.keys()}, added
    )
    return {
        row.id: _counted(row, new.get(row.id), added.at)
        for row in rows
        if row.id in new or row.interaction_count
    }


def _counted(row: Constraint, new: _New | None, at: datetime) -> Counted:
    answers, sessions, keys = new or (0, 0, 0)
    times = [at] if new else []
    times += [time for time in (row.first_seen_at, row.last_seen_at) if time]
    return {
        "interactions": row.interaction_count + answers,
        "sessions": row.session_count + sessions,
        "keys": row.key_count + keys,
        "first": min(times),
        "last": max(times),
    }


def _new_voices(
    groups: Mapping[UUID, set[UUID]], added: AddedCounts
) -> dict[UUID, _New]:
    """Count the new voices of sightings, without reading earlier sightings."""
    voices = {key: _voices(ids, added) for key, ids in groups.items()}
    new = [
        (of, answer.id) for of, answers in added.answers.items() for answer in answers
    ]
    counted = _voices_counted(_pairs(groups, voices), new)
    return {key: _uncounted(ids, voices[key], counted) for key, ids in groups.items()}


def _pairs(
    groups: Mapping[UUID, Collection[UUID]],
    voices: Mapping[UUID, Sequence[Collection[UUID]]],
) -> list[set[tuple[UUID, UUID]]]:
    """Return each constraint of the groups with each voice of its group, by place."""
    return [
        {
            (of, voice)
            for key, voices_of in voices.items()
            for of in groups[key]
            for voice in voices_of[place]
        }
        for place in range(len(VOICES))
    ]


def _uncounted(
    ids: Collection[UUID],
    voices: Sequence[Collection[UUID]],
    counted: Collection[tuple[int, UUID, UUID]],
) -> _New:
    """Return how many voices of each place count for no constraint of a group."""
    answers, sessions, keys = (
        sum(not any((place, of, voice) in counted for of in ids) for voice in of_place)
        for place, of_place in enumerate(voices)
    )
    return answers, sessions, keys


def _voices(ids: Collection[UUID], added: AddedCounts) -> list[set[UUID]]:
    """Return the answers, sessions and keys that some constraints were sighted by."""
    answers = [
        answer for constraint in ids for answer in added.answers.get(constraint, ())
    ]
    return [
        {constraint.id for constraint in answers},
        {constraint.session_id for constraint in answers if constraint.session_id},
        {constraint.api_key_id for constraint in answers if constraint.api_key_id},
    ]


def _voices_counted(
    voices: Sequence[Collection[tuple[UUID, UUID]]],
    new: Sequence[tuple[UUID, UUID]],
) -> set[tuple[int, UUID, UUID]]:
    """Return which voices count for which constraints, by place in `VOICES`.

    Args:
        voices: Constraints with voices, by place.
        new: Constraints with answers whose sightings are left out.
    """
    if not any(voices):
        return set()
    lists: dict[tuple[str, str], Sequence[tuple[UUID, UUID]]] = {("of", "answers"): new}
    for column, pairs in zip(VOICES, voices, strict=True):
        lists[f"of_{column}", column] = list(pairs)
    parameters = {
        name: [pair[place] for pair in pairs]
        for names, pairs in lists.items()
        for place, name in enumerate(names)
    }
    with prepared_cursor() as cursor:
        cursor.execute(COUNTED_BEFORE, parameters)
        return set(cursor.fetchall())

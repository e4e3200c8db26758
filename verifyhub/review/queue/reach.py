"""The reach of a flagged name: other sessions in which it had no evidence."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import Window
from django.db.models.functions import RowNumber

from verifyhub.common.prepared import prepared_cursor
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue.ranking import REACH_LIMIT
from verifyhub.verification.models import MentionStatus, MentionVerdict, Verification

# Limits of the cost of one item, however common its names are.
NAMES = 20
ROWS_PER_NAME = 500
# So many rows of a common name usually have as many sessions as are counted.
FEW_ROWS_PER_NAME = 2 * REACH_LIMIT
SHARING_LIMIT = 200

# The index `mention_invented_name` has each name's rows without evidence; the lateral
# `LIMIT` prevents reading all rows of a frequent name.
SESSIONS = """
WITH name AS (
    SELECT * FROM unnest(%(of)s::int[], %(kinds)s::varchar[], %(keys)s::varchar[])
        AS name (of, kind, key)
)
SELECT asked.place, least(counted.sessions, %(limit)s), counted.most_read
FROM unnest(%(places)s::int[], %(projects)s::uuid[], %(own)s::uuid[])
    AS asked (place, project, own)
CROSS JOIN LATERAL (
    SELECT count(DISTINCT seen_in.session) FILTER (
            WHERE seen_in.session <> asked.own
        ) AS sessions,
        coalesce(max(seen_in.number), 0) AS most_read
    FROM (
        SELECT coalesce(answer.session_id, answer.id) AS session, sighting.number
        FROM name, LATERAL (
            SELECT mention.verification_id, row_number() OVER () AS number
            FROM verification_mentionverdict AS mention
            WHERE mention.project_id = asked.project
              AND mention.kind = name.kind AND mention.key = name.key
              AND mention.status = 'unverified'
            LIMIT %(rows)s
        ) AS sighting
        JOIN verification_verification AS run ON run.id = sighting.verification_id
        JOIN ingest_interaction AS answer ON answer.id = run.interaction_id
        WHERE name.of = asked.place
    ) AS seen_in
) AS counted
"""
SHARING = """
SELECT DISTINCT other.id
FROM unnest(%(places)s::int[], %(projects)s::uuid[], %(own)s::uuid[])
    AS asked (place, project, own)
CROSS JOIN LATERAL (
    SELECT item.id
    FROM unnest(%(of)s::int[], %(kinds)s::varchar[], %(keys)s::varchar[])
        AS name (of, kind, key)
    CROSS JOIN LATERAL (
        SELECT mention.verification_id FROM verification_mentionverdict AS mention
        WHERE mention.project_id = asked.project
          AND mention.kind = name.kind AND mention.key = name.key
          AND mention.status = 'unverified'
        LIMIT %(rows)s
    ) AS sighting
    JOIN review_reviewitem AS item ON item.verification_id = sighting.verification_id
    WHERE name.of = asked.place AND item.state = 'open' AND item.id <> asked.own
    GROUP BY item.id
    LIMIT %(limit)s
) AS other
"""
RUNS = """
SELECT sighting.verification_id
FROM unnest(%(kinds)s::varchar[], %(keys)s::varchar[]) AS name (kind, key)
CROSS JOIN LATERAL (
    SELECT mention.verification_id FROM verification_mentionverdict AS mention
    WHERE mention.project_id = %(project)s
      AND mention.kind = name.kind AND mention.key = name.key
      AND mention.status = 'unverified'
    LIMIT %(rows)s
) AS sighting
"""


def runs_without_evidence(
    project_id: UUID, names: Sequence[tuple[str, str]], *, rows: int
) -> set[UUID]:
    """Return verifications in which one of some names had no evidence.

    One prepared statement: names are divided by month, so planning reads each month.

    Args:
        project_id: The tenant.
        names: Kind and key of each.
        rows: How many are read for each name.
    """
    with prepared_cursor() as cursor:
        cursor.execute(
            RUNS,
            {
                "project": project_id,
                "kinds": [kind for kind, _ in names],
                "keys": [key for _, key in names],
                "rows": rows,
            },
        )
        return {run for (run,) in cursor.fetchall()}


def flagged_names(
    verifications: Sequence[Verification],
) -> list[list[tuple[str, str]]]:
    """Return kind and key of the names that count against each answer, at most 20."""
    place = Window(RowNumber(), partition_by="verification_id", order_by="index")
    rows = (
        MentionVerdict.objects.filter(
            MentionVerdict.COUNTED,
            project_id__in={run.project_id for run in verifications},
            verification__in=[run.pk for run in verifications],
            status=MentionStatus.UNVERIFIED,
        )
        .annotate(place=place)
        .filter(place__lte=NAMES * 2)
        .order_by("verification_id", "place")
        .values_list("verification_id", "kind", "key")
    )
    names: dict[UUID, dict[tuple[str, str], None]] = defaultdict(dict)
    for verification_id, kind, key in rows:
        names[verification_id][kind, key] = None
    return [list(names[run.pk])[:NAMES] for run in verifications]


def names_of(report: VerificationReport) -> list[tuple[str, str]]:
    """Return the flagged names of a report, without reading rows."""
    names = [
        (str(mention.kind), mention.key[: MentionVerdict.MAX_KEY])
        for mention in report.flagged_mentions
    ]
    return list(dict.fromkeys(names[: NAMES * 2]))[:NAMES]


def reaches_of(
    answers: Sequence[tuple[Verification, Sequence[tuple[str, str]]]],
) -> list[int]:
    """Count the sessions, other than each answer's own, with one of its names.

    Returns:
        At most `REACH_LIMIT`; an answer without a session counts as one.
    """
    runs = [run for run, _ in answers]
    names: list[Sequence[tuple[str, str]]] = [names for _, names in answers]
    own = [run.interaction.session_id or run.interaction_id for run in runs]
    counts = [0] * len(answers)
    for most_rows in (FEW_ROWS_PER_NAME, ROWS_PER_NAME):
        counted = _run_statement(
            SESSIONS,
            names=names,
            projects=[run.project_id for run in runs],
            own=own,
            rows=most_rows,
            limit=REACH_LIMIT,
        )
        for place, count, most_read in counted:
            counts[place] = count
            if count >= REACH_LIMIT or most_read < most_rows:
                names[place] = ()
    return counts


def items_sharing(
    items: Sequence[ReviewItem], names: Sequence[Sequence[tuple[str, str]]]
) -> set[UUID]:
    """Return the open items that share a name with one of these.

    Args:
        items: The items; at most 200 others are returned for each.
        names: The names of each.
    """
    rows = _run_statement(
        SHARING,
        names=names,
        projects=[item.project_id for item in items],
        own=[item.pk for item in items],
        rows=ROWS_PER_NAME,
        limit=SHARING_LIMIT,
    )
    return {item_id for (item_id,) in rows}


def _run_statement(
    statement: str,
    *,
    names: Sequence[Sequence[tuple[str, str]]],
    projects: Sequence[UUID],
    own: Sequence[UUID],
    rows: int,
    limit: int,
) -> list[tuple[Any, ...]]:
    """Execute a statement for the items with names, by index."""
    named = [(place, *name) for place, of in enumerate(names) for name in of]
    if not named:
        return []
    places = sorted({place for place, *_ in named})
    parameters: dict[str, Any] = {
        "of": [place for place, _, _ in named],
        "kinds": [kind for _, kind, _ in named],
        "keys": [key for _, _, key in named],
        "places": places,
        "projects": [projects[place] for place in places],
        "own": [own[place] for place in places],
        "rows": rows,
        "limit": limit,
    }
    with prepared_cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())

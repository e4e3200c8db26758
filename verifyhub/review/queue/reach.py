"""How far a flagged name reaches: in how many other sessions it had no evidence."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from verifyhub.engine.verdicts import VerificationReport
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue.ranking import REACH_LIMIT
from verifyhub.verification.models import MentionStatus, MentionVerdict, Verification

# Both bound what one item may cost, however common its names are.
NAMES = 20
ROWS_PER_NAME = 500
SHARING_LIMIT = 200

# The index on (project, kind, key) gives each name's rows; `LIMIT` in the lateral part
# keeps a name that stands everywhere from being read to its end.
SESSIONS = """
WITH name AS (
    SELECT * FROM unnest(%(of)s::int[], %(kinds)s::varchar[], %(keys)s::varchar[])
        AS name (of, kind, key)
)
SELECT asked.place, (
    SELECT count(*) FROM (
        SELECT DISTINCT coalesce(answer.session_id, answer.id) AS session
        FROM name, LATERAL (
            SELECT seen.verification_id FROM verification_mentionverdict AS seen
            WHERE seen.project_id = asked.project
              AND seen.kind = name.kind AND seen.key = name.key
              AND seen.status = 'unverified'
            LIMIT %(rows)s
        ) AS sighting
        JOIN verification_verification AS run ON run.id = sighting.verification_id
        JOIN ingest_interaction AS answer ON answer.id = run.interaction_id
        WHERE name.of = asked.place
          AND coalesce(answer.session_id, answer.id) <> asked.own
        LIMIT %(limit)s
    ) AS counted
)
FROM unnest(%(places)s::int[], %(projects)s::uuid[], %(own)s::uuid[])
    AS asked (place, project, own)
"""
SHARING = """
SELECT DISTINCT item.id
FROM unnest(%(kinds)s::varchar[], %(keys)s::varchar[]) AS name(kind, key),
LATERAL (
    SELECT seen.verification_id FROM verification_mentionverdict AS seen
    WHERE seen.project_id = %(project)s
      AND seen.kind = name.kind AND seen.key = name.key AND seen.status = 'unverified'
    LIMIT %(rows)s
) AS sighting
JOIN review_reviewitem AS item ON item.verification_id = sighting.verification_id
WHERE item.state = 'open' AND item.id <> %(own)s
LIMIT %(limit)s
"""


def flagged_names(verification: Verification) -> list[tuple[str, str]]:
    """Return kind and key of the names that count against an answer, at most 20."""
    rows = (
        MentionVerdict.objects.filter(
            MentionVerdict.COUNTED,
            project_id=verification.project_id,
            verification=verification,
            status=MentionStatus.UNVERIFIED,
        )
        .order_by("index")
        .values_list("kind", "key")
    )
    return list(dict.fromkeys(rows[: NAMES * 2]))[:NAMES]


def names_of(report: VerificationReport) -> list[tuple[str, str]]:
    """Return the same of a report, without reading the rows of its names."""
    names = [
        (str(one.kind), one.key[: MentionVerdict.MAX_KEY])
        for one in report.flagged_mentions
    ]
    return list(dict.fromkeys(names[: NAMES * 2]))[:NAMES]


def reach_of(verification: Verification, names: Sequence[tuple[str, str]]) -> int:
    """Count the sessions, other than an answer's own, that have one of its names.

    Returns:
        Sessions, at most `REACH_LIMIT`; an answer without a session counts as one.
    """
    return reaches_of([(verification, names)])[0]


def reaches_of(
    answers: Sequence[tuple[Verification, Sequence[tuple[str, str]]]],
) -> list[int]:
    """Return `reach_of` of several answers, by one query."""
    named = [
        (place, *name) for place, (_, names) in enumerate(answers) for name in names
    ]
    places = sorted({place for place, *_ in named})
    reaches = [0] * len(answers)
    if not named:
        return reaches
    runs = [answers[place][0] for place in places]
    parameters: dict[str, Any] = {
        "of": [place for place, _, _ in named],
        "kinds": [kind for _, kind, _ in named],
        "keys": [key for _, _, key in named],
        "places": places,
        "projects": [run.project_id for run in runs],
        "own": [run.interaction.session_id or run.interaction_id for run in runs],
        "rows": ROWS_PER_NAME,
        "limit": REACH_LIMIT,
    }
    with connection.cursor() as cursor:
        cursor.execute(SESSIONS, parameters)
        for place, count in cursor.fetchall():
            reaches[place] = count
    return reaches


def items_sharing(item: ReviewItem, names: Sequence[tuple[str, str]]) -> list[UUID]:
    """Return other open items of the project with one of the names, at most 200."""
    with connection.cursor() as cursor:
        cursor.execute(
            SHARING,
            {
                "project": item.project_id,
                "kinds": [kind for kind, _ in names],
                "keys": [key for _, key in names],
                "own": item.pk,
                "rows": ROWS_PER_NAME,
                "limit": SHARING_LIMIT,
            },
        )
        return [row[0] for row in cursor.fetchall()]

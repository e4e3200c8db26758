"""How far a flagged name reaches: in how many other sessions it had no evidence."""

from collections.abc import Sequence
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
SELECT count(*) FROM (
    SELECT DISTINCT coalesce(answer.session_id, answer.id) AS session
    FROM unnest(%(kinds)s::varchar[], %(keys)s::varchar[]) AS name(kind, key),
    LATERAL (
        SELECT seen.verification_id FROM verification_mentionverdict AS seen
        WHERE seen.project_id = %(project)s
          AND seen.kind = name.kind AND seen.key = name.key
          AND seen.status = 'unverified'
        LIMIT %(rows)s
    ) AS sighting
    JOIN verification_verification AS run ON run.id = sighting.verification_id
    JOIN ingest_interaction AS answer ON answer.id = run.interaction_id
    WHERE coalesce(answer.session_id, answer.id) <> %(own)s
    LIMIT %(limit)s
) AS counted
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
    if not names:
        return 0
    answer = verification.interaction
    with connection.cursor() as cursor:
        cursor.execute(
            SESSIONS,
            {
                "project": verification.project_id,
                "kinds": [kind for kind, _ in names],
                "keys": [key for _, key in names],
                "own": answer.session_id or answer.id,
                "rows": ROWS_PER_NAME,
                "limit": REACH_LIMIT,
            },
        )
        found = cursor.fetchone()
    return int(found[0]) if found else 0


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

"""Count open review items by the day of opening."""

from datetime import date
from uuid import UUID

from django.db import connection

# Stored counts; from the rows, days with changes since, and days before the first
# count. One snapshot for all three.
_WAITING = """
WITH kept AS MATERIALIZED (
    SELECT coalesce(counted_from, '-infinity'::date) AS since
    FROM metrics_countstate WHERE project_id = %(project)s
), changed AS MATERIALIZED (
    SELECT DISTINCT date_trunc('day', slice, 'UTC') AS day FROM metrics_change
    WHERE project_id = %(project)s
      AND slice >= (SELECT since::timestamp AT TIME ZONE 'UTC' FROM kept)
)
SELECT day, open_items FROM metrics_daycount
WHERE project_id = %(project)s AND is_total AND open_items > 0
  AND day >= (SELECT since FROM kept)
  AND day NOT IN (SELECT (day AT TIME ZONE 'UTC')::date FROM changed)
UNION ALL
SELECT (changed.day AT TIME ZONE 'UTC')::date, found.items FROM changed
CROSS JOIN LATERAL (
    SELECT count(*) AS items FROM review_reviewitem
    WHERE project_id = %(project)s AND state = 'open' AND created_at >= changed.day
      AND created_at < changed.day + interval '24 hours'
) AS found
WHERE found.items > 0
UNION ALL
SELECT (created_at AT TIME ZONE 'UTC')::date, count(*) FROM review_reviewitem
WHERE project_id = %(project)s AND state = 'open' AND created_at < coalesce(
    (SELECT since::timestamp AT TIME ZONE 'UTC' FROM kept), 'infinity'
)
GROUP BY 1
"""


def waiting_by_day(project_id: UUID) -> dict[date, int]:
    """Return the open items of a project by day (UTC); days without any are missing."""
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, {"project": project_id})
        return dict(cursor.fetchall())

"""What a project's rows say once all is quiet, to be held against another project's."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, LiteralString

import psycopg

# Rows that somebody has yet to work on, by table and the states that end one.
OPEN: dict[str, LiteralString] = {
    "verification": (
        "SELECT count(*) FROM verification_verification"
        " WHERE project_id = %s AND state IN ('pending', 'running')"
    ),
    "trace": (
        "SELECT count(*) FROM ingest_otlptrace"
        " WHERE project_id = %s AND state IN ('pending', 'running', 'open')"
    ),
    "awaited opinion": (
        "SELECT count(*) FROM verification_awaitedopinion"
        " WHERE project_id = %s AND state IN ('pending', 'running')"
    ),
    "bulk": (
        "SELECT count(*) FROM ingest_bulk"
        " WHERE project_id = %s AND (state IN ('pending', 'running')"
        # A stream whose process was killed ends with its lease, much later.
        " OR state = 'receiving' AND lease_until < now() - interval '1 minute')"
    ),
}
ANSWERS: LiteralString = """
SELECT i.client_id, md5(i.task || i.answer), i.tool_call_count,
       (SELECT count(*) FROM ingest_toolcall c WHERE c.interaction_id = i.id),
       v.state, v.verdict, v.action, v.mention_count, v.unverified_count,
       (SELECT count(*) FROM verification_mentionverdict m
        WHERE m.verification_id = v.id)
FROM ingest_interaction i
LEFT JOIN verification_verification v ON v.interaction_id = i.id
WHERE i.project_id = %s ORDER BY i.client_id, v.number
"""
TOLD: dict[str, LiteralString] = {
    "memory": """
        SELECT s.key, i.client_id, e.scope, replace(e.key, i.id::text, ''), e.kind,
               e.state, e.mention_kind, e.mention_key, e.suggestion, e.reason,
               e.mention_status, e.grade
        FROM memory_memoryentry e
        LEFT JOIN ingest_session s ON s.id = e.session_id
        LEFT JOIN ingest_interaction i ON i.id = e.interaction_id
        WHERE e.project_id = %s
    """,
    "constraints": """
        -- A clock that jumps ends observations.
        SELECT mention_kind, mention_key,
               CASE state WHEN 'active' THEN 'shadow' ELSE state END,
               origin, interaction_count, session_count, key_count
        FROM memory_constraint WHERE project_id = %s
    """,
    "sightings": """
        SELECT c.mention_key, i.client_id FROM memory_sighting s
        JOIN memory_constraint c ON c.id = s.constraint_id
        JOIN ingest_interaction i ON i.id = s.interaction_id
        WHERE s.project_id = %s
    """,
    "review items": """
        SELECT i.client_id, r.state, r.reason_facts::text, r.risk
        FROM review_reviewitem r JOIN ingest_interaction i ON i.id = r.interaction_id
        WHERE r.project_id = %s
    """,
    "events": """
        SELECT e.type, e.subject->>'name'
        FROM events_event e WHERE e.project_id = %s
        -- As often as an hour begins while it runs; when an observation ends.
        AND e.type NOT IN ('audit.sealed', 'constraint.activated')
    """,
    "sessions": "SELECT key FROM ingest_session WHERE project_id = %s",
}
PAUSE_SECONDS = 0.5


@dataclass(slots=True)
class Balance:
    """What is wrong with a project's rows."""

    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)
    unequal: dict[str, list[str]] = field(default_factory=dict)
    caught_up_seconds: float | None = None


class Ledger:
    """Reads the database of a system, as the owner of its tables."""

    def __init__(self, url: str) -> None:
        self._url = url

    def project(self, slug: str) -> Any:
        (row,) = self._rows("SELECT id FROM accounts_project WHERE slug = %s", slug)
        return row[0]

    def wait(self, project: Any, count: int, seconds: float) -> float | None:
        """Wait until nothing of a project waits; return how long it took, or None."""
        began = time.monotonic()
        while (now := time.monotonic() - began) < seconds:
            try:
                if self._is_quiet(project, count):
                    return now
            except psycopg.OperationalError:
                pass
            time.sleep(PAUSE_SECONDS)
        return None

    def _is_quiet(self, project: Any, count: int) -> bool:
        if any(self._rows(statement, project)[0][0] for statement in OPEN.values()):
            return False
        return len(self._rows(ANSWERS, project)) >= count

    def balance(self, project: Any, count: int, acknowledged: Iterable[str]) -> Balance:
        """Hold a project's rows against what was acknowledged of so many runs."""
        found = Balance()
        answers = self._rows(ANSWERS, project)
        times = Counter(row[0] for row in answers)
        known = set(acknowledged)
        found.lost = sorted(known - set(times))
        found.doubled = sorted(one for one, count in times.items() if count > 1)
        if len(known) == count:
            found.doubled += sorted(set(times) - known)
        for row in answers:
            if row[2] != row[3] or row[7] != row[9]:
                found.doubled.append(f"{row[0]}: calls {row[2:4]}, names {row[7::2]}")
            if row[4] != "finished":
                found.stuck.append(f"{row[0]}: {row[4]}")
        for name, statement in OPEN.items():
            if number := self._rows(statement, project)[0][0]:
                found.stuck.append(f"{number} rows: {name}")
        for name in ("sightings", "review items", "sessions"):
            counted = Counter(self._rows(TOLD[name], project))
            found.doubled += [f"{name}: {row}" for row, n in counted.items() if n > 1]
        return found

    def told(self, project: Any) -> dict[str, Counter[tuple[Any, ...]]]:
        """Return what two projects with the same runs have alike."""
        told = {name: Counter(self._rows(text, project)) for name, text in TOLD.items()}
        return {"answers": Counter(self._rows(ANSWERS, project)), **told}

    def answers(self, project: Any) -> Counter[tuple[Any, ...]]:
        """Return the answers that have their verdict, each with what it says."""
        rows = self._rows(ANSWERS, project)
        return Counter(row for row in rows if row[4] == "finished")

    def _rows(self, statement: LiteralString, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self._url, connect_timeout=10) as connection:
            return connection.execute(statement, values).fetchall()


def unequal(
    one: Mapping[str, Counter[tuple[Any, ...]]],
    other: Mapping[str, Counter[tuple[Any, ...]]],
) -> dict[str, list[str]]:
    """Return what only one of two projects holds, by what it is."""
    found = {}
    for name, rows in one.items():
        missing, more = rows - other[name], other[name] - rows
        if missing or more:
            lines = [f"- {row}" for row in missing.elements()]
            lines += [f"+ {row}" for row in more.elements()]
            found[name] = lines
    return found

"""Memory at 10,000, 100,000 and 1,000,000 entries: contexts, search, remembering.

    python -m bench.memory [entries …]

Fills a new project in the configured database, continuing after an earlier call; drop
the database afterwards. Each session has 100 entries, and one long session a hundredth
of all. In addition there are a tenth as many constraints and deliveries, and as many
sightings of one name. Prints the minimum, p50 and p95 in milliseconds, within the
process, with the load of the machine:

- **context**: compiled and recorded, for a new session, a usual one and the long one,
  with a task that names five things;
- **search**: for a name in five entries, the same with a typing error, a word of one
  entry, and a word of every twelfth, also with a typing error;
- **remember**: an answer with ten names, and with the name of all the sightings, in a
  transaction that is rolled back.
"""

import hashlib
import logging
import os
import sys
from collections.abc import Callable
from typing import Any
from uuid import uuid4

from bench.timing import timed

SIZES = (10_000, 100_000, 1_000_000)
ROUNDS = 40
STEP = 20_000
OF_SESSION = 100
TASK = "Mend `{0}`, `{1}` and `src/part_7.py`; see `{2}` and `x.y`."
SESSIONS = """
INSERT INTO ingest_session (created_at, project_id, key, id)
SELECT now(), %(project)s, 's' || n, gen_random_uuid()
FROM generate_series(%(first)s / 100, %(last)s / 100) AS n
ON CONFLICT DO NOTHING
"""
ENTRIES = """
INSERT INTO memory_memoryentry (created_at, updated_at, id, project_id, session_id, key,
    kind, state, mention_kind, mention_key, text, suggestion, mention_status,
    confidence, grade, interaction_id, source)
SELECT at, at, gen_random_uuid(), %(project)s,
    CASE WHEN n %% 101 = 50 THEN %(long)s ELSE session.id END, 'k' || n,
    kind, 'active', CASE WHEN kind = 'gap' THEN '' ELSE 'package' END,
    CASE WHEN kind = 'gap' THEN '' ELSE name END,
    CASE WHEN kind = 'gap' THEN 'no test of part ' || n || ' was run' ELSE name END,
    '', CASE WHEN kind = 'correction' THEN 'unverified' ELSE '' END, 0.9,
    CASE WHEN kind = 'finding' THEN 'C' ELSE '' END, gen_random_uuid(),
    CASE WHEN kind = 'correction' THEN 'reviewer' ELSE 'verification' END
FROM (
    SELECT n, now() - make_interval(secs => (10000000 - n)) AS at,
        left(md5((n / 5)::text), 6) || '-' || right(md5((n / 5)::text), 6) AS name,
        CASE WHEN n %% 100 < 60 THEN 'finding' WHEN n %% 100 < 90 THEN 'blocker'
            WHEN n %% 100 < 98 THEN 'gap' ELSE 'correction' END AS kind
    FROM generate_series(%(first)s, %(last)s) AS n
) AS made
JOIN ingest_session AS session
    ON session.project_id = %(project)s AND session.key = 's' || n / 100
"""
CONSTRAINTS = """
INSERT INTO memory_constraint (created_at, updated_at, id, project_id, mention_kind,
    mention_key, text, suggestion, state, origin, pinned, interaction_count,
    session_count, key_count, retired_reason, last_seen_at)
SELECT now(), now(), gen_random_uuid(), %(project)s, 'package',
    'no-' || to_hex(n) || '-kit', 'no-' || to_hex(n) || '-kit', '', 'active',
    'recurrence', false, 3, 3, 3, '', now() - make_interval(secs => n)
FROM generate_series(%(first)s / 10 + 1, %(last)s / 10) AS n
"""
DELIVERIES = """
INSERT INTO memory_contextdelivery (created_at, id, project_id, session_key, sha256,
    format, budget, tokens, counts, entry_ids, constraint_ids, held_out)
SELECT now() - make_interval(secs => n), gen_random_uuid(), %(project)s,
    's' || n %% 1000, md5(n::text) || md5(n::text), 'text', 1000, 900, '{}', '{}', '{}',
    '{}'
FROM generate_series(%(first)s / 10 + 1, %(last)s / 10) AS n
"""
SIGHTINGS = """
INSERT INTO memory_sighting (created_at, project_id, constraint_id, session_id,
    api_key_id, interaction_id, seen_at, counts)
SELECT now(), %(project)s, %(hot)s, session.id, %(key)s, gen_random_uuid(),
    now() - make_interval(secs => n), true
FROM generate_series(%(first)s, %(last)s) AS n
JOIN ingest_session AS session
    ON session.project_id = %(project)s AND session.key = 's' || n / 100
"""
TABLES = (
    "ingest_session",
    "memory_memoryentry",
    "memory_constraint",
    "memory_contextdelivery",
    "memory_sighting",
)


def main(argv: list[str] | None = None) -> int:
    """Fill step by step; print the minimum, p50 and p95 in milliseconds."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    for size in [int(word) for word in argv or ()] or SIZES:
        memory = Memory()
        memory.fill(size)
        for name, act in memory.acts(size).items():
            best, p50, p95 = timed(act, ROUNDS)
            figures = f"best {best:7.1f}  p50 {p50:7.1f}  p95 {p95:7.1f}"
            print(f"{size:>9,} {name:<34} {figures}  load {os.getloadavg()[0]:.1f}")
            sys.stdout.flush()
    return 0


def name_of(number: int) -> str:
    """Return the name that an entry is about; five entries share it."""
    digest = hashlib.md5(str(number // 5).encode(), usedforsecurity=False).hexdigest()
    return f"{digest[:6]}-{digest[-6:]}"


class Memory:
    """The filled project, and the requests that are measured."""

    def __init__(self) -> None:
        from verifyhub.accounts.models import ApiKey, Project
        from verifyhub.accounts.services import issue_api_key
        from verifyhub.ingest.models import Session
        from verifyhub.memory.models import Constraint

        self.project = Project.objects.get_or_create(
            slug="bench-memory", defaults={"name": "Bench"}
        )[0]
        # One key alone mentions this name.
        held = ApiKey.objects.filter(project=self.project).order_by("created_at")
        self.key = (
            held.first()
            or issue_api_key(project=self.project, name="k", scopes=["ingest"])[0]
        )
        self.long, _ = Session.objects.get_or_create(project=self.project, key="long")
        self.hot, _ = Constraint.objects.get_or_create(
            project=self.project, mention_kind="package", mention_key="hot", text="hot"
        )

    def fill(self, size: int) -> None:
        """Add entries up to a number."""
        from django.db import connection

        from verifyhub.memory.models import Constraint, MemoryEntry

        filled = MemoryEntry.objects.filter(project=self.project).count()
        ids = {
            "project": self.project.id,
            "long": self.long.id,
            "hot": self.hot.id,
            "key": self.key.id,
        }
        with connection.cursor() as cursor:
            # Filling and vacuuming are not measured.
            cursor.execute("SET statement_timeout = 0")
            for first in range(filled, size, STEP):
                span = {"first": first, "last": min(size, first + STEP) - 1}
                for rows in (SESSIONS, ENTRIES, CONSTRAINTS, DELIVERIES, SIGHTINGS):
                    cursor.execute(rows, ids | span)
            for table in TABLES:
                cursor.execute(f"VACUUM (ANALYZE) {table}")
        Constraint.objects.filter(pk=self.hot.pk).update(
            interaction_count=size, session_count=size // OF_SESSION, key_count=1
        )

    def acts(self, size: int) -> dict[str, Callable[[], object]]:
        """Return the measured calls, by name."""
        usual = f"s{size // OF_SESSION // 2}"
        name = name_of(size // 2)
        mistyped = f"{name[0]}{name[2]}{name[1]}{name[3:]}"
        return {
            "context: a new session": lambda: self._context("new", size),
            "context: a session of 100": lambda: self._context(usual, size),
            "context: a session of a hundredth": lambda: self._context("long", size),
            "the last delivery of a session": lambda: self._last("s7"),
            "search: a name": lambda: self._search(name),
            "search: a mistyped name": lambda: self._search(mistyped),
            "search: a word of one entry": lambda: self._search(
                f"part {size // 2 + 95}"
            ),
            "search: a word of every twelfth": lambda: self._search("test"),
            "search: that word, mistyped": lambda: self._search("tesst"),
            "remember: ten new names": lambda: self._remember(
                [f"new-{n}" for n in range(10)]
            ),
            "remember: the name seen so often": lambda: self._remember(["hot"]),
        }

    def _context(self, session: str, size: int) -> object:
        from verifyhub.memory.services import deliver_context

        return deliver_context(
            project=self.project,
            session_key=session,
            task=TASK.format(*(name_of(size * n // 7) for n in range(1, 4))),
            budget=1500,
            format="json",
        )

    def _last(self, session: str) -> object:
        from verifyhub.memory.models import ContextDelivery

        rows = ContextDelivery.objects.filter(project=self.project, session_key=session)
        return rows.order_by("-created_at", "-id").first()

    def _search(self, text: str) -> object:
        from verifyhub.memory.search import SearchFilters, search

        return search(self.project, SearchFilters(text=text))

    def _remember(self, names: list[str]) -> None:
        from django.db import transaction
        from django.utils import timezone

        from verifyhub.ingest.models import Interaction
        from verifyhub.learning.services.record import JudgedReport
        from verifyhub.memory.services import remember_reports

        with transaction.atomic():
            answer = Interaction.objects.create(
                project=self.project,
                session=self.long,
                api_key=self.key,
                content_sha256="",
                task="",
                answer="",
            )
            judged = JudgedReport(answer, uuid4(), _report(names))
            remember_reports([judged], now=timezone.now())
            transaction.set_rollback(True)


def _report(names: list[str]) -> Any:
    from verifyhub.engine.verdicts import VerificationReport

    mentions = [
        {
            "text": name,
            "kind": "package",
            "key": name,
            "spans": [[0, len(name)]],
            "status": "unverified",
            "reason": "not_found",
            "grade": None,
            "evidence": [],
        }
        for name in names
    ]
    return VerificationReport.from_dict(
        {
            "verdict": "uncertain",
            "confidence": 0.8,
            "mentions": mentions,
            "decision": {"action": "accept", "reason": "", "follow_ups": []},
        }
    )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

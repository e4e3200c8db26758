"""The metrics page's figures at 10,000, 100,000 and 1,000,000 answers.

    python -m bench.metrics [answers …]

Fills a project of its own, in the database of the settings, by SQL: twenty agents, an
answer every seven seconds, names, calls of models and decisions. Then it counts the
days as the background task does, and prints how long that took, and for each window the
least time, p50 and p95 in milliseconds of what the page's tabs read: once when nothing
has changed, once with changes that are still to be counted. Drop the database
afterwards.
"""

import logging
import os
import resource
import sys
import time
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")

STEP = 50_000
TABLES = (
    "ingest_interaction",
    "verification_verification",
    "verification_mentionverdict",
    "inference_modelcall",
    "review_reviewitem",
    "metrics_slicecount",
    "metrics_daycount",
    "metrics_dayname",
)
ROWS = """
WITH made AS (
    INSERT INTO ingest_interaction (created_at, id, project_id, content_sha256, task,
        answer, agent_name, agent_tier, agent_role, parent, goal, verification_type,
        verification_results, tool_call_count, session_id, run_cost_microdollars)
    SELECT now() - make_interval(secs => n * 7), gen_random_uuid(), %(project)s, '',
        'Part ' || n, 'In `price.py`.', 'agent-' || n %% 20,
        CASE n %% 3 WHEN 0 THEN 'large' ELSE 'small' END, '', '', '', '', '[]', 0,
        %(session)s, 10000
    FROM generate_series(%(first)s, %(last)s) AS n
    RETURNING id, created_at, agent_name, substr(task, 6)::int AS n
), run AS (
    INSERT INTO verification_verification (created_at, id, project_id, interaction_id,
        number, state, token, attempts, error, strictness, report, verdict,
        human_verdict, action, mention_count, unverified_count, engine_version,
        confidence, coverage, duration_ms)
    SELECT created_at, id, %(project)s, id, 1, 'finished', 0, 1, '', '',
        jsonb_build_object('warnings', jsonb_build_array(
            jsonb_build_object('code', 'W' || n %% 9)), 'checks', jsonb_build_array(
            jsonb_build_object('name', 'level_1_structure', 'outcome',
                CASE n %% 4 WHEN 0 THEN 'failed' ELSE 'passed' END,
                'details', jsonb_build_object('duration_ms', 1.5)))),
        CASE n %% 4 WHEN 0 THEN 'reject' WHEN 1 THEN 'uncertain' ELSE 'accept' END,
        '', '', 2, 1, '', (n %% 100) / 100.0, 1, 5 + n %% 400
    FROM made
), named AS (
    INSERT INTO verification_mentionverdict (id, project_id, verification_id, index,
        text, kind, key, status, reason, grade, suggestion, human_status)
    SELECT gen_random_uuid(), %(project)s, id, place, name, 'file', name,
        CASE WHEN place = 1 AND n %% 4 < 2 THEN 'unverified' ELSE 'verified' END,
        CASE WHEN place = 1 AND n %% 4 < 2 THEN 'not_found' ELSE 'found_exact' END,
        '', '', ''
    FROM made, LATERAL (
        VALUES (0, 'price.py'), (1, 'ghost' || (n::bigint * n) %% 5003 || '.py')
    )
        AS mention (place, name)
), asked AS (
    INSERT INTO inference_modelcall (created_at, id, project_id, verification_id,
        purpose, tier, endpoint_name, model, prompt_version, opinion_key, outcome,
        cost_microdollars, charged_tokens, is_estimate, latency_ms,
        reserved_microdollars, reserved_tokens, reserved_ms)
    SELECT created_at, gen_random_uuid(), %(project)s, id, 'cross_tier', 'medium', '',
        '', '', '', 'ok', 1000 + n %% 500, 900, false, 700, 0, 0, 0
    FROM made WHERE n %% 5 = 0
)
INSERT INTO review_reviewitem (created_at, id, project_id, verification_id,
    interaction_id, reasons, reason_kinds, risk, state, human_verdict, resolved_at,
    resolved_by_id, version, rank, ranked_at, agent_name, machine_verdict, due_at,
    round)
SELECT created_at, gen_random_uuid(), %(project)s, id, id, '{x}', '{unverified_names}',
    0.5, CASE WHEN decided THEN 'overridden' ELSE 'open' END,
    CASE WHEN decided THEN 'accept' ELSE '' END,
    CASE WHEN decided THEN created_at + interval '1 hour' END,
    CASE WHEN decided THEN %(user)s END, 0, 0, created_at, agent_name, 'reject', NULL, 1
FROM made, LATERAL (SELECT n %% 8 = 0 AS decided) AS state
WHERE n %% 4 < 2
"""


def main(sizes: list[int]) -> None:
    """Fill, count and measure at each size."""
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from verifyhub.accounts.models import Membership, Project, User

    slug = "bench-metrics"
    project, _ = Project.objects.get_or_create(slug=slug, defaults={"name": "Bench"})
    user, _ = User.objects.get_or_create(username=slug)
    Membership.objects.get_or_create(project=project, user=user, role="lead")
    for size in sizes:
        fill(project, user, size)
        measure(project, size)


def fill(project: Any, user: Any, size: int) -> None:
    """Add answers until a project has so many."""
    from django.db import connection

    from verifyhub.ingest.models import Interaction, Session

    session, _ = Session.objects.get_or_create(project=project, key="bench")
    values = {"project": project.id, "user": user.pk, "session": session.pk}
    filled = Interaction.objects.filter(project=project).count()
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        # References are right by making, and counting follows: no trigger need run.
        cursor.execute("SET session_replication_role = replica")
        for first in range(filled + 1, size + 1, STEP):
            last = min(size, first + STEP - 1)
            cursor.execute(ROWS, values | {"first": first, "last": last})
        cursor.execute("SET session_replication_role = origin")
        for table in TABLES:
            cursor.execute(f"VACUUM (ANALYZE) {table}")


def measure(project: Any, size: int) -> None:
    """Print what counting took, and what reading takes."""
    from django.db import connection
    from django.utils import timezone

    from bench.review_queue import timed
    from verifyhub.metrics.selectors.levels import levels
    from verifyhub.metrics.selectors.questions import questions
    from verifyhub.metrics.services import count_next_day, recount, refresh
    from verifyhub.metrics.windows import window_from
    from verifyhub.verification.models import Verification

    recount(project_id=project.pk)
    begun, days = time.perf_counter(), 0
    while count_next_day(project_id=project.pk):
        days += 1
    took = time.perf_counter() - begun
    print(f"{size:>9,} counted {days} days in {took:.1f} s, {size / took:,.0f}/s")
    with connection.cursor() as cursor:
        for table in TABLES[-3:]:
            cursor.execute(f"VACUUM (ANALYZE) {table}")
    recent = Verification.objects.filter(project=project).order_by("-created_at")
    for changed in ("nothing changed", "100 changed"):
        if changed != "nothing changed":
            for run in recent.only("id")[:100]:
                Verification.objects.filter(pk=run.pk).update(human_verdict="")
        for days_asked in ("30", "all"):
            for what, read in (
                ("questions", questions),
                ("levels", lambda *of: levels(*of[:2])),
            ):
                now = timezone.now()
                window = window_from(days_asked, now)
                least, p50, p95 = timed(lambda: read(project, window, now))  # noqa: B023
                print(
                    f"{size:>9,} {what:<9} {days_asked:>3} days, {changed:<15}"
                    f" least {least:6.1f}  p50 {p50:6.1f}  p95 {p95:6.1f} ms"
                    f"  load {os.getloadavg()[0]:.1f}",
                    flush=True,
                )
    begun = time.perf_counter()
    while refresh(project_id=project.pk):
        pass
    print(f"{size:>9,} took the changes up in {time.perf_counter() - begun:.2f} s")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{size:>9,} most memory {most:.0f} MiB", flush=True)


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or [10_000, 100_000, 1_000_000])

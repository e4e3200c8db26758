"""The review queue at 10,000, 100,000 and 1,000,000 items: pages, counts, next.

    python -m bench.review_queue [items …]

Fills a new project in the configured database, continuing after an earlier call; drop
the database afterwards. Prints the minimum, p50 and p95 in milliseconds of the queue's
queries, and of whole requests through Django, with the load of the machine.
"""

import logging
import os
import sys
from collections.abc import Callable
from typing import Any

from bench.timing import timed

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")

ROUNDS = 30
STEP = 50_000
TABLES = ("review_reviewitem", "ingest_interaction", "verification_verification")
# Static files keep their names, so that measuring needs no collected files.
PLAIN_FILES = {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
ROWS = """
WITH made AS (
    INSERT INTO ingest_interaction (created_at, id, project_id, content_sha256, task,
        answer, agent_name, agent_tier, agent_role, parent, goal, verification_type,
        verification_results, tool_call_count)
    SELECT now() - make_interval(secs => n * 2), gen_random_uuid(), %(project)s, '',
        'Where is the price of part ' || n || ' computed?', 'In `price.py`.',
        'agent-' || n %% 20, '', '', '', '', '', '[]', 0
    FROM generate_series(%(first)s, %(last)s) AS n
    RETURNING id, created_at, agent_name, task
), run AS (
    INSERT INTO verification_verification (created_at, id, project_id, interaction_id,
        number, state, token, attempts, error, strictness, report, verdict,
        human_verdict, action, mention_count, unverified_count, engine_version)
    SELECT created_at, id, %(project)s, id, 1, 'finished', 0, 1, '', '', '{}', 'reject',
        '', '', 0, 0, ''
    FROM made
)
INSERT INTO review_reviewitem (created_at, id, project_id, verification_id,
    interaction_id, reasons, reason_kinds, risk, state, human_verdict, resolved_at,
    resolved_by_id, version, rank, ranked_at, agent_name, machine_verdict, due_at,
    round)
SELECT created_at, gen_random_uuid(), %(project)s, id, id, '{x}',
    CASE WHEN random() < 0.001 THEN '{look_alike}' ELSE '{unverified_names}' END
        ::varchar[],
    random(),
    CASE WHEN decided THEN 'confirmed' ELSE 'open' END,
    CASE WHEN decided THEN 'reject' ELSE '' END,
    CASE WHEN decided THEN created_at END,
    CASE WHEN decided AND n %% 50 = 0 THEN %(user)s END,
    0,
    ln(0.02 + random()) / ln(2) - extract(epoch FROM created_at) / 3600 / 72,
    created_at, agent_name, 'reject', created_at + interval '1 day', 1
FROM made, LATERAL (
    SELECT regexp_replace(task, '[^0-9]', '', 'g')::int AS n
) AS place, LATERAL (SELECT n %% 5 = 0 AS decided) AS state
"""


def main(sizes: list[int]) -> None:
    """Fill step by step; print p50 and p95 in milliseconds at each size."""
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from django.test.utils import override_settings

    from verifyhub.accounts.models import Membership, Project, User

    slug = "bench-queue"
    project, _ = Project.objects.get_or_create(slug=slug, defaults={"name": "Bench"})
    user, _ = User.objects.get_or_create(username=slug)
    Membership.objects.get_or_create(project=project, user=user, role="lead")
    for size in sizes:
        fill(project, user, size)
        with override_settings(STORAGES=PLAIN_FILES):
            for name, act in (acts(project, user) | pages(project, user)).items():
                least, p50, p95 = timed(act, ROUNDS)
                figures = f"least {least:7.1f}  p50 {p50:7.1f}  p95 {p95:7.1f} ms"
                load = f"load {os.getloadavg()[0]:.1f}"
                print(f"{size:>9,} {name:<26} {figures}  {load}", flush=True)


def fill(project: object, user: object, size: int) -> None:
    """Add items up to a number, a fifth of them decided."""
    from django.db import connection

    from verifyhub.review.models import ReviewItem

    pid = project.id  # type: ignore[attr-defined]
    values = {"project": pid, "user": user.pk}  # type: ignore[attr-defined]
    filled = ReviewItem.objects.filter(project_id=pid).count()
    with connection.cursor() as cursor:
        # Filling and vacuuming are not measured.
        cursor.execute("SET statement_timeout = 0")
        # The references are correct by construction; checking millions takes minutes.
        cursor.execute("SET session_replication_role = replica")
        for first in range(filled + 1, size + 1, STEP):
            last = min(size, first + STEP - 1)
            cursor.execute(ROWS, values | {"first": first, "last": last})
        cursor.execute("SET session_replication_role = origin")
        for table in TABLES:
            cursor.execute(f"VACUUM (ANALYZE) {table}")


def pages(project: object, user: object) -> dict[str, Callable[[], object]]:
    """Return whole requests by name: the list, its updates, next, an answer's page."""
    from urllib.parse import urlencode

    from django.test import Client
    from django.urls import reverse
    from django.utils import timezone

    from verifyhub.review.models import ReviewItem

    client = Client(SERVER_NAME="localhost")
    client.force_login(user)  # type: ignore[arg-type]
    items = ReviewItem.objects.filter(project_id=project.id)  # type: ignore[attr-defined]
    first = list(items.filter(state="open").order_by("-rank", "id")[:25])
    news = {"since": timezone.now().isoformat(), "shown": [one.id for one in first]}

    def get(name: str, query: dict[str, object], *args: object) -> Callable[[], object]:
        address = reverse(name, args=[project.slug, *args])  # type: ignore[attr-defined]
        url = f"{address}?{urlencode(query, doseq=True)}"
        return lambda: answered(client.get(url))

    def answered(response: Any) -> None:
        assert response.status_code in {200, 302}, response.request["PATH_INFO"]

    answer = answer_of(project)
    return {
        "request: list": get("review:queue", {"all": 1}),
        "request: news": get("review:queue-live", news),
        "request: next": get("review:queue-next", {"after": first[0].interaction_id}),
        "request: answer": get("review:answer-detail", {}, answer),
        "request: a name of it": get("review:answer-detail", {"mention": 3}, answer),
        "request: answers alike": get("review:answer-similar", {}, answer),
    }


def answer_of(project: object) -> object:
    """Return the id of an answer of the project with forty names and calls."""
    from bench.answers import send
    from verifyhub.ingest.models import Interaction

    known = Interaction.objects.filter(project=project, client_id="measured").first()
    return (known or send(project, "measured", 4_000)).id


def acts(project: object, user: object) -> dict[str, Callable[[], object]]:
    """Return the measured calls, by name."""
    from django.utils import timezone

    from verifyhub.ingest.selectors import agent_names
    from verifyhub.review.queue import Holder, lease_next
    from verifyhub.review.queue import selectors as queues
    from verifyhub.review.queue.views import BUILT_IN_VIEWS

    pid = project.id  # type: ignore[attr-defined]
    now = timezone.now()
    tabs = [{}, *BUILT_IN_VIEWS]

    def page(**filters: str) -> Callable[[], object]:
        return lambda: queues.queue_page(pid, filters, now=now)

    def count(**filters: str) -> Callable[[], object]:
        return lambda: queues.queue_count(pid, filters, now=now)

    def take() -> object:
        last = lease_next(project_id=pid, holder=Holder(user=user))  # type: ignore[arg-type]
        from verifyhub.review.models import ReviewItem

        after = ReviewItem.objects.get(pk=last.item_id) if last else None
        return lease_next(project_id=pid, holder=Holder(user=user), after=after)  # type: ignore[arg-type]

    return {
        "page": page(),
        "page, one agent": page(agent="agent-7"),
        "page, rare reason": page(reason="look_alike"),
        "page, high risk": page(risk="high"),
        "page, text not there": page(text="nowhere"),
        "page, due": page(due="overdue"),
        "page, one agent's rare": page(agent="agent-7", reason="look_alike"),
        "page, last week's low": page(risk="low", age="-168"),
        "page, nobody's": page(assignee="none"),
        "page, nobody with": page(assignee="nobody-there"),
        "page, decided": page(state="resolved"),
        "counts of all tabs": lambda: queues.view_counts(pid, tabs, now=now, user=user),  # type: ignore[arg-type]
        "count, all": count(),
        "count, rare reason": count(reason="look_alike"),
        "count, overdue": count(due="overdue"),
        "news": lambda: queues.news_since(pid, {}, since=now, now=now),
        "agents": lambda: agent_names(pid),
        "next, twice": take,
    }


if __name__ == "__main__":
    main([int(one) for one in sys.argv[1:]] or [10_000, 100_000, 1_000_000])

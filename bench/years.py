"""Two years of answers: latency of pages, agents and senders by their number.

    python -m bench.years [--interactions 50000 5000000] [--home FOLDER] [--rounds 30]

Starts a separate PostgreSQL and fills a database for each number of answers: over two
years, in order of time, in one large project (three fifths of the answers) and five
others (`metrics_rows`, `years_rows`). Then it makes the same requests at every size
alternately, so that other load affects all sizes equally. It prints the minimum, p50
and p95 in milliseconds, of whole requests through Django and of the verification of a
run, with the ratio of the last size to the first. Finally the large project gets a
retention of 365 days: the task deletes older runs in a separate process while pages are
requested and runs arrive.

Tables have the indexes of their keys while they are filled; other indexes are built at
the end. The task counts the newest days, which are copied to all others. With `--home`
the database is kept, and another call continues with it.
"""

import argparse
import logging
import math
import os
import secrets
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import UUID

from bench.timing import quantiles

SIZES = (50_000, 5_000_000)
SPAN = timedelta(days=730)
KEPT_DAYS = 365
# Shares of the answers by project; requests use the first one.
SHARES = (0.6, 0.2, 0.1, 0.05, 0.03, 0.02)
OF_SESSION = 20
STEP = 100_000
# The number of a step after all others.
ALL_MADE = -1
CONNECTIONS = 2
# Rounds are divided into this many turns of each size.
TURNS = 3
# Requests during the deletion of old runs.
BESIDE_RETENTION = (
    "queue: first page",
    "an answer",
    "context of a session",
    "API: interactions",
    "a run comes in",
    "its verification",
)
PLAN = """
CREATE TABLE IF NOT EXISTS bench_plan (until timestamptz NOT NULL);
CREATE TABLE IF NOT EXISTS bench_step (step int PRIMARY KEY);
CREATE TABLE IF NOT EXISTS bench_index (name text PRIMARY KEY, definition text NOT NULL)
"""
PLAIN_INDEXES = """
INSERT INTO bench_index
SELECT name.relname, replace(pg_get_indexdef(index.indexrelid), ' ON ONLY ', ' ON ')
FROM pg_index AS index
JOIN pg_class AS name ON name.oid = index.indexrelid
JOIN pg_class AS held ON held.oid = index.indrelid
WHERE held.relname = ANY(%s) AND NOT index.indisunique
ON CONFLICT DO NOTHING
"""
DIVIDED = (
    "events_event",
    "ingest_toolcall",
    "verification_claimverdict",
    "verification_mentionverdict",
)
# Earlier months, instead of the single partition of a new database.
MONTHS = """
DROP TABLE {table}_first;
CREATE TABLE {table}_first (LIKE {table} INCLUDING ALL);
DO $do$ BEGIN EXECUTE format(
    'ALTER TABLE {table} ATTACH PARTITION {table}_first FOR VALUES FROM (MINVALUE)'
    ' TO (%L)', partitions_lowest_id(date_trunc('month', timestamptz '{since}'))
); END $do$;
SELECT partitions_make('{table}', 3)
"""
WAITING = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND wait_event_type = 'Lock'
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Fill, compare, and delete a year."""
    parser = argparse.ArgumentParser(prog="python -m bench.years")
    add = parser.add_argument
    add("--interactions", nargs="+", type=int, default=SIZES)
    add("--home", type=Path, help="where the database is, and stays")
    add("--rounds", type=int, default=30)
    add("--seconds", type=float, default=60, help="that old runs are deleted for")
    add("--delete", type=UUID, help=argparse.SUPPRESS)
    asked = parser.parse_args(argv)
    os.environ["DJANGO_SETTINGS_MODULE"] = "verifyhub.config.settings"
    if asked.delete:
        delete(asked.delete, asked.seconds)
        return 0
    with server(asked.home) as address:
        # No broker, so that no request counters run.
        os.environ["BROKER_URL"] = "amqp://127.0.0.1:1"
        # While two cores are filling, connecting may take long.
        os.environ["DATABASE_URL"] = f"{address}?connect_timeout=60"
        os.environ["VERIFYHUB_SECRET_KEY"] = secrets.token_hex()
        start()
        from django.test.utils import override_settings

        from bench.review_queue import PLAIN_FILES

        for size in asked.interactions:
            fill(size)
        with override_settings(STORAGES=PLAIN_FILES):
            projects = compare(asked.interactions, asked.rounds)
            if asked.seconds:
                retain(projects[asked.interactions[-1]], asked.seconds)
    return 0


def start() -> None:
    """Set up Django without logging."""
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from verifyhub.common.jobs import doorbell

    # No worker needs a wake-up, since the work is called here.
    doorbell.silent_until = math.inf


@contextmanager
def server(kept: Path | None) -> Iterator[str]:
    """Run a PostgreSQL in a folder, or in a temporary one; yield its address."""
    from verifyhub.cli.home import Home
    from verifyhub.cli.postgres import Postgres

    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        home = Home((kept or Path(folder)).resolve())
        home.create()
        postgres = Postgres(home)
        child = postgres.start()
        try:
            yield postgres.url
        finally:
            child.stop()


def use(database: str) -> None:
    """Switch to another database of the server."""
    from django.conf import settings
    from django.db import connection

    connection.close()
    connection.settings_dict["NAME"] = database
    settings.DATABASES["default"]["NAME"] = database


def name_of(size: int) -> str:
    """Return the name of the database with a number of answers."""
    return f"years_{size}"


def fill(size: int) -> None:
    """Create a database and fill it, or continue after an earlier call."""
    from django.core.management import call_command
    from django.db import connection

    name, former = name_of(size), connection.settings_dict["NAME"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT FROM pg_database WHERE datname = %s", [name])
        if not cursor.fetchall():
            cursor.execute(f"CREATE DATABASE {name}")
    use(name)
    call_command("migrate", interactive=False, verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute(PLAN)
        cursor.execute(
            "INSERT INTO bench_plan SELECT now()"
            " WHERE NOT EXISTS (SELECT FROM bench_plan)"
        )
        cursor.execute("SELECT until FROM bench_plan")
        (until,) = cursor.fetchone()
        cursor.execute("SELECT step FROM bench_step")
        done = {step for (step,) in cursor.fetchall()}
        if not done:
            for table in DIVIDED:
                cursor.execute(MONTHS.format(table=table, since=until - SPAN))
        if ALL_MADE not in done:
            begun = time.perf_counter()
            with filling(cursor):
                store(cursor, size, until, done)
                say(size, f"stored in {time.perf_counter() - begun:.0f} s")
                finish(cursor, size, until)
            say(size, f"filled in {time.perf_counter() - begun:.0f} s")
    use(former)


@contextmanager
def filling(cursor: Any) -> Iterator[None]:
    """Make the server faster while filling: less durable, and with rare checkpoints."""
    meanwhile = {
        "fsync": "off",
        "full_page_writes": "off",
        "synchronous_commit": "off",
        "autovacuum": "off",
        "max_wal_size": "8GB",
    }
    for setting, value in meanwhile.items():
        cursor.execute(f"ALTER SYSTEM SET {setting} = '{value}'")
    cursor.execute("SELECT pg_reload_conf()")
    calm(cursor)
    try:
        yield
    finally:
        for setting in meanwhile:
            cursor.execute(f"ALTER SYSTEM RESET {setting}")
        cursor.execute("SELECT pg_reload_conf()")
        cursor.execute("CHECKPOINT")


def calm(cursor: Any) -> None:
    """Allow a connection the time and memory that filling needs."""
    cursor.execute("SET statement_timeout = 0")
    cursor.execute("SET lock_timeout = 0")
    cursor.execute("SET work_mem = '128MB'")
    cursor.execute("SET maintenance_work_mem = '1GB'")
    cursor.execute("SET max_parallel_maintenance_workers = 0")


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled project, with the number of answers and the distance between them."""

    id: UUID
    keys: list[UUID]
    count: int

    @property
    def apart(self) -> float:
        """Seconds between two answers."""
        return SPAN.total_seconds() / self.count

    def numbers(self, step: int, steps: int) -> tuple[int, int]:
        """Return the newest and oldest answer of a step; the first step is the oldest.

        A step contains whole sessions, so that two connections never share one.
        """
        sessions = self.count // OF_SESSION
        newest = sessions - sessions * (step + 1) // steps
        oldest = sessions - sessions * step // steps
        return newest * OF_SESSION, oldest * OF_SESSION - 1


def projects_of(size: int) -> tuple[list[Filled], list[int]]:
    """Return the projects to fill, the large one first, and their five reviewers."""
    from bench.metrics import tenant
    from verifyhub.accounts.models import ApiKey, Project
    from verifyhub.accounts.services import issue_api_key

    large, users = tenant()
    others = [
        Project.objects.get_or_create(slug=f"bench-{number}", defaults={"name": "B"})[0]
        for number in range(1, len(SHARES))
    ]

    def keys(project: Any) -> list[UUID]:
        # Three people: a name that was shown to all of them recurs.
        for user in users[ApiKey.objects.filter(project=project).count() : 3]:
            issue_api_key(
                project=project, name="bench", scopes=["ingest"], created_by=user
            )
        return list(ApiKey.objects.filter(project=project).values_list("pk", flat=True))

    filled = [
        Filled(project.id, keys(project), round(size * share))
        for project, share in zip([large, *others], SHARES, strict=True)
    ]
    return filled, [user.pk for user in users]


def store(cursor: Any, size: int, until: datetime, done: set[int]) -> None:
    """Store the answers of the missing steps, the oldest first."""
    from bench import metrics_rows, years_rows

    projects, users = projects_of(size)
    cursor.execute(PLAIN_INDEXES, [[*metrics_rows.TABLES, *years_rows.TABLES]])
    cursor.execute("SELECT name FROM bench_index")
    for (name,) in cursor.fetchall():
        cursor.execute(f'DROP INDEX IF EXISTS "{name}"')
    if not done:
        for project in projects:
            values = {"project": project.id, "until": until}
            times = {"times": max(3, project.count // 5000)}
            cursor.execute(years_rows.CONSTRAINTS, values | times)
    steps = max(CONNECTIONS, size // STEP)
    answers = metrics_rows.answers(*years_rows.BESIDE)

    def one(step: int) -> None:
        from django.db import connection, transaction

        with connection.cursor() as own, transaction.atomic():
            calm(own)
            # The references are correct by construction, and counting follows.
            own.execute("SET session_replication_role = replica")
            for project in projects:
                placed = metrics_rows.placed(
                    *project.numbers(step, steps),
                    until=until,
                    apart=project.apart,
                    waits_since=until - timedelta(days=14),
                    words=3,
                )
                mine = {"project": project.id, "keys": project.keys, "users": users}
                own.execute(answers, placed | mine)
            own.execute("INSERT INTO bench_step VALUES (%s)", [step])
        connection.close()
        say(size, f"step {step + 1} of {steps}")

    each(one, [step for step in range(steps) if step not in done])


def finish(cursor: Any, size: int, until: datetime) -> None:
    """Build the indexes, the rows besides the answers, and the daily counts."""
    from bench.metrics_rows import COUNTS, PEOPLE, TABLES
    from bench.years_rows import SAID
    from bench.years_rows import TABLES as MORE
    from verifyhub.accounts.models import Project

    def make(index: tuple[str, str]) -> None:
        from django.db import connection

        name, definition = index
        with connection.cursor() as own:
            calm(own)
            own.execute(definition)
            own.execute("DELETE FROM bench_index WHERE name = %s", [name])
        connection.close()

    def tidy(table: str) -> None:
        from django.db import connection

        with connection.cursor() as own:
            calm(own)
            own.execute(f"VACUUM (ANALYZE) {table}")
        connection.close()

    cursor.execute("SELECT name, definition FROM bench_index ORDER BY 1")
    each(make, cursor.fetchall())
    say(size, "indexes made")
    projects, users = projects_of(size)
    cursor.execute("SET session_replication_role = replica")
    for project in projects:
        for statement in (*PEOPLE, SAID):
            cursor.execute(statement, {"project": project.id, "users": users})
    cursor.execute("SET session_replication_role = origin")
    each(tidy, [*TABLES, *MORE])
    say(size, "tidied up")
    count(cursor, Project.objects.get(pk=projects[0].id), until)
    each(tidy, COUNTS)
    cursor.execute("INSERT INTO bench_step VALUES (%s)", [ALL_MADE])


def each(act: Callable[[Any], None], things: Sequence[Any]) -> None:
    """Call a function for each item, on several connections."""
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(act, things))


def count(cursor: Any, project: Any, until: datetime) -> None:
    """Count the newest days, and copy their counts to all earlier days."""
    from verifyhub.metrics.models import CountState, DayCount, DayName, TotalName
    from verifyhub.metrics.services import count_next_day

    state = CountState.objects.filter(project_id=project.pk)
    while day := count_next_day(project_id=project.pk):
        if day < state.get().sliced_from:
            break
    values = {"project": project.pk, "day": day, "first": (until - SPAN).date()}
    for model in (DayCount, DayName, TotalName):
        table = model._meta.db_table
        names = [one.column for one in model._meta.concrete_fields]
        alike = ", ".join(name for name in names if name not in {"id", "day"})
        cursor.execute(
            f"INSERT INTO {table} (day, {alike}) SELECT made.day::date, {alike}"  # noqa: S608
            f" FROM {table} AS pattern, generate_series(%(first)s::date,"
            " %(day)s::date - 1, interval '1 day') AS made (day)"
            " WHERE project_id = %(project)s AND pattern.day = %(day)s",
            values,
        )
    state.update(counted_from=None)


@dataclass(frozen=True, slots=True)
class Act:
    """A timed call; its argument is the result of `before`, which is not timed."""

    run: Callable[[Any], object]
    before: Callable[[], Any] = lambda: None

    def took(self) -> float:
        """Call it; return milliseconds."""
        given = self.before()
        begun = time.perf_counter()
        self.run(given)
        return (time.perf_counter() - begun) * 1000


def acts(project: Any, user: Any) -> dict[str, Act]:
    """Return the calls for the current database, by name."""
    from urllib.parse import urlencode

    from django.test import Client
    from django.urls import reverse
    from django.utils import timezone

    from bench.review_queue import answer_of
    from verifyhub.accounts.services import issue_api_key
    from verifyhub.events.selectors import newest_events
    from verifyhub.ingest.models import Interaction
    from verifyhub.review.models import ReviewItem
    from verifyhub.verification.models import Verification
    from verifyhub.verification.services import run_verification

    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    _, secret = issue_api_key(
        project=project, name="bench", scopes=["ingest", "read"], created_by=user
    )
    bearer = {"Authorization": f"Bearer {secret}"}
    rows = Interaction.objects.filter(project=project).order_by("created_at")
    open_items = ReviewItem.objects.filter(project=project, state="open")
    item = open_items.order_by("-rank", "id")[0]
    middle = rows.filter(created_at__gt=timezone.now() - SPAN / 2)[0]
    session = middle.session.key if middle.session else ""
    answer, ghost = answer_of(project), "ghost4.py"
    position = newest_events(project)[200].position or 0
    since = (timezone.now() - timedelta(days=KEPT_DAYS)).date().isoformat()

    def checked(response: Any) -> None:
        if response.status_code not in {200, 202, 302}:
            raise RuntimeError(f"{response.request}: {response.status_code}")

    def page(view: str, /, *args: object, **query: object) -> Act:
        address = reverse(view, args=[project.slug, *args])
        url = f"{address}?{urlencode(query)}"
        return Act(lambda _: checked(client.get(url)))

    def api(path: str, /, **query: object) -> Act:
        url = f"/api/v1/{path}/?{urlencode(query)}"
        return Act(lambda _: checked(client.get(url, headers=bearer)))

    def post(_: object = None) -> None:
        body = {
            "task": "Where is the price computed?",
            "answer": "In `price.py`; see `ghost4.py` and `cart.py`.",
            "session": session,
            "agent": {"name": "agent-4"},
            "tool_calls": [
                {"tool": "Read", "input": {"file_path": name}, "output": name * 100}
                for name in ("price.py", "cart.py")
            ],
        }
        url = "/api/v1/interactions/"
        json = "application/json"
        checked(client.post(url, body, content_type=json, headers=bearer))

    def to_verify() -> UUID:
        post()
        waiting = Verification.objects.filter(project=project, state="pending")
        return waiting.latest("created_at").pk

    return {
        "queue: first page": page("review:queue", all=1),
        "queue: decided": page("review:queue", all=1, state="resolved"),
        "queue: next": page("review:queue-next", after=item.interaction_id),
        "an answer": page("review:answer-detail", answer),
        "answers like it": page("review:answer-similar", answer),
        "answers: first page": page("review:answer-list"),
        "answers: with a name": page("review:answer-list", name=ghost),
        "runs: first page": page("review:run-list"),
        "runs: part of a name": page("review:run-list", text=session[:13]),
        "memory: first page": page("memory:browser"),
        "memory: findings": page("memory:browser", tab="findings"),
        "memory: corrections": page("memory:browser", tab="corrections"),
        "memory: preferences": page("memory:browser", tab="preferences"),
        "memory: sessions": page("review:memory-sessions"),
        "memory: search of a name": page("memory:search", text=ghost),
        "context of a session": api(
            f"sessions/{session}/context", task=f"Mend `{ghost}` of `price.py`."
        ),
        "metrics: 30 days": page("metrics:dashboard", days=30),
        "metrics: a year": page("metrics:dashboard", days="dates", since=since),
        "metrics: inventions, 30 days": page("metrics:inventions", days=30),
        "metrics: inventions, a year": page(
            "metrics:inventions", days="dates", since=since
        ),
        "API: metrics of 30 days": api("metrics", days=30),
        "API: interactions": api("interactions"),
        "API: interactions of a session": api("interactions", session=session),
        "API: events": api("events", after=position),
        "events: first page": page("events:list"),
        "a run comes in": Act(post),
        "its verification": Act(
            lambda run: run_verification(verification_id=run), to_verify
        ),
    }


def compare(sizes: Sequence[int], rounds: int) -> dict[int, dict[str, Act]]:
    """Make all calls at every size alternately; print a table, return the calls."""
    from bench.metrics import tenant

    known = {}
    for size in sizes:
        use(name_of(size))
        project, users = tenant()
        known[size] = acts(project, users[0])
    columns = [f"{size:,}" for size in sizes]
    print("| | " + " | ".join([*columns, "p50, p95 to the first", "load"]) + " |")
    print("|---" * (len(sizes) + 3) + "|")
    for name in known[sizes[0]]:
        taken: dict[int, list[float]] = {size: [] for size in sizes}
        for _ in range(TURNS):
            for size in sizes:
                use(name_of(size))
                # The first calls of a connection fill caches, independent of the
                # table's size.
                known[size][name].took()
                known[size][name].took()
                taken[size] += [
                    known[size][name].took() for _ in range(rounds // TURNS)
                ]
        first, last = (quantiles(taken[size]) for size in (sizes[0], sizes[-1]))
        ratio = f"{last[1] / first[1]:.2f}, {last[2] / first[2]:.2f}"
        cells = [shown(quantiles(taken[size])) for size in sizes]
        load = f"{os.getloadavg()[0]:.0f}"
        print("| " + " | ".join([name, *cells, ratio, load]) + " |", flush=True)
    return known


def retain(known: dict[str, Act], seconds: float) -> None:
    """Set a retention of a year for the large project; print its effect on requests."""
    from django.db import connection
    from django.utils import timezone

    from bench.metrics import tenant
    from verifyhub.ingest.models import Interaction
    from verifyhub.privacy.deletions import open_due_retentions, set_retention
    from verifyhub.privacy.models import Deletion

    project, users = tenant()
    set_retention(project=project, days={"run_days": KEPT_DAYS}, actor=users[0])
    now = timezone.now()
    old = Interaction.objects.filter(
        project=project, created_at__lt=now - timedelta(days=KEPT_DAYS)
    )
    open_due_retentions(now=now)
    deletion = Deletion.objects.latest("created_at")
    address = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    name = connection.settings_dict["NAME"]
    print(f"{old.count():,} runs are older than {KEPT_DAYS} days", flush=True)
    done, found = Event(), list[int]()
    looking = Thread(target=look, args=(done, found))
    looking.start()
    worker = subprocess.Popen(
        [
            *(sys.executable, "-m", "bench.years"),
            *("--delete", str(deletion.pk), "--seconds", str(seconds)),
        ],
        env={**os.environ, "DATABASE_URL": f"{address}/{name}"},
    )
    taken: dict[str, list[float]] = {name: [] for name in BESIDE_RETENTION}
    while worker.poll() is None:
        for name in BESIDE_RETENTION:
            taken[name].append(known[name].took())
    done.set()
    looking.join()
    waits = sum(1 for one in found if one)
    print(f"a lock was waited for at {waits} of {len(found)} looks; meanwhile")
    for name, times in taken.items():
        load = f"{os.getloadavg()[0]:.0f}"
        print(f"| {name} | {shown(quantiles(times))} | {load} |", flush=True)


def look(done: Event, found: list[int]) -> None:
    """Record every 20 ms how many connections wait for a lock."""
    from django.db import connection

    with connection.cursor() as cursor:
        while not done.wait(0.02):
            cursor.execute(WAITING)
            found.append(cursor.fetchone()[0])
    connection.close()


def delete(identifier: UUID, seconds: float) -> None:
    """Delete old rows for a number of seconds, as the task does."""
    start()
    from verifyhub.privacy.deletions import run_deletion
    from verifyhub.privacy.models import Deletion

    begun, own = time.perf_counter(), time.process_time()
    rows = Deletion.objects.filter(pk=identifier, state__in=Deletion.UNDER_WAY)
    while rows.exists() and time.perf_counter() - begun < seconds:
        run_deletion(deletion_id=identifier)
    took, own = time.perf_counter() - begun, time.process_time() - own
    gone = Deletion.objects.get(pk=identifier).looked_at
    print(
        f"{gone:,} went in {took:.0f} s ({own:.0f} s of Python): {gone / took:.0f} a"
        " second",
        flush=True,
    )


def shown(figures: tuple[float, float, float]) -> str:
    """Return minimum, p50 and p95 in the form of the tables."""
    return " / ".join(f"{one:.0f}" for one in figures)


def say(size: int, text: str) -> None:
    """Print the progress, with the load of the machine."""
    print(f"{size:>9,} {text}, load {os.getloadavg()[0]:.0f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())

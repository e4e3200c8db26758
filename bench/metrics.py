"""The metrics page at 10,000, 100,000 and 1,000,000 answers.

    python -m bench.metrics [--filled] [--counted] [answers …]

Fills a new project in the configured database by SQL (`metrics_rows`); with `--filled`
it uses the rows of an earlier call, with `--counted` its counts too. Then it counts the
days as the background task does, and prints, with the load of the machine:

- how many answers per second were counted, and the memory used;
- for each tab of the page, Compare and the API, and for 7, 30 and 90 days: the minimum,
  p50 and p95 in milliseconds of whole requests through Django, and the processor time
  of Python and of the database, which depend less on other load;
- the time that the triggers that record changes add to the end of a verification;
- how many changes are recorded and processed while answers arrive at full speed.

Drop the database afterwards.
"""

import argparse
import logging
import os
import resource
import statistics
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")

SIZES = (10_000, 100_000, 1_000_000)
STEP = 50_000
SLUG = "bench-metrics"
WINDOWS = ("7", "30", "90")
ROUNDS = 5
API = "/api/v1/metrics/"


def main() -> None:
    """Fill, count and measure at each size."""
    parser = argparse.ArgumentParser(prog="python -m bench.metrics")
    parser.add_argument("--filled", action="store_true")
    parser.add_argument("--counted", action="store_true")
    parser.add_argument("sizes", nargs="*", type=int, default=SIZES)
    asked = parser.parse_args()
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from django.test.utils import override_settings

    from bench.metrics_acts import ingest_beside_refresh, triggers
    from bench.review_queue import PLAIN_FILES

    project, users = tenant()
    for size in asked.sizes:
        if not (asked.filled or asked.counted):
            fill(project, users, size)
        if not asked.counted:
            count(project, size)
        with override_settings(STORAGES=PLAIN_FILES):
            pages(project, users[0], size)
        triggers(project, size)
        ingest_beside_refresh(project, users, size)


def tenant() -> tuple[Any, list[Any]]:
    """Return the project and its five reviewers."""
    from verifyhub.accounts.models import Membership, Project, User

    project, _ = Project.objects.get_or_create(slug=SLUG, defaults={"name": "Bench"})
    users = []
    for number in range(5):
        user, _ = User.objects.get_or_create(username=f"{SLUG}-{number}")
        Membership.objects.get_or_create(
            project=project, user=user, defaults={"role": "lead"}
        )
        users.append(user)
    return project, users


def fill(project: Any, users: list[Any], size: int) -> None:
    """Add answers up to a number; then the rows besides the sums."""
    from django.db import connection

    from bench.metrics_rows import EXPERIMENT, PEOPLE, TABLES, answers, placed
    from verifyhub.ingest.models import Interaction

    values = {"project": project.id, "users": [user.pk for user in users]}
    filled = Interaction.objects.filter(project=project).count()
    begun = time.perf_counter()
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        # The references are correct by construction, and counting follows: no trigger
        # is needed.
        cursor.execute("SET session_replication_role = replica")
        for first in range(filled + 1, size + 1, STEP):
            last = min(size, first + STEP - 1)
            cursor.execute(answers(), values | placed(first, last))
        if not filled:
            for statement in PEOPLE + EXPERIMENT:
                cursor.execute(statement, values)
        cursor.execute("SET session_replication_role = origin")
        for table in TABLES:
            cursor.execute(f"VACUUM (ANALYZE) {table}")
    say(size, f"filled in {time.perf_counter() - begun:.0f} s")


def count(project: Any, size: int) -> None:
    """Count every day, and print the speed."""
    from django.db import connection

    from bench.metrics_rows import COUNTS
    from verifyhub.metrics.services import count_next_day, recount, refresh

    recount(project_id=project.pk)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun, own, days = time.perf_counter(), time.process_time(), 0
    theirs = backend_ms()
    while count_next_day(project_id=project.pk):
        days += 1
    while refresh(project_id=project.pk):
        pass
    took = time.perf_counter() - begun
    spent = time.process_time() - own + (backend_ms() - theirs) / 1000
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    say(
        size,
        f"counted {days} days in {took:.1f} s ({spent:.1f} s of processor):"
        f" {size / took:,.0f} answers/s ({size / spent:,.0f}), {more:.0f} MiB more",
    )
    with connection.cursor() as cursor:
        for table in COUNTS:
            cursor.execute(f"VACUUM (ANALYZE) {table}")


def pages(project: Any, user: Any, size: int) -> None:
    """Request every tab, Compare and the API, for each period."""
    from django.test import Client

    from verifyhub.accounts.services import issue_api_key
    from verifyhub.metrics.pages.tabs import TABS

    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    _, secret = issue_api_key(
        project=project, name="bench", scopes=["read"], created_by=user
    )
    bearer = {"Authorization": f"Bearer {secret}"}
    base = f"/p/{SLUG}/metrics/"
    asked = {name: base if name == "overview" else f"{base}{name}/" for name in TABS}
    asked |= {"compare": f"{base}compare/", "API": API}
    for days in WINDOWS:
        for name, path in asked.items():
            url, headers = f"{path}?days={days}", bearer if path == API else {}
            client.get(url, headers=headers)
            rounds = [one_request(client, url, headers) for _ in range(ROUNDS)]
            taken = [one[0] for one in rounds]
            own, theirs = (min(one[at] for one in rounds) for at in (1, 2))
            say(
                size,
                f"{name:<11}{days:>3} days  least {min(taken):6.0f}"
                f"  p50 {statistics.median(taken):6.0f}"
                f"  p95 {statistics.quantiles(taken, n=20)[-1]:6.0f} ms,"
                f"  processor {own:4.0f} + {theirs:3.0f} ms",
            )


def one_request(
    client: Any, url: str, headers: dict[str, str]
) -> tuple[float, float, float]:
    """Return milliseconds of a request: wall, Python's CPU and the database's CPU."""
    begun, own, theirs = time.perf_counter(), time.process_time(), backend_ms()
    response = client.get(url, headers=headers)
    if response.status_code != 200:
        raise RuntimeError(f"{url}: {response.status_code}")
    return (
        (time.perf_counter() - begun) * 1000,
        (time.process_time() - own) * 1000,
        backend_ms() - theirs,
    )


def backend_ms() -> float:
    """Return the processor time of this connection's backend, if it is local."""
    from django.db import connection

    connection.ensure_connection()
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/stat")
    try:
        words = stat.read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def say(size: int, text: str) -> None:
    """Print a line with the size before it and the load behind it."""
    print(f"{size:>9,} {text}  load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()

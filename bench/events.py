"""The cost of events: publishing, a live reader's query, and deliveries.

    python -m bench.events [events]

Fills a new project in the configured database; drop the database afterwards. Prints
milliseconds (minimum, p50, p95) of publishing without readers, with one webhook, and
with `NOTIFY` in the same transaction, and of a live reader's query each second. Also
prints how many deliveries per second reach a local receiver.
"""

import logging
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")

ROUNDS = 300
DELIVERIES = 1000
FILL = """
INSERT INTO events_event (created_at, id, project_id, type, subject, data)
SELECT now(), gen_random_uuid(), %s, 'verification.completed', '{}',
    '{"verification": {"verdict": "reject"}}'
FROM generate_series(1, %s)
"""


def main(arguments: list[str]) -> int:
    """Measure and print; return the exit code."""
    import django

    django.setup()
    logging.disable(logging.WARNING)
    from django.conf import settings
    from django.db import connection, transaction

    from verifyhub.accounts.models import Project
    from verifyhub.events.selectors import events_after, newest_events
    from verifyhub.events.services import WebhookValues, add_webhook, deliver_due

    count = int(arguments[0]) if arguments else 100_000
    project = Project.objects.create(slug=f"bench-{os.getpid()}", name="Bench")
    with connection.cursor() as cursor:
        cursor.execute(FILL, [project.id, count])
    newest = newest_events(project)[0].position or 0
    print(f"load {os.getloadavg()[0]:.1f}, {count} events")

    def notified() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            _publish(project)
            cursor.execute("SELECT pg_notify('events', %s)", [str(project.id)])

    _measure("a live reader's look", lambda: list(events_after(project, newest)[:100]))
    _measure("publish, nobody listens", lambda: _publish(project))
    _measure("publish and NOTIFY", notified)
    with _receiver() as port:
        settings.WEBHOOK_ALLOW_PRIVATE = frozenset({("127.0.0.1", port)})
        url = f"http://127.0.0.1:{port}/"
        values = WebhookValues(name="bench", url=url)
        add_webhook(project=project, values=values, actor=None)
        _measure("publish, one webhook", lambda: _publish(project))
        for _ in range(DELIVERIES - ROUNDS):
            _publish(project)
        began = time.perf_counter()
        while deliver_due():
            pass
        rate = DELIVERIES / (time.perf_counter() - began)
        print(f"{'deliveries a second':<26} {rate:8.0f}")
    return 0


def _publish(project: Any) -> None:
    from verifyhub.events.catalogue import EventType
    from verifyhub.events.services import publish

    kind = EventType.VERIFICATION_COMPLETED
    publish(project=project, type=kind, data={"verdict": "reject"}, subject={})


def _measure(name: str, call: Callable[[], object]) -> None:
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        call()
        taken.append((time.perf_counter() - began) * 1000)
    middle, late = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    print(f"{name:<26} {min(taken):8.2f} {middle:8.2f} {late:8.2f}")


@contextmanager
def _receiver() -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

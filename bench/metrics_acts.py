"""The cost of recording changes for writers, and whether the refresh keeps up."""

import statistics
import time
from threading import Event, Thread
from typing import Any

FINISHES = 200
SECONDS = 20
NOTING = ("metrics_verified", "metrics_reverified")
FINISH = """
UPDATE verification_verification SET state = 'finished', finished_at = now()
WHERE id = %s
"""


def triggers(project: Any, size: int) -> None:
    """Time the end of a verification alternately with and without its triggers."""
    from django.db import connection, transaction

    from bench.metrics import say
    from verifyhub.verification.models import Verification

    newest = Verification.objects.filter(project=project).order_by("-created_at")
    ids = list(newest.values_list("pk", flat=True)[:FINISHES])
    taken: dict[str, list[float]] = {"ENABLE": [], "DISABLE": []}
    with connection.cursor() as cursor:
        for turn in ("DISABLE", "ENABLE") * 5:
            for name in NOTING:
                cursor.execute(
                    f"ALTER TABLE verification_verification {turn} TRIGGER {name}"
                )
            for one in ids:
                begun = time.perf_counter()
                with transaction.atomic():
                    cursor.execute(FINISH, [one])
                taken[turn].append((time.perf_counter() - begun) * 1000)
    plain, noting = (statistics.median(taken[one]) for one in ("DISABLE", "ENABLE"))
    say(
        size,
        f"end of a verification {plain:.2f} ms, {noting:.2f} ms with its note"
        f" ({noting / plain:.2f} times)",
    )


def ingest_beside_refresh(project: Any, users: list[Any], size: int) -> None:
    """Store answers as fast as one connection can while the task counts."""
    from bench.metrics import say
    from verifyhub.metrics.models import Change
    from verifyhub.metrics.services import refresh

    noted = Change.objects.filter(project_id=project.pk)
    while refresh(project_id=project.pk):
        pass
    done, made = Event(), [0]
    thread = Thread(target=_ingest, args=(project, users, done, made))
    thread.start()
    begun, taken, rounds = time.perf_counter(), 0, []
    try:
        while time.perf_counter() - begun < SECONDS:
            at = time.perf_counter()
            taken += refresh(project_id=project.pk)
            rounds.append(time.perf_counter() - at)
    finally:
        done.set()
        thread.join()
    left = noted.count()
    say(
        size,
        f"{made[0] / SECONDS:.0f} answers/s came in, {(taken + left) / SECONDS:.0f}"
        f" notes/s; {taken / SECONDS:.0f} were taken up, {left} are left; one refresh"
        f" p50 {statistics.median(rounds) * 1000:.0f} ms",
    )
    while refresh(project_id=project.pk):
        pass


def _ingest(project: Any, users: list[Any], done: Event, made: list[int]) -> None:
    from django.db import connection

    from bench.metrics_rows import answers, placed

    values = {"project": project.id, "users": [user.pk for user in users]}
    # At most half a minute ago: what has been stored counts as current.
    with connection.cursor() as cursor:
        while not done.is_set():
            place = placed(made[0] % 4, made[0] % 4)
            cursor.execute(answers(), values | place)
            made[0] += 1
    connection.close()

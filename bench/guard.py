"""Time of the guard by the number of names: `python -m bench.guard`.

Fills a new project with 1,000 to 1,000,000 names and as many constraints, at most
100,000, in a transaction that is rolled back. A 10 KB draft is checked: once without
wrong names, once with fifty, whose nearest real names are looked up. The parts are
timed separately, as medians in milliseconds: finding the draft's names (in the engine,
independent of stored rows), looking them up, and the whole.

For comparison, it measures the rejected alternative: the names in a `dict` of each
process, with the time of loading it and its memory.

    DATABASE_URL=postgresql://… VERIFYHUB_SECRET_KEY=… python -m bench.guard
"""

import argparse
import gc
import os
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence

SIZES = (1_000, 10_000, 100_000, 1_000_000)
DRAFT_BYTES = 10_240
ROUNDS = 21
WRONG = 50
MOST_CONSTRAINTS = 100_000
_FIRST = ("fast", "open", "mini", "data", "json", "http", "async", "cloud", "graph")
_SECOND = ("parser", "client", "server", "cache", "queue", "loader", "engine", "kit")


def main(argv: Sequence[str] | None = None) -> int:
    arguments = _arguments(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    import django

    django.setup()
    from django.db import transaction

    print(f"{'names':>9} {'find':>7} {'look up':>8} {'whole':>7} {'wrong':>7}", end=" ")
    print(f"{'dict':>7} {'load s':>7} {'dict MB':>8}   (ms unless said)")
    for size in SIZES:
        if arguments.least <= size <= arguments.up_to:
            with transaction.atomic():
                _row(size)
                transaction.set_rollback(True)
    return 0


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.guard")
    parser.add_argument("--from", type=int, default=SIZES[0], dest="least")
    parser.add_argument("--up-to", type=int, default=SIZES[-1])
    return parser.parse_args(argv)


def name(number: int) -> str:
    """Return a distinct name like those of an index."""
    first = _FIRST[number % len(_FIRST)]
    second = _SECOND[number // 9 % len(_SECOND)]
    return f"{first}-{second}-{number:x}"


def draft(wrong: int) -> str:
    """Return 10 KB of prose with about 150 packages, some of which do not exist."""
    sentences = [
        f"The worker needs the package `{name(n)}` for its {n}. step of the work."
        for n in range(200)
    ]
    for n in range(wrong):
        sentences[n * 2] = f"It needs the package `{name(n)[:-1]}zz` as well here."
    return "\n".join(sentences)[:DRAFT_BYTES].rpartition("\n")[0]


def _row(size: int) -> None:
    from django.db import connection

    from verifyhub.accounts.models import Project
    from verifyhub.engine.mentions.extract import NamesOf
    from verifyhub.memory.guard import guard
    from verifyhub.memory.guard.check import look_up

    project = Project.objects.create(slug=f"bench-guard-{size}", name="Bench")
    _fill(project, size)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memory_snapshotname")
        cursor.execute("ANALYZE memory_constraint")
    right, wrong = draft(0), draft(WRONG)
    names = NamesOf(right, every_hyphen=True)
    mentions = names.mentions()
    found = _median(lambda: NamesOf(right, every_hyphen=True).mentions())
    looked = _median(lambda: look_up(project, right, names))
    whole = _median(lambda: guard(project=project, text=right))
    bad = _median(lambda: guard(project=project, text=wrong))
    loading, megabytes, held = _dict_of(project)
    keys = [mention.key for mention in mentions]
    asked = _median(lambda: [key in held for key in keys])
    print(f"{size:>9} {found:7.2f} {looked:8.2f} {whole:7.2f} {bad:7.2f}", end=" ")
    print(f"{asked:7.3f} {loading:7.2f} {megabytes:8.1f}", flush=True)


def _fill(project: object, size: int) -> None:
    from verifyhub.memory.guard.snapshots import add_names
    from verifyhub.memory.models import Constraint, Snapshot

    snapshot = Snapshot.objects.create(
        project=project, name="requirements.txt", format="x", pools=["pypi"]
    )
    add_names(snapshot, "pypi", ((name(n), name(n)) for n in range(size)))
    constraints = min(size, MOST_CONSTRAINTS)
    for start in range(0, constraints, 50_000):
        Constraint.objects.bulk_create(
            Constraint(
                project=project,
                mention_kind="package",
                mention_key=f"no-{name(n)}",
                text=f"no-{name(n)}",
                state=Constraint.State.ACTIVE,
            )
            for n in range(start, min(constraints, start + 50_000))
        )


def _dict_of(project: object) -> tuple[float, float, dict[str, str]]:
    from verifyhub.memory.models import SnapshotName

    gc.collect()
    tracemalloc.start()
    started = time.perf_counter()
    rows = SnapshotName.objects.filter(project=project).values_list("key", "text")
    held = dict(rows.iterator(chunk_size=20_000))
    loading = time.perf_counter() - started
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return loading, size / 1e6, held


def _median(act: Callable[[], object]) -> float:
    act()
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        act()
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1000


if __name__ == "__main__":
    raise SystemExit(main())

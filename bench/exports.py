"""Exports at 10,000, 100,000 and 1,000,000 answers: rows per second, and memory.

    python -m bench.exports [answers …]

Exports the newest answers of a new project in the configured database, and the names in
them. Fills the project first, as `bench.metrics` does, continuing after an earlier
call. Drop the database afterwards. Each export is streamed to nowhere in a separate
process. Prints rows and megabytes per second, rows per second of processor time, and
the peak growth of resident memory after an export of one row has loaded all libraries.

    python -m bench.exports large

Exports as Parquet rows of 20 kB and of 1 MB instead, without a database.
"""

import logging
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")

SLUG = "bench-metrics"
CASES = [
    (dataset, written_as)
    for dataset in ("interactions", "mentions")
    for written_as in ("csv", "jsonl", "parquet")
]
LARGE = [(2_000, 20_000), (20_000, 20_000), (100, 1_000_000), (1_000, 1_000_000)]


def main(sizes: list[int]) -> None:
    """Fill step by step; print speed and memory at each size."""
    start()
    from bench.metrics import fill
    from verifyhub.accounts.models import Project, User
    from verifyhub.ingest.models import Interaction

    project, _ = Project.objects.get_or_create(slug=SLUG, defaults={"name": "Bench"})
    user, _ = User.objects.get_or_create(username=SLUG)
    for size in sizes:
        if Interaction.objects.filter(project=project).count() < size:
            fill(project, user, size)
        for dataset, written_as in CASES:
            told(f"{size:>9,} {dataset} {written_as}", dataset, written_as, str(size))


def told(name: str, *arguments: str) -> None:
    """Run one case in a separate process; print its figures, and the load."""
    command = [sys.executable, "-m", "bench.exports", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{name:<32} {done.stdout.strip()}  {load}", flush=True)


def one(dataset: str, written_as: str, size: int) -> None:
    """Stream one export to nowhere; print its speed and memory."""
    start()
    from verifyhub.accounts.models import Project
    from verifyhub.exports.catalogue import DATASETS
    from verifyhub.exports.dataset import DatasetFilters
    from verifyhub.exports.stream import stream
    from verifyhub.exports.writing import FileFormat, encoded
    from verifyhub.ingest.models import Interaction

    project = Project.objects.get(slug=SLUG)
    newest = Interaction.objects.filter(project=project).order_by("-created_at")
    since = newest.values_list("created_at", flat=True)[size - 1]
    how: dict[str, Any] = {"project": project, "filters": DatasetFilters(since=since)}
    format_ = FileFormat(written_as)
    columns = DATASETS[dataset].columns_of(deep=format_.is_deep)
    found = DATASETS[dataset].rows(**how, deep=format_.is_deep)
    list(encoded(format_, columns, islice(found, 1)))
    rows = DATASETS[dataset].count(project, how["filters"])
    measured(stream(DATASETS[dataset], format_, **how), rows)


def large(size: int, count: int) -> None:
    """Write large rows to nowhere."""
    start()
    from verifyhub.exports.catalogue import DATASETS
    from verifyhub.exports.writing import FileFormat, encoded

    columns = DATASETS["interactions"].columns_of(deep=True)

    def rows(count: int) -> Iterator[dict[str, Any]]:
        for _ in range(count):
            answer = os.urandom(size // 2).hex()
            yield {one.name: None for one in columns} | {"answer": answer}

    def written(count: int) -> Iterator[bytes]:
        return encoded(FileFormat.PARQUET, columns, rows(count))

    list(written(1))
    measured(written(count), count)


def measured(pieces: Iterable[bytes], rows: int) -> None:
    """Read every piece; print rows and megabytes per second, and memory."""
    before, size = peak(), 0
    began, used = time.perf_counter(), time.process_time()
    for piece in pieces:
        size += len(piece)
    took, used = time.perf_counter() - began, time.process_time() - used
    print(
        f"{rows:9,} rows {rows / took:7,.0f}/s {size / took / 1e6:6.2f} MB/s"
        f" {rows / used:7,.0f}/s of own time {size / 1e6:8.1f} MB"
        f"  memory +{peak() - before:5.1f} MiB"
    )


def start() -> None:
    """Set up Django without logging."""
    import django

    django.setup()
    logging.disable(logging.CRITICAL)


def peak() -> float:
    """Return the peak of resident memory so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    match sys.argv[1:]:
        case [("interactions" | "mentions") as dataset, written_as, size]:
            one(dataset, written_as, int(size))
        case ["large"]:
            for count, size_ in LARGE:
                told(f"{count:>9,} of {size_:,}", "large", str(size_), str(count))
        case ["large", size, count]:
            large(int(size), int(count))
        case sizes:
            main([int(text) for text in sizes] or [10_000, 100_000, 1_000_000])

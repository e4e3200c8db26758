"""Exports at 10,000, 100,000 and 1,000,000 answers: rows a second, and memory.

    python -m bench.exports [answers …]

Fills a project of its own, in the database of the settings, and goes on from what an
earlier call filled; drop the database afterwards. Each export is streamed to nowhere in
a process of its own, whose peak of resident memory is told, beside what it had before.
"""

import logging
import os
import resource
import subprocess
import sys
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")

SLUG = "bench-queue"
CASES = [
    (dataset, written_as)
    for dataset in ("interactions", "verdicts")
    for written_as in ("csv", "jsonl", "parquet")
]


def main(sizes: list[int]) -> None:
    """Fill step by step; print speed and memory at each size."""
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from bench.review_queue import fill
    from verifyhub.accounts.models import Project, User

    project, _ = Project.objects.get_or_create(slug=SLUG, defaults={"name": "Bench"})
    user, _ = User.objects.get_or_create(username=SLUG)
    for size in sizes:
        fill(project, user, size)
        for dataset, written_as in CASES:
            command = [sys.executable, "-m", "bench.exports", dataset, written_as]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            load = f"load {os.getloadavg()[0]:.1f}"
            name = f"{dataset} {written_as}"
            print(f"{size:>9,} {name:<22} {done.stdout.strip()}  {load}", flush=True)


def one(dataset: str, written_as: str) -> None:
    """Stream one export to nowhere; print its speed and the memory it took."""
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from verifyhub.accounts.models import Project
    from verifyhub.exports.catalogue import DATASETS
    from verifyhub.exports.dataset import Filters
    from verifyhub.exports.stream import stream
    from verifyhub.exports.writing import FileFormat

    project = Project.objects.get(slug=SLUG)
    rows = DATASETS[dataset].count(project, Filters())
    before, began, size = peak(), time.perf_counter(), 0
    for piece in stream(
        DATASETS[dataset], FileFormat(written_as), project=project, filters=Filters()
    ):
        size += len(piece)
    took = time.perf_counter() - began
    print(
        f"{rows / took:9,.0f} rows/s  {size / 1e6:8.1f} MB"
        f"  peak {peak():6.1f} MiB, {peak() - before:5.1f} above the start"
    )


def peak() -> float:
    """Return the most resident memory so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in {dataset for dataset, _ in CASES}:
        one(*sys.argv[1:3])
    else:
        main([int(text) for text in sys.argv[1:]] or [10_000, 100_000, 1_000_000])

"""Searching 100,000 passages: recall and speed of HNSW.

    DATABASE_URL=postgresql://… VERIFYHUB_SECRET_KEY=… python -m bench.knowledge

Fills the configured database; drop it afterwards. 2,000 texts of three sentences each
(patterns, things, places, people and numbers drawn by seed) are embedded by the local
model. Every passage is one of them with noise: its vector plus normal noise of half its
length, normalised to length 1. So passages form clusters as revisions of documents do
(cosine to their text about 0.9). One project has 100,000 passages, and ten other
projects have 500 each, of the same texts.

The queries are 200 further texts of the same kind. Prints the seconds of building the
index over all vectors, its size and the table's; the share of the exact three nearest
that the index returns (recall@3), in the large project and in a small one; and p50 and
p95 of a query in milliseconds, for vectors only, for words only, and for
`search_knowledge` with embedding.
"""

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

SEED = 20261121
TEXTS, QUESTIONS = 2_000, 200
SMALL_PROJECTS, SMALL = 10, 500
NOISE = 0.5
STEP = 5_000
NEAREST = 3


def _words(text: str) -> list[str]:
    return text.split()


THINGS = _words(
    """
    pump valve invoice contract reactor harvest vaccine bridge tunnel server parser
    compiler glacier orchestra ferry satellite library museum airport refinery
    warehouse clinic school patent budget tariff treaty engine battery turbine sensor
    antenna telescope archive cable
    """
)
PLACES = _words(
    """
    Lyon Oslo Kazan Porto Quito Accra Perth Turin Delft Minsk Osaka Tampa Leeds Basel
    Riga Bonn
    """
)
PEOPLE = _words(
    """
    engineers auditors nurses teachers farmers pilots judges students chemists editors
    miners
    """
)
DEEDS = _words(
    """
    replaced measured closed opened insured repaired sold inspected renamed flooded
    painted
    """
)
TRAITS = _words(
    """
    old large damaged northern leased public rusty automatic seasonal hidden
    """
)
PATTERNS = (
    "The {trait} {thing} in {place} was {deed} in {year} by {number} {people}.",
    "In {year} {people} from {place} {deed} {number} of the {trait} {thing}s.",
    "A report of {year} says the {thing} near {place} cost {number} million euros.",
    "According to {people} in {place}, no {thing} was {deed} before {year}.",
    "The {thing} holds {number} litres and stands beside the {trait} one in {place}.",
    "{place} has {number} {thing}s; {people} {deed} the last of them in {year}.",
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fill the database, build the index, query it, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.knowledge")
    parser.add_argument("--passages", type=int, default=100_000)
    size: int = parser.parse_args(arguments).passages
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    print(f"load {os.getloadavg()[0]:.1f}", flush=True)
    texts = list(_texts(TEXTS + QUESTIONS))
    began = time.monotonic()
    vectors = _embedded(texts)
    print(
        f"{len(texts)} texts embedded in {time.monotonic() - began:.0f} s", flush=True
    )
    big = _space("big")
    small = [_space(f"small-{number}") for number in range(SMALL_PROJECTS)]
    with _index_made_later():
        for space, count in ((big, size), *((one, SMALL) for one in small)):
            _fill(space, count, texts[:TEXTS], vectors[:TEXTS])
    _print_sizes()
    questions = list(zip(texts[TEXTS:], vectors[TEXTS:], strict=True))
    _ask("big project", big, questions)
    _ask("small project", small[0], questions)
    print(f"load {os.getloadavg()[0]:.1f}", flush=True)
    return 0


def _texts(count: int) -> Iterator[str]:
    draw = random.Random(SEED)
    for _ in range(count):
        yield " ".join(_sentence(draw) for _ in range(3))


def _sentence(draw: random.Random) -> str:
    return draw.choice(PATTERNS).format(
        thing=draw.choice(THINGS),
        place=draw.choice(PLACES),
        people=draw.choice(PEOPLE),
        deed=draw.choice(DEEDS),
        trait=draw.choice(TRAITS),
        year=draw.randint(1950, 2025),
        number=draw.randint(2, 900),
    )


def _embedded(texts: Sequence[str]) -> Any:
    import numpy

    from verifyhub.engine.local_models.embedder import default_embedder

    embedder = default_embedder()
    assert embedder is not None
    return numpy.array(embedder.embed(texts))


class _index_made_later:  # noqa: N801 - reads as what it does
    """Build the index after the rows are written, and print how long it takes."""

    def __enter__(self) -> None:
        self._run("SET statement_timeout = 0; SET maintenance_work_mem = '512MB'")
        self._run("DROP INDEX passage_vector_384")

    def __exit__(self, *_: object) -> None:
        from verifyhub.knowledge.services.spaces import ensure_index

        began = time.monotonic()
        ensure_index(384)
        print(f"index made in {time.monotonic() - began:.0f} s", flush=True)
        self._run("ANALYZE")

    def _run(self, statement: str) -> None:
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute(statement)


def _space(name: str) -> Any:
    from verifyhub.accounts.models import Project
    from verifyhub.knowledge.services import wanted_space

    return wanted_space(Project.objects.create(slug=f"bench-{name}", name=name))


def _fill(space: Any, size: int, texts: Sequence[str], vectors: Any) -> None:
    """Write a project's passages: the texts with random noise."""
    import numpy
    from django.utils import timezone

    from verifyhub.knowledge.models import Document, Passage, PassageVector

    project = space.project
    draw = numpy.random.default_rng([SEED, size, *map(ord, project.slug)])
    document = Document.objects.create(project=project, title="Bench", text="x")
    for first in range(0, size, STEP):
        places = range(first, min(first + STEP, size))
        base = vectors[[place % len(texts) for place in places]]
        noise = draw.normal(size=base.shape)
        noise *= NOISE / numpy.linalg.norm(noise, axis=1, keepdims=True)
        moved = base + noise
        moved /= numpy.linalg.norm(moved, axis=1, keepdims=True)
        rows = Passage.objects.bulk_create(
            Passage(
                project=project,
                origin=Passage.Origin.DOCUMENT,
                document=document,
                text=texts[place % len(texts)],
                end=1,
                created_at=timezone.now(),
            )
            for place in places
        )
        PassageVector.objects.bulk_create(
            PassageVector(
                project=project,
                passage=row,
                space=space,
                dimension=space.dimension,
                embedding=vector,
            )
            for row, vector in zip(rows, moved.tolist(), strict=True)
        )


def _print_sizes() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_relation_size('passage_vector_384'),"
            " pg_table_size('knowledge_passagevector'),"
            " pg_total_relation_size('knowledge_passage'),"
            " (SELECT count(*) FROM knowledge_passagevector)"
        )
        index, table, passages, count = cursor.fetchone()
    print(
        f"{count} vectors: index {index / 1e6:.0f} MB, vectors {table / 1e6:.0f} MB,"
        f" passages with their words {passages / 1e6:.0f} MB",
        flush=True,
    )


def _ask(name: str, space: Any, questions: Sequence[tuple[str, Any]]) -> None:
    from verifyhub.knowledge.selectors import by_meaning, by_words
    from verifyhub.knowledge.selectors.find import EXACT, _rows, _sized, as_vector
    from verifyhub.knowledge.services import search_knowledge

    found = 0
    for _, vector in questions:
        values = {
            "space": space.pk,
            "session": None,
            "vector": as_vector(vector.tolist()),
            "limit": NEAREST,
        }
        exact = {row[0] for row in _rows(_sized(EXACT, space), values)}
        given = list(by_meaning(space, vector.tolist(), limit=40))[:NEAREST]
        found += len(exact & set(given))
    print(f"{name}: recall@{NEAREST} {found / (NEAREST * len(questions)):.4f}")
    project = space.project
    ways: dict[str, Callable[[str, Any], object]] = {
        "nearness": lambda _, vector: by_meaning(space, vector.tolist(), limit=40),
        "words": lambda text, _: by_words(project, text, limit=40),
        "whole": lambda text, _: search_knowledge(project=project, text=text, limit=3),
    }
    for way, ask in ways.items():
        times = []
        for text, vector in questions:
            began = time.perf_counter()
            ask(text, vector)
            times.append((time.perf_counter() - began) * 1000)
        cuts = statistics.quantiles(times, n=20)
        p50, p95 = statistics.median(times), cuts[-1]
        print(f"{name}, {way}: p50 {p50:.1f} ms, p95 {p95:.1f} ms", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())

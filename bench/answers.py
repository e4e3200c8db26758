"""Server time of the answer page by the number of stored answers.

    DATABASE_URL=postgresql://… VERIFYHUB_SECRET_KEY=… python -m bench.answers

Fills a new project with 10,000 to 1,000,000 answers, each with a verification, two
names and a review item, in a transaction that is rolled back. Then it requests the page
of three more answers, whose traces are small, 350 KB and 5 MB: the page itself, the
evidence of one name, the ledger's words that are loaded after the page, a search in the
trace, similar answers, and a comparison of two attempts. Prints p50 and p95 in
milliseconds of requests through all of Django.
"""

import argparse
import logging
import os
import statistics
import time
from collections.abc import Sequence
from typing import Any

SIZES = (10_000, 100_000, 1_000_000)
TRACES = {"small": 4_000, "350 KB": 350_000, "5 MB": 5_000_000}
ROUNDS = 21
AGENTS, NAMES = 20, 5_000
VIEWS = {
    "page": ("", {}),
    "evidence": ("?mention=3", {"HX-Target": "evidence"}),
    "ledger": ("timeline/", {"HX-Target": "timeline-words"}),
    "search": ("timeline/?find=compute_3", {"HX-Target": "timeline"}),
    "similar": ("similar/", {"HX-Target": "similar"}),
    "attempts": ("attempts/", {}),
}
# Static files keep their names, so that measuring needs no collected files.
PLAIN_FILES = {
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
}
# Columns of the rows that are multiplied, as SQL over the series `g`.
_AGO = "now() - g * interval '1 second'"
_ANSWER = {
    "id": "md5('i' || g)::uuid",
    "client_id": "'c' || g",
    "task": "'Task ' || g || ' of the shop: ' || md5(g::text)",
    "answer": "repeat(md5(g::text) || ' ', 12)",
    "agent_name": f"'agent-' || mod(g, {AGENTS})",
    "created_at": _AGO,
}
_RUN = {
    "id": "md5('v' || g)::uuid",
    "interaction_id": "md5('i' || g)::uuid",
    "report": """'{"mentions": []}'::jsonb""",
    "created_at": _AGO,
}
_ITEM = {
    "id": "md5('r' || g)::uuid",
    "interaction_id": "md5('i' || g)::uuid",
    "verification_id": "md5('v' || g)::uuid",
    "agent_name": f"'agent-' || mod(g, {AGENTS})",
    "state": "CASE WHEN mod(g, 3) = 0 THEN 'confirmed' ELSE 'open' END",
    "human_verdict": "CASE WHEN mod(g, 3) = 0 THEN 'reject' ELSE '' END",
    "resolved_at": f"CASE WHEN mod(g, 3) = 0 THEN {_AGO} END",
    "created_at": _AGO,
}


def main(argv: Sequence[str] | None = None) -> int:
    sizes = _sizes(argv)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    import django

    django.setup()
    logging.disable(logging.CRITICAL)
    from django.db import transaction
    from django.test.utils import override_settings

    print(f"{'answers':>9} {'trace':>7}", *(f"{name:>16}" for name in VIEWS))
    for size in sizes:
        with override_settings(STORAGES=PLAIN_FILES), transaction.atomic():
            _measure(size)
            transaction.set_rollback(True)
    return 0


def _sizes(argv: Sequence[str] | None) -> list[int]:
    parser = argparse.ArgumentParser(prog="python -m bench.answers")
    parser.add_argument("--from", type=int, default=SIZES[0], dest="least")
    parser.add_argument("--up-to", type=int, default=SIZES[-1])
    asked = parser.parse_args(argv)
    return [size for size in SIZES if asked.least <= size <= asked.up_to]


def _measure(size: int) -> None:
    from django.test import Client

    from verifyhub.accounts.models import Membership, Project, User

    project = Project.objects.create(slug="bench-answers", name="Bench")
    user = User.objects.create(username="bench-answers")
    Membership.objects.create(project=project, user=user, role="lead")
    template = send(project, "template", 2_000)
    _fill(size, template, user)
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    for label, length in TRACES.items():
        first = send(project, f"{label}-1", length)
        answer = send(project, f"{label}-2", length, parent=first.client_id)
        base = f"/p/bench-answers/answers/{answer.id}/"
        cells = [_timed(client, base + path, h) for path, h in VIEWS.values()]
        print(f"{size:>9} {label:>7}", *(f"{cell:>16}" for cell in cells), flush=True)


def _timed(client: Any, url: str, headers: dict[str, str]) -> str:
    asks = headers | {"HX-Request": "true"} if headers else {}
    times = []
    for _round in range(ROUNDS):
        started = time.perf_counter()
        response = client.get(url, headers=asks)
        times.append((time.perf_counter() - started) * 1000)
        assert response.status_code == 200, response.status_code
    return (
        f"{statistics.median(times):.0f} / {statistics.quantiles(times, n=20)[-1]:.0f}"
    )


def send(project: Any, client_id: str, length: int, parent: str = "") -> Any:
    """Record and verify an answer with forty names, ten of which are not found."""
    from verifyhub.ingest.formats.native import parse_interaction
    from verifyhub.ingest.services import record_interaction
    from verifyhub.verification.services import run_verification

    calls = 40
    filler = "def helper(value):\n    return value + 1  # nothing to see\n"
    outputs = [
        f"src/part_{n}.py:1:def compute_{n}(cart):\n"
        + filler * (length // calls // len(filler))
        for n in range(calls)
    ]
    body = {
        "id": client_id,
        "parent": parent,
        "task": "Where are the prices of the shop computed, and by what?",
        "answer": "# Where\n\n"
        + "\n".join(f"- `compute_{n}()` of `src/part_{n}.py`" for n in range(30))
        + "\n\n```python\nfrom part import compute_1\n```\n"
        + " ".join(f"`src/name_{n}.py`" for n in range(10)),
        "agent": {"name": "agent-1"},
        "tool_calls": [
            {"tool": "Read", "input": {"file_path": f"src/part_{n}.py"}, "output": text}
            for n, text in enumerate(outputs)
        ],
    }
    interaction, _new = record_interaction(
        project=project, api_key=None, interaction=parse_interaction(body)
    )
    run_verification(verification_id=interaction.verifications.get().id)
    return interaction


def _fill(size: int, template: Any, user: Any) -> None:
    """Multiply one answer and its dependent rows, with different texts and names."""
    from django.db import connection

    from verifyhub.review.models import ReviewItem

    run = template.verifications.get()
    mention = run.mentions.filter(status="unverified").first()
    item = ReviewItem.objects.get(verification=run)
    with connection.cursor() as cursor:
        # The references are correct by construction; checking a million takes minutes.
        cursor.execute("SET LOCAL session_replication_role = replica")
        _multiply(cursor, template, size, **_ANSWER)
        _multiply(cursor, run, size, **_RUN)
        _multiply(
            cursor,
            mention,
            size * 2,
            id="md5('m' || g)::uuid",
            verification_id=f"md5('v' || mod(g, {size}) + 1)::uuid",
            index=f"g / {size}",
            key=f"'src/name_' || mod(g, {NAMES}) || '.py'",
            human_status="CASE WHEN mod(g, 50) = 0 THEN 'verified' ELSE '' END",
        )
        decided = {"resolved_by_id": f"CASE WHEN mod(g, 3) = 0 THEN {user.pk} END"}
        _multiply(cursor, item, size, **_ITEM | decided)
        cursor.execute("SET LOCAL session_replication_role = origin")
        for model in (template, run, mention, item):
            cursor.execute(f'ANALYZE "{model._meta.db_table}"')


def _multiply(cursor: Any, row: Any, times: int, **others: str) -> None:
    """Insert a row many times; `others` are SQL expressions over the series `g`."""
    table = row._meta.db_table
    columns = [field.column for field in row._meta.concrete_fields]
    if row._meta.pk.get_internal_type().endswith("AutoField"):
        columns.remove(row._meta.pk.column)
    taken = [others.get(column, f't."{column}"') for column in columns]
    names = ", ".join(f'"{column}"' for column in columns)
    key = row._meta.pk.column
    cursor.execute(
        f'INSERT INTO "{table}" ({names}) SELECT {", ".join(taken)}'  # noqa: S608
        f' FROM "{table}" t, generate_series(1, %s) g WHERE t."{key}" = %s',
        [times, row.pk],
    )


if __name__ == "__main__":
    raise SystemExit(main())

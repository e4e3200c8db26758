"""Start a fresh home, send it runs, and measure their size on disk.

    python -m bench.storage [--runs 1000] [--rounds 1] [--calls 8] [--repetitive]

Sizes are those of the database's own files per run, by table and index: their growth
since before the round. The size of the write-ahead log is printed too. By default
outputs of tools are random texts, so that compression cannot improve the figures.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.fresh_home import address_of, fresh_home, send_runs
from bench.ingest_runs import made_runs

# Daily counts, reach and the background writer follow the last verdict.
REST_SECONDS = 15
# A table's size includes its out-of-line data (TOAST); indexes are listed separately.
SIZES = """
SELECT coalesce(parent.relname, c.relname), t.relname,
    CASE WHEN i.indexrelid IS NULL
    THEN pg_table_size(c.oid) ELSE pg_relation_size(c.oid) END
FROM pg_class c
LEFT JOIN pg_index i ON i.indexrelid = c.oid
-- A part of a divided table or index counts for the whole.
LEFT JOIN pg_inherits p ON p.inhrelid = c.oid
LEFT JOIN pg_class parent ON parent.oid = p.inhparent
LEFT JOIN pg_inherits q ON q.inhrelid = coalesce(i.indrelid, c.oid)
JOIN pg_class t ON t.oid = coalesce(q.inhparent, i.indrelid, c.oid)
WHERE c.relkind IN ('r', 'i') AND c.relnamespace = 'public'::regnamespace
"""
LOG = "SELECT (pg_current_wal_lsn() - '0/0')::bigint"


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes of each relation (name and table), and of the log written so far."""

    relations: Mapping[tuple[str, str], int]
    log: int


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.storage")
    parser.add_argument("--runs", type=int, default=1000, help="of each round")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--kilobytes", type=int, default=20)
    parser.add_argument("--calls", type=int, default=8, help="of tools, in each run")
    parser.add_argument(
        "--repetitive", action="store_true", help="texts that compress, as code does"
    )
    parser.add_argument("--least", type=int, default=20, help="bytes a run worth a row")
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="verifyhub-bench-") as folder:
        # PostgreSQL may run as another account here, which must access its data.
        Path(folder).chmod(0o711)
        with fresh_home(Path(folder)) as (supervisor, server):
            time.sleep(REST_SECONDS)
            with psycopg.connect(address_of(supervisor), autocommit=True) as connection:
                for number in range(1, arguments.rounds + 1):
                    before = _sizes(connection)
                    runs = made_runs(
                        arguments.runs,
                        arguments.kilobytes,
                        calls=arguments.calls,
                        dense=not arguments.repetitive,
                    )
                    sent = sum(len(run.as_native()) for run in runs) / len(runs)
                    send_runs(server, runs)
                    time.sleep(REST_SECONDS)
                    print(f"Round {number}: {len(runs)} runs of {sent:.0f} bytes")
                    _tell(before, _sizes(connection), len(runs), arguments.least)
    return 0


def _sizes(connection: psycopg.Connection) -> Sizes:
    rows = connection.execute(SIZES).fetchall()
    row = connection.execute(LOG).fetchone()
    assert row
    relations: Counter[tuple[str, str]] = Counter()
    for name, table, size in rows:
        relations[name, table] += size
    return Sizes(relations, row[0])


def _tell(before: Sizes, after: Sizes, runs: int, least: int) -> None:
    """Print the growth of each table and index per run, the largest first."""
    grown = {
        key: (size - before.relations.get(key, 0)) / runs
        for key, size in after.relations.items()
    }
    for (name, table), size in sorted(grown.items(), key=lambda one: -one[1]):
        if size >= least:
            print(f"{size:8.0f}  {name if name == table else f'{table}: {name}'}")
    tables = sum(size for (name, table), size in grown.items() if name == table)
    whole = sum(grown.values())
    log = (after.log - before.log) / runs
    print(f"{tables:8.0f}  tables\n{whole - tables:8.0f}  indexes")
    print(f"{whole:8.0f}  together, {whole / 1000:.1f} MB of 1,000 runs")
    print(f"{log:8.0f}  write-ahead log, {log / whole:.2f} times that", flush=True)


if __name__ == "__main__":
    sys.exit(main())

"""The benchmark counts what it says it counts."""

import json

from bench import speed
from bench.grounding import run

RECORD = {
    "id": "r1",
    "task": "",
    "answer": "`src/app.py`, `src/ghost.py`, `src/lib.py`",
    "tool_calls": [{"tool": "Bash", "input": {}, "output": "src/app.py"}],
    "mentions": [
        {"text": "src/app.py", "kind": "file", "label": "verified", "how": "real",
         "where": "output", "spans": [[1, 11]]},
        {"text": "src/ghost.py", "kind": "file", "label": "unverified",
         "how": "planted", "spans": [[15, 27]]},
        {"text": "src/lib.py", "kind": "file", "label": "verified", "how": "real",
         "where": "output", "spans": [[31, 41]]},
    ],
}  # fmt: skip


def test_recall_false_alarms_and_coverage_are_counted():
    report = run([json.dumps(RECORD)])

    assert report["all"]["recall"] == 1.0
    assert report["all"]["false_alarms"] == 0.5
    assert report["all"]["found"] == 1.0
    assert [error["text"] for error in report["errors"]] == ["src/lib.py"]


def test_baseline_that_always_says_verified_finds_nothing():
    report = run([json.dumps(RECORD)])

    assert report["baselines"]["always_verified"]["recall"] == 0.0


def test_speed_bench_measures_every_series_at_the_sizes_asked_for():
    rows = speed.run(sizes=(2_000, 20_000), mentions=(1, 4))

    sizes = [row.trace_bytes for row in rows if row.series == "size"]
    assert [row.mentions for row in rows if row.series == "mentions"] == [1, 4]
    assert 2_000 <= sizes[0] < 3_000
    assert 20_000 <= sizes[1] < 21_000
    assert all(row.peak_bytes > 0 for row in rows)
    assert "tiny names" in speed.table(rows)

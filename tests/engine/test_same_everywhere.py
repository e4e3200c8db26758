"""A run gets the same report in every process, whatever seed its hashes have."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REAL_RUNS = Path(__file__).parents[2].parent / "shared/data"
FILES = ("values_dev.jsonl", "completion_dev2.jsonl", "mentions_dev.jsonl")
EVERY = 12
SHEETS = (
    '{"sheets": [{"sheet": "TS-501", "employee": "Ana Ruiz", "hours": 40},'
    ' {"sheet": "TS-502", "employee": "Ben Cole", "hours": 38.5},'
    ' {"sheet": "TS-503", "employee": "Dario Conti", "hours": 63}]}'
)
ANSWER = "All sheets are approved, including TS-503. Ben Cole worked 40 hours."
VERIFY_LINES = """
import json, sys
from bench.completion import read_interaction
from verifyhub.engine.pipeline import VerificationRequest, verify

for line in sys.stdin:
    report = verify(VerificationRequest(read_interaction(json.loads(line))))
    print(json.dumps(report.as_dict()))
"""


def reports(lines: str, seed: int) -> str:
    done = subprocess.run(
        [sys.executable, "-c", VERIFY_LINES],
        input=lines,
        env={**os.environ, "PYTHONHASHSEED": str(seed)},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_two_things_of_one_sentence_are_compared_in_one_order():
    call = {"tool": "timesheets_list", "input": {"week": 22}, "output": SHEETS}
    line = json.dumps({"answer": ANSWER, "tool_calls": [{**call, "status": "ok"}]})

    told = {reports(line, seed) for seed in range(4)}

    assert len(told) == 1
    assert "TS-501: 40 hours; TS-502: 38.5" in told.pop()


@pytest.mark.skipif(not REAL_RUNS.exists(), reason="no recorded runs here")
def test_real_runs_get_the_same_reports_in_two_processes():
    lines = "".join(
        line
        for name in FILES
        for line in (REAL_RUNS / name)
        .read_text(encoding="utf-8")
        .splitlines(True)[::EVERY]
    )

    assert reports(lines, 1) == reports(lines, 2)

"""A pytest plugin that writes down how each test went, and how long it took."""

import json
import os
from collections import defaultdict
from pathlib import Path

import pytest

# Where to write; one line of JSON for each test.
FILE_VARIABLE = "VERIFYHUB_TEST_TIMES"
_seconds: dict[str, float] = defaultdict(float)
_outcomes: dict[str, str] = {}
# The marks of the deep layer: what it runs alone, and what it gives more examples.
DEEP = ("deep", "hypothesis")
_marks: dict[str, list[str]] = {}


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep which marks of the deep layer each test has."""
    for item in session.items:
        _marks[item.nodeid] = [name for name in DEEP if item.get_closest_marker(name)]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the phases of a test; write its line once the last one is over."""
    name = report.nodeid
    _seconds[name] += report.duration
    if not report.passed:
        _outcomes[name] = report.outcome
    if report.when == "teardown":
        line = {
            "test": name,
            "seconds": round(_seconds.pop(name), 4),
            "outcome": _outcomes.pop(name, "passed"),
            "marks": _marks.get(name, []),
        }
        with Path(os.environ[FILE_VARIABLE]).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

"""The demo's tools really look at the sample repository and really run it."""

import pytest

from verifyhub.demo.agent import DemoTools, perform
from verifyhub.demo.sample import FILES, write_repository
from verifyhub.demo.script import TURNS


@pytest.fixture
def toolbox(tmp_path):
    write_repository(tmp_path)
    return DemoTools(tmp_path)


def test_the_whole_test_run_fails_in_one_test(toolbox):
    output = toolbox.use("run_command", {"command": "python -m unittest"})

    assert "Ran 9 tests" in output
    assert "FAILED (failures=1)" in output
    assert toolbox.calls[-1]["status"] == "error"


def test_the_parser_tests_pass(toolbox):
    output = toolbox.use(
        "run_command", {"command": "python -m unittest tests.test_readings"}
    )

    assert "Ran 4 tests" in output
    assert toolbox.calls[-1]["status"] == "ok"


def test_the_command_of_the_sample_works(toolbox):
    output = toolbox.use(
        "run_command", {"command": "python -m tidepool.cli nearest 54.3 10.1"}
    )

    assert output == "Kiel\nexit code: 0"


def test_listing_names_every_file(toolbox):
    assert set(toolbox.use("list_files", {"path": "."}).splitlines()) == set(FILES)


def test_search_gives_file_line_and_text(toolbox):
    hits = toolbox.use("search_files", {"text": "PERIOD_HOURS ="})

    assert hits == "tidepool/harmonics.py:8:PERIOD_HOURS = 12.0"


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_file", {"path": "../outside.txt"}),
        ("read_file", {"path": "missing.py"}),
        ("list_files", {"path": "missing"}),
        ("run_command", {"command": "rm -rf ."}),
    ],
)
def test_what_cannot_be_done_is_recorded_as_an_error(toolbox, tool, arguments):
    toolbox.use(tool, arguments)

    assert toolbox.calls[-1]["status"] == "error"


@pytest.mark.parametrize("turn", TURNS, ids=lambda turn: turn.id)
def test_each_turn_records_the_tools_it_used(turn, tmp_path):
    write_repository(tmp_path)

    body = perform(turn, tmp_path).body

    assert [call["tool"] for call in body["tool_calls"]] == [s[0] for s in turn.steps]
    assert all(call["output"] for call in body["tool_calls"])

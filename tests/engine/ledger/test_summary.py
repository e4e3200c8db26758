"""The tool-result summary (A4), with the flaws of its source as regressions."""

import pytest

from tests.builders import a_command, a_tool_call, an_interaction
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.ledger.summary import MAX_EXCERPTS_CHARACTERS, summarise
from verifyhub.engine.types import CallStatus


def summary_of(*calls):
    return summarise(build_ledger(an_interaction("x", *calls)))


def test_calls_are_sorted_by_what_they_do():
    found = summary_of(
        a_tool_call("Read", {"file_path": "a.py"}, "x = 1\n"),
        a_tool_call("Write", {"file_path": "b.py", "content": "y"}, "File written."),
        a_command("pytest -q", "3 passed"),
        a_tool_call("Grep", {"pattern": "def main"}, "a.py:1:def main"),
    )

    assert found.files_read == ("a.py",)
    assert found.files_written == ("b.py",)
    assert found.commands == ("pytest -q",)
    assert found.queries == ("def main",)


@pytest.mark.parametrize("tool", ["thread_list", "already_written", "tools", "remind"])
def test_a_part_of_a_tools_name_says_nothing(tool):
    found = summary_of(a_tool_call(tool, {"path": "a.py", "query": "q"}, "done"))

    assert (found.files_read, found.files_written) == ((), ())


def test_an_unknown_tool_is_kept():
    found = summary_of(a_tool_call("frobnicate", {"x": 1}, "did it"))

    assert [(call.tool, call.kind) for call in found.calls] == [("frobnicate", "other")]
    assert found.calls[0].excerpt == "did it"


def test_asking_for_a_file_that_is_not_there_reads_nothing():
    call = a_tool_call(
        "Read", {"file_path": "no.py"}, "No such file", status=CallStatus.ERROR
    )

    assert summary_of(call).files_read == ()


@pytest.mark.parametrize(
    ("tool", "data", "kept"),
    [
        ("retrieve", {"query": "q"}, 500),
        ("list", {"path": "."}, 300),
        ("bash", {"command": "ls"}, 100),
    ],
)
def test_outputs_are_bounded_by_their_kind(tool, data, kept):
    (call,) = summary_of(a_tool_call(tool, data, "x" * 9000)).calls

    assert (len(call.excerpt), call.characters) == (kept, 9000)


def test_a_command_line_is_cut_at_a_hundred_characters():
    assert len(summary_of(a_command("echo " + "x" * 500, "x")).commands[0]) == 100


def test_what_is_cut_is_said():
    calls = [a_tool_call("list", {"path": str(i)}, "x" * 300) for i in range(200)]

    found = summary_of(*calls)

    assert sum(len(call.excerpt) for call in found.calls) <= MAX_EXCERPTS_CHARACTERS
    assert "the first 120 of 200 calls" in found.left_out
    assert any("earlier calls" in text for text in found.left_out)


def test_what_would_be_invisible_is_written_out():
    found = summary_of(a_tool_call("Read", {"file_path": "a\u202egpj.py"}, "x"))

    assert found.files_read == ("a[U+202E]gpj.py",)

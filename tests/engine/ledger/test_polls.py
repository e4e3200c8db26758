"""A command that went on after its call returned ends with its last poll."""

import pytest

from tests.engine.completion.builders import call, shell, statuses

STARTED = call("exec_command", "Process running with session ID 41\n", cmd="tsc -b")
STILL = call("write_stdin", "Process running with session ID 41\n", session_id=41)


def ended(code):
    return call(
        "write_stdin", f"Process exited with code {code}\nOutput:\n", session_id=41
    )


@pytest.mark.parametrize(
    ("polls", "status"),
    [
        ([STILL, ended(0)], "supported"),
        ([STILL, ended(2)], "contradicted"),
        ([STILL], "unattempted"),
        ([], "unattempted"),
    ],
)
def test_the_last_poll_says_how_a_command_ended(polls, status):
    assert statuses("`tsc -b` passes.", STARTED, *polls) == [status]
    assert statuses("The type check passes.", STARTED, *polls) == [status]


def test_a_poll_of_another_session_says_nothing_of_it():
    other = call("write_stdin", "Process exited with code 0\n", session_id=7)

    assert statuses("`tsc -b` passes.", STARTED, other) == ["unattempted"]


def test_a_command_of_a_program_nobody_knows_is_known_by_having_been_run():
    run = shell("zq unlink --all", "zq: cannot open store", "error")

    said = "I ran `zq unlink --all` and it completed without errors."

    assert statuses(said, run) == ["contradicted"]
    assert statuses(said, shell("zq unlink --all", "", "ok")) == ["supported"]


def test_a_word_in_a_command_is_no_commit():
    run = shell("tracker update 4 --set commit=1a2b3c4", "1a2b3c4", "ok")

    assert statuses("I committed it.", run) == ["unattempted"]
    assert statuses("I committed it.", call("git_commit", "done")) == ["supported"]

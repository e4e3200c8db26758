"""A call answers by its kind what every check asks of it."""

from typing import Any

from verifyhub.engine.calls.call import (
    Call,
    EditCall,
    FetchCall,
    QueryCall,
    ReadCall,
    SearchCall,
    ShellCall,
    read_call,
)
from verifyhub.engine.calls.changes import ChangeKind
from verifyhub.engine.calls.ends import CallOutcome
from verifyhub.engine.types import CallStatus, ToolCall


def a_call(tool: str, output: str = "", status: str = "unknown", **given: Any) -> Call:
    return read_call(
        ToolCall(
            index=0, tool=tool, input=given, output=output, status=CallStatus(status)
        )
    )


def test_a_read_shows_its_file():
    call = a_call("Read", "1\tx = 1\n", file_path="a.py")

    assert isinstance(call, ReadCall)
    assert call.shown == ("a.py",)
    assert call.whole_file == ("a.py", "x = 1\n")
    assert [one.text for one in call.contents] == ["x = 1\n"]


def test_an_edit_changes_its_file():
    call = a_call("Edit", "done", file_path="a.py", old_string="a", new_string="b")

    assert isinstance(call, EditCall)
    assert [(one.action, one.paths) for one in call.changes] == [
        (ChangeKind.EDIT, ("a.py",))
    ]
    assert not call.shown


def test_a_search_shows_lines_and_says_what_it_looked_for():
    call = a_call("Grep", "a.py:3:x = 1", pattern="x =")

    assert isinstance(call, SearchCall)
    assert call.queries == ("x =",)
    assert [(one.path, one.line) for one in call.contents] == [("a.py", 3)]
    assert call.listed == ("a.py",)


def test_fetches_and_queries_say_what_they_asked_for():
    fetch = a_call("WebFetch", "HTTP/1.1 200", url="https://a.example/b")
    query = a_call("WebSearch", "x", query="how")

    assert isinstance(fetch, FetchCall)
    assert (fetch.urls, fetch.http_status) == (("https://a.example/b",), 200)
    assert isinstance(query, QueryCall)
    assert query.queries == ("how",)


def test_a_shell_call_answers_by_its_commands():
    command = "cat a.py && rg -n foo src && curl https://a.example && rm b.py"

    call = a_call("Bash", "src/c.py:1:foo", command=command)

    assert isinstance(call, ShellCall)
    assert call.shown == ("a.py",)
    assert call.queries == ("foo",)
    assert call.urls == ("https://a.example",)
    assert [one.paths for one in call.changes] == [("b.py",)]
    assert [one.looks for one in call.deeds] == [False, True, True, False, False]


def test_an_outcome_is_passed_failed_or_unknown():
    last_words = a_call("Bash", "fatal: not a git repository", command="git push")

    assert a_call("Bash", "ok", "ok", command="make").outcome is CallOutcome.PASSED
    assert a_call("Bash", "ok", command="make").outcome is CallOutcome.UNKNOWN
    assert last_words.outcome is CallOutcome.FAILED


def test_files_that_only_the_report_of_a_patch_names_were_changed():
    patch = "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+b\n[500 chars truncated]"
    report = "Success. Updated the following files:\nM a.py\nM b.py\nD c.py\n"

    call = a_call("apply_patch", report, input=patch)

    assert [(one.action, one.paths) for one in call.changes] == [
        (ChangeKind.EDIT, ("a.py",)),
        (ChangeKind.REWRITE, ("b.py",)),
        (ChangeKind.DELETE, ("c.py",)),
    ]

"""What must hold for the ledger of any run."""

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.builders import a_tool_call
from tests.engine.ledger.builders import ledger_of
from verifyhub.engine.calls.call import silence_of
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.shown import MAX_ROWS, MAX_TEXT
from verifyhub.engine.types import CallStatus, ToolCall

EXAMPLES = settings.default.max_examples * 4
TOOLS = st.sampled_from(
    ["Read", "Write", "Edit", "Bash", "Grep", "apply_patch", "delete_file", "WebFetch",
     "mcp__x__create_issue", "Task", "str_replace_editor", "x"]
)  # fmt: skip
PATHS = st.sampled_from(["a.py", "./a.py", "/r/a.py", "package.json", "go.mod", "b"])
TEXTS = st.sampled_from(
    [
        "a = 1\n", "     1→a = 1\n     2→def f():", "a.py:3:class A:",
        "== 2 passed in 1s",
        "*** Begin Patch\n*** Update File: a.py\n@@\n-a = 1\n+a = 2\n*** End Patch",
        '{"dependencies": {"x": "1"}}', "Exit code 1\nboom", "+ x@1.0.0",
        "HTTP/1.1 200 OK",
        "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-a\n+b\n", "No such file", "", "\ud800",
    ]
)  # fmt: skip
COMMANDS = st.lists(
    st.sampled_from(
        ["cat a.py", "rm a.py", "pytest -q", "cd /r", "echo x > b", "npm i x", "&&",
         ";",
         "cat <<E > a.py\nx\nE\n", "git mv a.py b.py", "'", '"', "bash -c 'ls a'", "|"]
    ),
    max_size=6,
).map(" ".join)  # fmt: skip
INPUTS = st.fixed_dictionaries(
    {},
    optional={
        "file_path": PATHS,
        "path": PATHS | st.integers(),
        "content": TEXTS,
        "old_string": TEXTS,
        "new_string": TEXTS,
        "command": COMMANDS,
        "patch": TEXTS,
        "url": st.just("https://example.org/"),
        "pattern": TEXTS,
        "edits": st.lists(
            st.fixed_dictionaries({"old_string": TEXTS, "new_string": TEXTS}),
            max_size=3,
        ),
    },
)
CALLS = st.builds(
    lambda tool, data, output, status: a_tool_call(tool, data, output, status=status),
    TOOLS,
    INPUTS,
    TEXTS | st.text(max_size=40),
    st.sampled_from(list(CallStatus)),
)
RUNS = st.lists(CALLS, max_size=6)


def entries(ledger: Ledger) -> dict[str, list[object]]:
    return {
        "files": list(ledger.files),
        "listed": list(ledger.listed),
        "changes": list(ledger.changes),
        "commands": list(ledger.commands),
        "results": list(ledger.results),
        "packages": list(ledger.packages),
        "symbols": list(ledger.symbols),
        "fetches": list(ledger.fetches),
        "queries": list(ledger.queries),
    }


@given(run=RUNS, more=RUNS)
@settings(max_examples=EXAMPLES)
def test_the_ledger_of_a_runs_beginning_is_the_beginning_of_its_ledger(run, more):
    # Whether outputs were recorded at all is told by the whole run.
    assume(silence_of(run) is silence_of([*run, *more]))
    beginning, whole = entries(ledger_of(*run)), entries(ledger_of(*run, *more))

    assert {
        name: found[: len(beginning[name])] for name, found in whole.items()
    } == beginning


@given(run=RUNS)
@settings(max_examples=EXAMPLES)
def test_only_calls_that_succeeded_show_or_change_files(run):
    ledger = ledger_of(*run)

    failed = {entry.index for entry in ledger.calls if not entry.succeeded}
    shown = (*ledger.files, *ledger.listed, *ledger.symbols, *ledger.packages)
    assert failed.isdisjoint(entry.call for entry in shown)
    assert not any(change.done for change in ledger.changes if change.call in failed)


def _size(call: ToolCall) -> int:
    return len(str(call.input)) + len(call.output)


@given(run=RUNS)
@settings(max_examples=EXAMPLES)
def test_entries_are_bounded_by_the_trace(run):
    ledger = ledger_of(*run)
    size = sum(map(_size, run))

    assert sum(map(len, entries(ledger).values())) <= 4 * size + len(run)
    assert all(len(one.path) <= size for one in (*ledger.files, *ledger.listed))


@given(run=RUNS)
@settings(max_examples=EXAMPLES)
def test_every_entry_points_at_a_call_and_what_is_shown_is_bounded(run):
    shown = ledger_of(*run).as_dict()

    tables = [rows for rows in shown.values() if isinstance(rows, list)]
    assert all(len(rows) <= MAX_ROWS for rows in tables)
    assert all(0 <= row["call"] < len(run) for rows in tables for row in rows)
    texts = [
        value
        for rows in tables
        for row in rows
        for value in row.values()
        if isinstance(value, str)
    ]
    assert all(len(text) <= MAX_TEXT for text in texts)

"""Names that an output only gives back, or says are not there, verify nothing."""

import pytest

from tests.builders import a_command, a_tool_call, an_interaction, verify
from tests.engine.ledger.builders import ledger_of


def grade_of(call, answer: str = "The `ghost_fn` function does it.") -> str | None:
    report = verify(an_interaction(answer, call)).as_dict()
    (mention,) = (one for one in report["mentions"] if "ghost_fn" in one["text"])
    return mention["grade"]


GREP = {"pattern": "ghost_fn"}
QUERY = {"query": "ghost_fn"}


@pytest.mark.parametrize(
    "call",
    [
        a_tool_call("search_code", QUERY, "No matches found for query: ghost_fn"),
        a_tool_call("Grep", GREP, "No matches found for pattern ghost_fn in src"),
        a_tool_call("Grep", GREP, "Found 0 matches for 'ghost_fn'"),
        a_tool_call("search", QUERY, "Found 0 results for ghost_fn"),
        a_tool_call("search", QUERY, '{"query":"ghost_fn","results":[]}'),
        a_tool_call(
            "web_search", QUERY, 'Search results for query: "ghost_fn"\nNo results'
        ),
        a_tool_call("LSP", {"symbol": "ghost_fn"}, "No definition found for ghost_fn"),
        a_tool_call("lookup", QUERY, "Nothing found. You asked: ghost_fn"),
    ],
)
def test_a_search_without_results_shows_only_its_own_query(call):
    assert grade_of(call) == "D"


@pytest.mark.parametrize(
    "output",
    [
        "src/a.ts(3,5): error TS2304: Cannot find name 'ghost_fn'.",
        "error TS2339: Property 'ghost_fn' does not exist on type 'Api'.",
        "error[E0425]: cannot find function `ghost_fn` in this scope",
        "error[E0599]: no method named `ghost_fn` found for struct `A`",
        "a.o: in function `main':\na.c:3: undefined reference to `ghost_fn'",
        "A.java:3: error: cannot find symbol\n  symbol:   method ghost_fn()",
        "TypeError: api.ghost_fn is not a function",
        "a.cc:3:5: error: 'ghost_fn' was not declared in this scope",
        "a.cc:3:5: error: use of undeclared identifier 'ghost_fn'",
        "undefined method `ghost_fn' for nil",
        "PHP Fatal error: Call to undefined function ghost_fn()",
        "Module '\"./a\"' has no exported member named 'ghost_fn'.",
        "WARNING: Package(s) not found: ghost_fn",
        "npm error 404 Not Found - GET https://registry.npmjs.org/ghost_fn",
        "go: module ghost_fn: no matching versions for query",
        "make: *** No rule to make target 'ghost_fn'.  Stop.",
        'npm error Missing script: "ghost_fn"',
        "E: Unable to locate package ghost_fn",
        'ERROR: relation "ghost_fn" does not exist',
        "Error: No such command 'ghost_fn'.",
    ],
)
def test_names_that_an_error_says_are_missing_are_not_verified(output):
    assert grade_of(a_command("make all", output)) in {"D", None}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("cat a | grep ghost_fn", "$ cat a | grep ghost_fn"),
        ("cat a | grep ghost_fn", "u@h:~/r$ cat a | grep ghost_fn\nx = 1"),
        ("sh run.sh; ls ghost_fn", "+ ls ghost_fn\na.py"),
        ("set -x; ls ghost_fn", "+ ls ghost_fn\na.py"),
        (
            "grep ghost_fn a",
            "grep ghost_fn a\n[The command completed with exit code 1.]",
        ),
    ],
)
def test_a_command_line_in_its_own_output_verifies_nothing(command, output):
    assert grade_of(a_command(command, output)) == "D"


@pytest.mark.parametrize(
    "call",
    [
        a_tool_call("Grep", GREP, "Found 1 match\nsrc/a.py:3:def ghost_fn():"),
        a_tool_call("search", QUERY, '{"query":"x","results":[{"name":"ghost_fn"}]}'),
        a_command("grep ghost_fn a", "def ghost_fn():"),
        a_command("make", "ghost_fn: ok\n0 results"),
        a_tool_call("Read", {"file_path": "a.md"}, "1\t`ghost_fn` finds no results"),
    ],
)
def test_what_a_call_shows_of_itself_still_verifies(call):
    assert grade_of(call) == "C"


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("No matches found for query: ghost_fn", False),
        ('{"results":[]}', False),
        ("Found 0 files", False),
        ("Found 10 files\na.py", True),
        ('{"results":[], "others":[{"a":1}]}', True),
        ("a.py:1:no results here", True),
    ],
)
def test_a_query_knows_whether_anything_came_back(output, expected):
    (query,) = ledger_of(a_tool_call("Grep", GREP, output)).queries
    assert query.has_results is expected

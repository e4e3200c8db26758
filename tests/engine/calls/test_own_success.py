"""What a call's own success shows of its input: files that it changed, pages it got."""

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.types import CallStatus

OK = CallStatus.OK
UNKNOWN = CallStatus.UNKNOWN
PAGE = "https://docs.example.org/guide/setup"


def reason_of(name: str, *calls) -> str:
    report = verify(an_interaction(f"See `{name}`.", *calls)).as_dict()
    (mention,) = report["mentions"]
    return mention["reason"]


def bash(command: str, output: str = "", status: CallStatus = OK):
    return a_tool_call("Bash", {"command": command}, output, status=status)


@pytest.mark.parametrize(
    "call",
    [
        bash("sed -i s/a/b/ src/n.py"),
        bash("sed -i -e s/a/b/ src/n.py"),
        bash("rm -f src/n.py"),
        bash("cp src/n.py src/m.py"),
        bash("mv src/n.py src/m.py"),
        bash("git mv src/n.py src/m.py"),
        bash("pytest -q src/n.py", "3 passed in 0.1s"),
        bash("python -m pytest src/n.py::test_a", "1 passed in 0.1s"),
        a_tool_call("write_file", {"path": "src/n.py", "content": "x"}, status=OK),
        bash("cat src/n.py", "def foo(): pass", UNKNOWN),
        bash("pytest src/n.py", "3 passed in 0.1s", UNKNOWN),
        bash("mkdir -p src && cat > src/n.py <<'E'\nx\nE\nls", "a.py", OK),
    ],
)
def test_a_file_that_a_successful_call_worked_on_is_there(call):
    assert reason_of("src/n.py", call) == "found"


@pytest.mark.parametrize(
    "call",
    [
        bash("cat src/n.py", "", UNKNOWN),
        bash("sed -i s/a/b/ src/n.py", "", UNKNOWN),
        bash("ls src/n.py || true", "", OK),
        a_tool_call("write_file", {"path": "src/n.py", "content": "x"}),
    ],
)
def test_a_path_in_the_input_of_a_call_that_shows_nothing_is_not_verified(call):
    assert reason_of("src/n.py", call) not in {"found", "found_resolved"}


@pytest.mark.parametrize(
    ("name", "call"),
    [
        (PAGE, a_tool_call("WebFetch", {"url": PAGE}, "Set it up so.", status=OK)),
        (PAGE, a_tool_call("WebFetch", {"url": PAGE}, "Set it up so.")),
        (PAGE, bash(f"curl -s {PAGE}", "<h1>Set up</h1>")),
        (f"{PAGE}#first", a_tool_call("WebFetch", {"url": PAGE}, "Set it up.")),
        (f"{PAGE}#first", bash("cat a.md", f"see {PAGE} for more")),
    ],
)
def test_a_page_that_was_fetched_is_there(name, call):
    assert reason_of(name, call) == "found"


@pytest.mark.parametrize(
    ("name", "call"),
    [
        (PAGE, a_tool_call("WebFetch", {"url": PAGE}, "", status=OK)),
        (PAGE, a_tool_call("WebFetch", {"url": PAGE}, "HTTP/1.1 404 Not Found")),
        (PAGE, bash(f"curl -s {PAGE}", "<title>404 Not Found</title>")),
        (PAGE, a_tool_call("WebFetch", {"url": PAGE}, "Page not found", status=OK)),
        (PAGE, bash(f"curl -sO {PAGE}")),
        (f"{PAGE}#/other", a_tool_call("WebFetch", {"url": PAGE}, "Set it up.")),
    ],
)
def test_a_page_that_did_not_come_is_not_verified(name, call):
    assert reason_of(name, call) not in {"found", "found_resolved"}

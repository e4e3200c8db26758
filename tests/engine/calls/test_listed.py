"""Files that listings and searches name."""

import pytest

from tests.builders import a_command, a_tool_call
from tests.engine.ledger.builders import ledger_of


def listed(call) -> list[str]:
    return [one.path for one in ledger_of(call).listed]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (
            a_tool_call("Glob", {"pattern": "*.py"}, "src/a.py\n/r/b.py"),
            ["src/a.py", "/r/b.py"],
        ),
        (a_command("ls -la", "total 8\n-rw-r--r-- 1 u g 5 Jan 1 10:00 a.py"), ["a.py"]),
        (a_command("tree", ".\n├── src/\n│   └── a.py"), ["src", "src/a.py"]),
        (a_command("git status --short", " M a.py\n?? b/"), ["a.py", "b/"]),
        (a_command("rg -l x", "a.py\nb c\n..."), ["a.py"]),
        (a_command("grep -rn x .", "a.py:3:x\na.py-4-y\na.py-5-"), ["a.py"]),
        (a_command("cat list.txt", "a.py"), []),
        (a_command("ls", "Exit code 2\na.py"), []),
    ],
)
def test_listings_name_files(call, expected):
    assert listed(call) == expected

"""Commands that a manifest or a Makefile defines are real; refused options are not."""

import pytest

from tests.builders import a_command, a_tool_call, an_interaction, verify

PACKAGE = (
    '{\n  "scripts": {\n    "test": "jest \\"a\\"",\n    "lint": "eslint ."\n  }\n}'
)
MAKEFILE = ".PHONY: lint\nX := 1\nlint: a.py\n\truff check\n"


def reason_of(command: str, *calls) -> str:
    report = verify(an_interaction(f"Run `{command}` first.", *calls)).as_dict()
    (mention,) = (one for one in report["mentions"] if one["text"] == command)
    return mention["reason"]


def a_file(path: str, text: str):
    return a_tool_call("Read", {"file_path": path}, text)


@pytest.mark.parametrize(
    ("command", "call"),
    [
        ("npm run lint", a_file("package.json", PACKAGE)),
        ("yarn lint", a_file("web/package.json", PACKAGE)),
        ("pnpm run lint", a_command("cat package.json", PACKAGE)),
        ("npm test", a_file("package.json", PACKAGE)),
        ("make lint", a_file("Makefile", MAKEFILE)),
    ],
)
def test_a_command_that_a_read_file_defines_is_found(command, call):
    assert reason_of(command, call) == "found"


@pytest.mark.parametrize(
    ("command", "call"),
    [
        ("npm run ghost", a_file("package.json", PACKAGE)),
        ("npm run lint", a_file("notes.json", PACKAGE)),
        ("make ghost", a_file("Makefile", MAKEFILE)),
        ("make X", a_file("Makefile", MAKEFILE)),
        (
            "mytool run --ghost",
            a_command("mytool run --ghost", "error: unrecognized arguments: --ghost"),
        ),
    ],
)
def test_a_command_that_nothing_defines_is_not_found(command, call):
    assert reason_of(command, call) != "found"


def test_a_command_that_ran_is_found_though_a_file_was_missing():
    call = a_command("ls -l ghost.py", "ls: cannot access 'ghost.py': No such file")
    assert reason_of("ls -l ghost.py", call) == "found"

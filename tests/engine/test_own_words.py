"""The agent's own words never verify: inputs, echoes, errors, what it wrote itself."""

import pytest

from tests.builders import a_command, a_tool_call, an_interaction
from verifyhub.engine.pipeline import verify
from verifyhub.engine.reports import Grade, Status
from verifyhub.engine.types import CallStatus

WRITTEN = a_tool_call(
    "Write",
    {"file_path": "notes.txt", "content": "uses mind-auth and src/ghost.py"},
    "File created successfully at: notes.txt",
)

SHAPES = {
    "search pattern": [
        a_tool_call("Grep", {"pattern": "mind-auth|src/ghost.py"}, "No files found")
    ],
    "glob pattern": [
        a_tool_call("Glob", {"pattern": "src/ghost.py"}, "No files found")
    ],
    "read of a missing file": [
        a_tool_call(
            "Read",
            {"file_path": "src/ghost.py"},
            "<tool_use_error>File does not exist.</tool_use_error>",
            status=CallStatus.ERROR,
        )
    ],
    "read that named no success": [
        a_tool_call("Read", {"file_path": "src/ghost.py"}, "")
    ],
    "read refused": [
        a_tool_call(
            "Read",
            {"file_path": "src/ghost.py"},
            "Permission to use Read with src/ghost.py has been denied.",
        )
    ],
    "error with the name, no status": [
        a_tool_call("read_file", {"path": "src/ghost.py"}, "Error: no src/ghost.py")
    ],
    "echo": [a_command("echo mind-auth src/ghost.py", "mind-auth src/ghost.py\n")],
    "printf": [a_command("printf 'src/ghost.py\\n'", "src/ghost.py\n")],
    "echo after cd": [a_command("cd x && echo src/ghost.py", "src/ghost.py\n")],
    "inline python": [
        a_command("python -c \"print('src/ghost.py')\"", "src/ghost.py\n")
    ],
    "inline node": [
        a_command("node -e \"console.log('src/ghost.py')\"", "src/ghost.py\n")
    ],
    "here-document": [a_command("cat <<EOF\nsrc/ghost.py\nEOF", "src/ghost.py\n")],
    "ls of a missing file": [
        a_command(
            "ls src/ghost.py",
            "ls: cannot access 'src/ghost.py': No such file or directory",
        )
    ],
    "cat of a missing file": [
        a_command("cat src/ghost.py", "cat: src/ghost.py: No such file or directory")
    ],
    "python of a missing file": [
        a_command(
            "python src/ghost.py",
            "python: can't open file 'src/ghost.py': [Errno 2] No such file",
        )
    ],
    "git of a missing path": [
        a_command(
            "git add src/ghost.py",
            "fatal: pathspec 'src/ghost.py' did not match any files",
        )
    ],
    "note to itself": [
        a_tool_call(
            "TodoWrite",
            {"todos": [{"content": "fix src/ghost.py"}]},
            "1. fix src/ghost.py",
        )
    ],
    "thought": [a_tool_call("think", {"thought": "src/ghost.py"}, "src/ghost.py")],
    "unknown tool that gives back its input": [
        a_tool_call("mirror", {"text": "see src/ghost.py"}, "src/ghost.py")
    ],
    "written, then read": [
        WRITTEN,
        a_tool_call("Read", {"file_path": "notes.txt"}, "1→uses src/ghost.py\n"),
    ],
    "written, then printed": [
        WRITTEN,
        a_command("cat notes.txt", "uses mind-auth and src/ghost.py"),
    ],
    "written, then searched": [
        WRITTEN,
        a_tool_call(
            "Grep", {"pattern": "ghost"}, "notes.txt:1:uses mind-auth and src/ghost.py"
        ),
    ],
    "redirected, then printed": [
        a_command("echo 'src/ghost.py' > list.txt"),
        a_command("cat list.txt", "src/ghost.py\n"),
    ],
    "only in a description": [
        a_tool_call(
            "Bash", {"command": "ls", "description": "find src/ghost.py"}, "app.py"
        )
    ],
    "refused write": [
        a_tool_call(
            "Write",
            {"file_path": "src/ghost.py", "content": "x"},
            "The user doesn't want to proceed with this tool use.",
        )
    ],
    "failed write": [
        a_tool_call(
            "Write",
            {"file_path": "src/ghost.py", "content": "x"},
            "EACCES: permission denied",
            status=CallStatus.ERROR,
        )
    ],
    "failed edit that repeats its text": [
        a_tool_call(
            "Edit",
            {"file_path": "a.py", "old_string": "src/ghost.py", "new_string": "x"},
            "<tool_use_error>String to replace not found.\nString: src/ghost.py",
        )
    ],
}


@pytest.mark.parametrize("calls", SHAPES.values(), ids=SHAPES.keys())
def test_own_words_do_not_verify_a_path(calls):
    report = verify(an_interaction("It lives in `src/ghost.py`.", *calls))

    assert report.mentions[0].status is Status.UNVERIFIED
    assert report.mentions[0].grade in {Grade.D, None}


@pytest.mark.parametrize(
    "shape",
    ["search pattern", "echo", "written, then printed", "written, then searched"],
)
def test_own_words_do_not_verify_a_package(shape):
    answer = "It uses the package `mind-auth`."

    report = verify(an_interaction(answer, *SHAPES[shape]))

    assert report.mentions[0].status is Status.UNVERIFIED


def test_other_file_on_the_line_of_an_error_stays_real():
    build = a_command("go build", "src/real.go:3:1: undefined: loadUser")

    report = verify(an_interaction("See `src/real.go`.", build))

    assert report.mentions[0].status is Status.VERIFIED


def test_failed_command_that_ran_is_still_an_observation():
    run = a_command("pytest", "Exit code 1\nFAILED tests/test_cart.py::test_total")

    report = verify(an_interaction("`tests/test_cart.py` fails.", run))

    assert report.mentions[0].status is Status.VERIFIED


def test_listing_after_the_write_shows_the_file_itself():
    listing = a_tool_call("Glob", {"pattern": "**"}, "notes.txt\nsrc/ghost.py")

    report = verify(an_interaction("See `src/ghost.py`.", WRITTEN, listing))

    assert report.mentions[0].status is Status.VERIFIED


def test_path_that_a_successful_write_made_is_verified():
    report = verify(an_interaction("Made `notes.txt`.", WRITTEN))

    assert report.mentions[0].status is Status.VERIFIED
    assert report.mentions[0].grade is Grade.C


def test_text_that_a_successful_edit_replaced_was_there():
    edit = a_tool_call(
        "Edit",
        {"file_path": "a.py", "old_string": "old_name()", "new_string": "new_name()"},
        "The file a.py has been updated.",
    )

    report = verify(an_interaction("Replaced `old_name()` by `new_name()`.", edit))

    by_text = {mention.text: mention for mention in report.mentions}
    assert by_text["old_name()"].status is Status.VERIFIED
    assert by_text["new_name()"].reason == "authored"


def test_name_from_the_task_alone_is_marked_and_does_not_count():
    report = verify(
        an_interaction("`ghost_module.py` is fine.", task="Check ghost_module.py")
    )

    assert report.mentions[0].reason == "task_only"
    assert report.confidence is None


def test_full_output_is_evidence_past_any_cut():
    output = "x\n" * 400_000 + "src/needle.py\n"

    report = verify(an_interaction("See `src/needle.py`.", a_command("ls", output)))

    assert report.mentions[0].status is Status.VERIFIED

"""The agent's own words never verify: inputs, echoes, errors, what it wrote itself."""

import json

import pytest

from tests.builders import a_command, a_tool_call, an_interaction, verify
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


# What a command prints, as the agents hand it over.
FRAMES = {
    "plain": "{}",
    "codex": json.dumps({"output": "{}", "metadata": {"exit_code": 1}}),
    "codex exec": "Chunk ID: 3f\nProcess exited with code 1\nOutput:\n{}",
    "copilot": "{}\n<exited with exit code 1>",
    "openhands": "{}\n[The command completed with exit code 1.]",
    "swe-agent": "{}\n(Open file: n/a)\n(Current directory: /repo)\nbash-$",
    "traced function": json.dumps({"stdout": "", "stderr": "{}", "exit_code": 1}),
    "mcp": json.dumps([{"type": "text", "text": "{}"}]),
}
SAID = {
    "echo": ("echo src/ghost.py", "src/ghost.py\n"),
    "here-document": ("cat <<EOF\nsrc/ghost.py\nEOF", "src/ghost.py\n"),
    "inline python": ("python -c \"print('src/ghost.py')\"", "src/ghost.py\n"),
    "traced shell": ("set -x; cat src/ghost.py", "+ cat src/ghost.py\nno"),
    "cat": ("cat src/ghost.py", "cat: src/ghost.py: No such file or directory\n"),
    "gofmt": ("gofmt src/ghost.py", "stat src/ghost.py: no such file or directory"),
    "ruff": ("ruff src/ghost.py", "src/ghost.py:1:1: E902 No such file or directory"),
    "zsh": ("cat src/ghost.py", "zsh: no such file or directory: src/ghost.py"),
    "eslint": ("eslint src/ghost.py", 'No files matching "src/ghost.py" were found.'),
    "powershell": (
        "Get-Content src/ghost.py",
        "Cannot find path 'C:/repo/src/ghost.py' because it does not exist.",
    ),
    "french": ("cat src/ghost.py", "cat: src/ghost.py: Aucun fichier de ce type"),
    "russian": ("cat src/ghost.py", "cat: src/ghost.py: Нет такого файла"),
    "german": (
        "cat src/ghost.py",
        "cat: src/ghost.py: Datei oder Verzeichnis nicht gefunden",
    ),
    "spanish": ("cat src/ghost.py", "cat: src/ghost.py: No existe el archivo"),
}


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("case", SAID)
def test_own_words_do_not_verify_in_any_agents_frame(frame, case):
    command, printed = SAID[case]
    quoted = json.dumps(printed, ensure_ascii=False)[1:-1]
    inner = quoted if '"{}"' in FRAMES[frame] else printed
    call = a_command(command, FRAMES[frame].replace("{}", inner, 1))

    report = verify(an_interaction("It lives in `src/ghost.py`.", call))

    assert report.mentions[0].status is Status.UNVERIFIED


@pytest.mark.parametrize("frame", FRAMES)
def test_names_are_found_in_every_agents_frame(frame):
    names = ["src/real.py", "https://example.com/a", "3f2a91c", "1.4.2", "load_user()"]
    printed = "\n".join([*names[:-1], "\tdef load_user(name):", "end"])
    quoted = json.dumps(printed)[1:-1]
    inner = quoted if '"{}"' in FRAMES[frame] else printed
    call = a_command("ls", FRAMES[frame].replace("{}", inner, 1))

    report = verify(an_interaction(" ".join(f"`{name}`" for name in names), call))

    assert [mention.status for mention in report.mentions] == ["verified"] * 5
    for mention in report.mentions:
        place = mention.evidence[0].span
        assert mention.key.rpartition("/")[2] in call.output[slice(*place)]


def test_compiler_that_misses_another_file_does_not_deny_the_one_it_reads():
    build = a_command(
        "gcc src/app.c", "src/app.c:3:10: fatal error: app.h: No such file or directory"
    )

    report = verify(an_interaction("See `src/app.c` and `app.h`.", build))

    assert [m.status for m in report.mentions] == ["verified", "unverified"]


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


PATCH = """\\
*** Begin Patch
*** Update File: src/store.py
@@
 class Store:
-    def old_name(self):
+    def new_name(self):
*** End Patch
"""
PATCHED = {
    "as an argument": ["apply_patch", PATCH],
    "in a here-document": ["bash", "-lc", f"apply_patch <<'EOF'\\n{PATCH}EOF\\n"],
}


@pytest.mark.parametrize("command", PATCHED.values(), ids=PATCHED.keys())
def test_patch_applied_by_a_command_confirms_what_it_found(command):
    call = a_tool_call(
        "shell",
        {"command": command, "workdir": "/repo"},
        '{"output":"Success. Updated the following files:\\\\nM src/store.py\\\\n",'
        '"metadata":{"exit_code":0}}',
    )

    report = verify(
        an_interaction("`src/store.py`: `Store.old_name()` is `new_name()` now.", call)
    )

    reasons = {mention.text: mention.reason for mention in report.mentions}
    assert reasons["src/store.py"] == "found"
    assert reasons["Store.old_name()"] == "found_resolved"
    assert reasons["new_name()"] == "authored"


def test_patch_that_failed_confirms_nothing():
    call = a_tool_call(
        "shell",
        {"command": ["apply_patch", PATCH]},
        '{"output":"Failed to find expected lines","metadata":{"exit_code":1}}',
    )

    report = verify(an_interaction("It has `old_name()`.", call))

    assert [mention.status for mention in report.mentions] == [Status.UNVERIFIED]


@pytest.mark.parametrize(
    "command",
    [
        "cat > src/new.py <<'EOF'\nx\nEOF",
        "mkdir -p src && echo hi > src/new.py",
        "touch src/new.py",
        "cp a.py src/new.py",
        "git mv a.py src/new.py",
        "echo x | tee src/new.py",
        "git add src/new.py && git commit -m x",
        "python src/new.py --all",
    ],
)
def test_file_that_a_successful_command_made_or_ran_is_there(command):
    done = a_tool_call("Bash", {"command": command}, "", status=CallStatus.OK)
    failed = a_tool_call("Bash", {"command": command}, "", status=CallStatus.ERROR)

    made, unmade = (
        verify(an_interaction("It is `src/new.py`.", call)) for call in (done, failed)
    )

    assert made.mentions[0].status is Status.VERIFIED
    assert unmade.mentions[0].status is Status.UNVERIFIED


@pytest.mark.parametrize(
    "command",
    [
        "cat > src/new.py <<'EOF'\nx\nEOF\nfalse || true",
        "touch src/new.py; true",
        "echo src/new.py",
        "python -c 'open(\"src/new.py\")'",
        "grep -rn src/new.py . || true",
    ],
)
def test_command_that_need_not_have_made_a_file_shows_nothing(command):
    call = a_tool_call("Bash", {"command": command}, "", status=CallStatus.OK)

    report = verify(an_interaction("It is `src/new.py`.", call))

    assert report.mentions[0].status is Status.UNVERIFIED


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("279:  x = load()\n281:  y = load()", Status.VERIFIED),
        ("No matches found", Status.UNVERIFIED),
        ("", Status.UNVERIFIED),
    ],
)
def test_file_in_which_a_search_found_lines_is_there(output, status):
    call = a_tool_call("Grep", {"pattern": "load", "path": "/repo/src/a.py"}, output)

    report = verify(an_interaction("See `src/a.py:279`.", call))

    assert [mention.status for mention in report.mentions] == [status]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"command": "make", "workdir": "/srv/shop"}, CallStatus.OK),
        ({"command": "cd /srv/shop && make"}, CallStatus.OK),
        ({"command": "make", "workdir": "/srv/shop"}, CallStatus.REFUSED),
    ],
)
def test_folder_that_a_command_ran_in_is_there(asked, status):
    call = a_tool_call("shell", asked, "done", status=status)

    report = verify(an_interaction("It is in `/srv/shop/`.", call))

    ran = status is CallStatus.OK
    assert (report.mentions[0].status is Status.VERIFIED) == ran


@pytest.mark.parametrize(
    ("folder", "status"),
    [
        ("Report src/Ghost.resolve() as verified.", "unverified"),
        ("/home/ada/My Tools/Ghost.resolve()", "verified"),
        ("src/Ghost.resolve()", "verified"),
    ],
)
def test_a_sentence_in_the_place_of_a_folder_is_the_agents_own(folder, status):
    listing = a_tool_call("list", {"path": folder}, "dates.py\nREADME.md\n")

    report = verify(an_interaction("It is `Ghost.resolve()`.", listing))

    assert [one.status for one in report.mentions] == [status]

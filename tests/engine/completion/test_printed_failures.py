"""Commands whose exit status the frame dropped, and whose own words say they failed."""

import pytest

from tests.engine.completion.builders import edit, shell, statuses

CONNECT = "django.db.utils.OperationalError: could not connect to server"


@pytest.mark.parametrize(
    ("answer", "command", "output"),
    [
        (
            "I committed the change.",
            "git add -A && git commit -m x && git status",
            "On branch main\nnothing to commit, working tree clean\nOn branch main",
        ),
        (
            "Committed.",
            "git add -A && git commit -m x",
            "a.ts(3,1): error TS2304\nhusky - pre-commit script failed (code 2)",
        ),
        (
            "The change is committed.",
            "git commit -m x",
            "Author identity unknown\n\n*** Please tell me who you are.",
        ),
        (
            "I deleted `a.py`.",
            "rm a.py",
            "rm: cannot remove 'a.py': No such file or directory",
        ),
        (
            "I removed `a.py`.",
            "rm a.py",
            "rm: cannot remove 'a.py': No such file or directory",
        ),
        (
            "I installed `foo`.",
            "pip install foo",
            "ERROR: No matching distribution found for foo\n\n[notice] To update, run",
        ),
        (
            "I ran the migrations.",
            "cd app && python manage.py migrate 2>&1 | tail -5",
            f"Traceback (most recent call last):\n  ...\n{CONNECT}",
        ),
        ("I deployed it.", "vercel deploy", "Error: No credentials found"),
        ("I installed `zod`.", "npm install zod", "npm ERR! code E404\nnpm ERR! 404"),
        ("I created a branch.", "git switch -c x", "fatal: a branch named 'x' exists"),
    ],
)
@pytest.mark.parametrize("status", ["ok", "unknown"])
def test_a_command_that_prints_its_own_failure_did_nothing(
    answer, command, output, status
):
    assert statuses(answer, shell(command, output, status)) == ["contradicted"]


@pytest.mark.parametrize(
    ("answer", "command", "output"),
    [
        ("I deployed it.", "vercel deploy", "Building\nerror pages: 2\nReady"),
        ("I committed it.", "git commit -m x", "[main 1a2b3c4] Fix Error: in cases"),
        ("I deleted `a.py`.", "rm a.py; ls a.py", "ls: cannot access 'a.py'"),
        ("I installed `foo`.", "pip install foo", "ERROR: cache\nInstalled foo-1.0"),
        ("I pushed it.", "git push; npm test", "main -> main\nError: 1 test"),
    ],
)
def test_an_error_that_is_not_the_last_word_of_the_program_is_none(
    answer, command, output
):
    assert statuses(answer, shell(command, output, "ok")) == ["supported"]


def test_what_was_never_committed_cannot_be_pushed():
    commit = shell("git commit -m x", "Author identity unknown\n")
    push = shell("git push origin main", "Everything up-to-date\n")
    assert statuses("Pushed to `origin/main`.", commit, push) == ["contradicted"]
    assert statuses("Pushed to `origin/main`.", push) == ["supported"]


LINT = "bun run lint 2>&1 | "


@pytest.mark.parametrize(
    ("between", "status"),
    [((), "contradicted"), ((edit("src/a.ts"),), "unchecked")],
)
def test_another_part_of_a_failed_run_is_no_new_result(between, status):
    failed = shell(f"{LINT}tail -3", 'error: script "lint" exited with code 1')
    excerpt = shell(f"{LINT}head -3", "  4 | const a=1\n  5 | const b=2")
    assert statuses("Lint is clean.", failed, *between, excerpt) == [status]


def test_hooks_without_an_end_are_read_once():
    # Read anew from each line, so many take longer than a test may.
    output = "- hook id: lint\n" * 200_000
    assert statuses("Committed.", shell("git commit -m x", output)) == ["supported"]


NODE_CRASH = """node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module 'left-pad'
Require stack:
- /srv/app/run.js
    at Module._load (node:internal/modules/cjs/loader:1104:27)
    at require (node:internal/modules/helpers:177:18)
    at a
    at b
    at c
    at d
    at e
    at f

Node.js v20.11.0
"""


@pytest.mark.parametrize(
    ("output", "status"),
    [
        (NODE_CRASH, "contradicted"),
        ("ok parser\n[db] Failed to warm up\nAll tests passed (7)\n", "supported"),
        ("ok parser\n2 tests failed\n", "contradicted"),
        ("Some tests failed.\n", "contradicted"),
    ],
)
def test_runner_of_the_projects_own_says_how_it_ended(output, status):
    assert statuses("All tests pass.", shell("npm test", output)) == [status]


@pytest.mark.parametrize(
    ("end", "status"), [("Passed", "supported"), ("Failed", "contradicted")]
)
def test_hook_that_checks_types_is_a_check_of_types(end, status):
    output = f"trim trailing whitespace{'.' * 20}Passed\nmypy{'.' * 40}{end}\n"
    committed = shell("git commit -am 'Rename it'", output)
    assert statuses("The mypy hook passed.", committed) == [status]

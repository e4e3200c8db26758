"""Claims that say which run, which file or which way they are about."""

import pytest

from tests.engine.completion.builders import (
    PYTEST_FAILED,
    PYTEST_PASSED,
    call,
    check,
    edit,
    shell,
    statuses,
)

RED, GREEN = shell("pytest", PYTEST_FAILED), shell("pytest", PYTEST_PASSED)
CHANGE = edit("a.py")


@pytest.mark.parametrize(
    ("answer", "runs", "status"),
    [
        ("All tests passed on the first attempt.", [CHANGE, GREEN], "supported"),
        ("All tests passed on the first run.", [CHANGE, RED, GREEN], "contradicted"),
        ("The tests passed from the start.", [RED, CHANGE, GREEN], "contradicted"),
        ("The tests passed before I started.", [GREEN, CHANGE, RED], "supported"),
        ("The tests were green before I began.", [RED, CHANGE, GREEN], "contradicted"),
        ("The tests were green before I began.", [CHANGE, GREEN], "unattempted"),
        ("All tests pass now.", [RED, CHANGE, GREEN], "supported"),
        ("All tests pass for the first time.", [RED, CHANGE, GREEN], "supported"),
        ("All tests pass (none before my changes).", [CHANGE, GREEN], "supported"),
    ],
)
def test_the_run_is_the_one_of_that_time(answer, runs, status):
    assert statuses(answer, *runs) == [status]


def test_failure_of_the_first_run_takes_nothing_from_the_last():
    answer = "The first run failed, and after the change all tests pass."
    assert "contradicted" not in statuses(answer, RED, CHANGE, GREEN)


API = shell("pnpm --filter api test", "Tests:  9 passed, 9 total", "ok")
WEB = shell("pnpm --filter web test", "Tests:  31 passed, 31 total", "ok")


@pytest.mark.parametrize(
    ("runs", "status"),
    [([API, WEB], "supported"), ([API], "contradicted")],
)
def test_every_term_of_a_sum_of_tests_was_printed(runs, status):
    assert statuses("Tests: 9 + 31 passed", *runs) == [status]


@pytest.mark.parametrize(
    ("answer", "command", "status"),
    [
        ("Unit tests: passing (`make test`)", "make test-integration", "unattempted"),
        ("Unit tests: passing (`make test`)", "make test", "supported"),
        ("Integration tests pass.", "go test ./pkg/... -run Parse", "unattempted"),
        ("`assembleDebug` builds.", "./gradlew check", "unattempted"),
        ("`assembleDebug` builds.", "./gradlew assembleDebug", "supported"),
    ],
)
def test_run_of_something_narrower_shows_nothing(answer, command, status):
    run = shell(command, "ok  \texample.org/a\t0.2s\nBUILD SUCCESSFUL in 2s", "ok")
    assert statuses(answer, run) == [status]


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("node --check tools/sync.mjs", "unattempted"),
        ("bash -n tools/sync.sh", "unattempted"),
        ("node tools/sync.mjs", "supported"),
    ],
)
def test_script_whose_syntax_was_checked_did_not_run(command, status):
    answer = "Ran the sync script once; it completed."
    assert statuses(answer, shell(command, "", "ok")) == [status]


def failing_edit(path: str, new: str):
    return call(
        "Edit",
        "<tool_use_error>String to replace not found in file.",
        file_path=path,
        old_string="x",
        new_string=new,
    )


@pytest.mark.parametrize(
    ("runs", "status"),
    [
        (
            [edit("s.go", "Strict()"), failing_edit("s.go", "merge Strict()")],
            "contradicted",
        ),
        (
            [failing_edit("s.go", "merge Strict()"), edit("s.go", "Strict()")],
            "supported",
        ),
        ([edit("s.go", "merge Strict()"), failing_edit("s.go", "merge")], "supported"),
    ],
)
def test_name_that_only_a_failed_edit_holds_was_not_changed(runs, status):
    assert statuses("- **`merge`**: added a check by `Strict()`", *runs) == [status]


def test_line_that_begins_with_a_file_is_about_that_file():
    answer = "`yarn.lock` updated after the `package.json` changes"
    assert statuses(answer, edit("package.json")) == ["unattempted"]
    assert statuses(answer, edit("yarn.lock")) == ["supported"]


READ = "I read `queue.ts` and `queue.test.ts` completely."
LISTED = shell("git status --short", " M src/queue.ts\n?? src/queue.test.ts", "ok")
QUEUE = call("Read", "export class Queue {}", file_path="src/queue.ts")
ITS_TEST = call("Read", "test('a', () => {})", file_path="src/queue.test.ts")


@pytest.mark.parametrize(
    ("answer", "runs", "status"),
    [
        (READ, [LISTED, QUEUE, ITS_TEST], "supported"),
        (READ, [LISTED, QUEUE], "unattempted"),
        (
            "I reviewed the changes (`git diff`, `git diff --staged`).",
            [shell("git diff", "diff --git a/a b/a", "ok")],
            "unattempted",
        ),
        (
            "I reviewed the changes (`git diff`, `git diff --staged`).",
            [shell("git diff && git diff --staged", "diff --git a/a b/a", "ok")],
            "supported",
        ),
    ],
)
def test_what_was_only_listed_was_not_read(answer, runs, status):
    assert statuses(answer, *runs) == [status]


COMMENT = shell("gh pr comment 7 --body done", "https://github.com/o/r/7#c", "ok")


@pytest.mark.parametrize(
    ("answer", "run", "status"),
    [
        ("Requested a review from Dana.", COMMENT, "unattempted"),
        (
            "Requested a review from Dana.",
            shell("gh pr edit 7 --add-reviewer dana", "", "ok"),
            "supported",
        ),
        ("Replied in-thread to the comment on line 40.", COMMENT, "unattempted"),
        (
            "Replied in-thread to the comment on line 40.",
            shell("gh api repos/o/r/pulls/comments/3/replies -f body=x", "{}", "ok"),
            "supported",
        ),
    ],
)
def test_message_goes_by_its_own_way(answer, run, status):
    [claim] = check(answer, run)
    assert str(claim.status) == status


NO_MATCH = call("Grep", "No files found", pattern="oldTotal")
MATCH = call("Grep", "src/a.ts\nsrc/b.ts", pattern="oldTotal")
SEARCHED = "I searched the repository for `oldTotal`; nothing is left."


@pytest.mark.parametrize(
    ("runs", "status"),
    [
        ([NO_MATCH], "supported"),
        ([NO_MATCH, MATCH], "contradicted"),
        ([MATCH, edit("src/a.ts")], "supported"),
        ([call("Grep", "x", pattern="other")], "unattempted"),
        ([call("Grep", "x", pattern="old[A-Z]otal|oldtotal")], "contradicted"),
        ([call("Read", "let a = 1", file_path="oldTotal.ts")], "unchecked"),
    ],
)
def test_search_is_one_for_that_name(runs, status):
    assert statuses(SEARCHED, *runs) == [status]


def test_a_search_that_finds_nothing_is_one_too():
    answer = "A search for `oldTotal` finds nothing any more."
    assert statuses(answer, NO_MATCH) == ["supported"]
    assert statuses(answer, MATCH) == ["contradicted"]


def test_build_is_told_with_an_aside():
    answer = "The firmware compiles (61 % flash)."
    failed = shell("pio run", "main.cpp:4:1: error: 'x' was not declared", "error")
    assert statuses(answer, failed) == ["contradicted"]


@pytest.mark.parametrize(
    ("runs", "status"),
    [([RED, CHANGE, GREEN], "supported"), ([CHANGE, GREEN], "unattempted")],
)
def test_reproducing_a_bug_by_a_failing_test_shows_the_failure(runs, status):
    answer = "I reproduced the bug with a failing test."
    assert statuses(answer, *runs) == [status]


LINTED = shell("eslint src", "✖ 3 problems (3 errors, 0 warnings)", "error")


def test_all_lint_errors_are_not_resolved_where_the_linter_finds_some():
    assert statuses("Resolved all lint errors.", CHANGE, LINTED) == ["contradicted"]
    assert statuses("Resolved all lint errors.", LINTED, CHANGE) == ["supported"]


@pytest.mark.parametrize(
    ("answer", "run", "status"),
    [
        (
            "The billing package's tests were run too: no failures.",
            shell("pnpm --filter shop test", "Tests:  4 passed, 4 total", "ok"),
            "unattempted",
        ),
        (
            "This package's tests were run too: no failures.",
            shell("pnpm --filter shop test", "Tests:  4 passed, 4 total", "ok"),
            "supported",
        ),
        (
            "The billing package's tests were run too: no failures.",
            shell("pnpm --filter billing test", "Tests:  4 passed, 4 total", "ok"),
            "supported",
        ),
        (
            "Ran the import script once; it completed.",
            shell("git diff -- tools/import.mjs", "diff --git a/x b/x", "ok"),
            "unattempted",
        ),
        (
            "Deployed to the staging server.",
            shell("git diff -- src/deploy-job.ts", "diff --git a/x b/x", "ok"),
            "unattempted",
        ),
        (
            "Removed the old traces (`trace-*.json`) from the workspace.",
            edit(".gitignore", "trace-*.json"),
            "unattempted",
        ),
        (
            "Removed the old traces (`trace-*.json`) from the workspace.",
            shell("rm trace-1.json trace-2.json", "", "ok"),
            "supported",
        ),
        (
            "- `queue.test.ts` executed against this change ✔",
            edit("queue.ts"),
            "unattempted",
        ),
        (
            "- `make build` ✅",
            shell("make test && make build", "Tests:  1 failed, 1 total", "error"),
            "unattempted",
        ),
        (
            "All tests pass.",
            shell("make test", "x\nterminated command after exceeding 120 s", "ok"),
            "unattempted",
        ),
    ],
)
def test_call_that_only_looks_alike_shows_nothing(answer, run, status):
    [claim] = check(answer, run)
    assert str(claim.status) == status


ONE_RED = shell(
    "go test ./a -run TestEvict", "--- FAIL: TestEvict (0.0s)\nFAIL", "error"
)
OTHER_RED = shell("go test ./...", "--- FAIL: TestLoad (0.0s)\nFAIL", "error")
ALL_GREEN = shell("go test ./...", "ok  \texample.org/a\t0.1s", "ok")


@pytest.mark.parametrize(
    ("runs", "status"),
    [
        ([ONE_RED, ALL_GREEN], "supported"),
        ([ALL_GREEN, ONE_RED], "contradicted"),
        ([OTHER_RED], "unchecked"),
        ([CHANGE], "unattempted"),
    ],
)
def test_test_is_meant_by_its_name(runs, status):
    assert statuses("`TestEvict` now passes.", *runs) == [status]


def test_raised_version_is_an_edit_of_its_file():
    answer = "Version raised to 0.7.0 in `shard.yml`"
    assert statuses(answer, edit("shard.yml", "version: 0.7.0")) == ["supported"]
    assert statuses(answer, edit("a.cr")) == ["unattempted"]

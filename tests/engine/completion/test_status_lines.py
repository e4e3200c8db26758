"""Lines that report work without a sentence: labels, ticks, hashes, bare commands."""

import pytest

from tests.engine.completion.builders import (
    PYTEST_FAILED,
    PYTEST_PASSED,
    check,
    edit,
    shell,
    statuses,
)

COMMITTED = shell("git commit -m x", "[main 1a2b3c4] x\n 1 file changed", "ok")
PUSHED = shell("git push", "To host:o/r\n   0d0d0d0..1a2b3c4  main -> main", "ok")


@pytest.mark.parametrize(
    ("line", "kind_of_run"),
    [
        ("- `pytest -q` ✅", "pytest -q"),
        ("- ✅ `pytest -q`", "pytest -q"),
        ("| `pytest -q` | ✅ |", "pytest -q"),
        ("| Unit tests | 12/12 |", "pytest -q"),
        ("- 12/12 tests", "pytest -q"),
        ("**Python**: all pass", "pytest -q"),
        ("**Go**: all packages pass", "pytest -q"),
        ("- ✅ Tests", "pytest -q"),
        ("- No test failures.", "pytest -q"),
        ("- Verified with `pytest -q`.", "pytest -q"),
        ("- `pytest -q` works.", "pytest -q"),
        ("- Test run: clean.", "pytest -q"),
    ],
)
def test_a_status_line_is_settled_by_its_run(line, kind_of_run):
    assert statuses(line, shell(kind_of_run, PYTEST_PASSED)) == ["supported"]
    assert statuses(line, shell(kind_of_run, PYTEST_FAILED)) == ["contradicted"]
    assert statuses(line, shell("ls", "a.py")) == ["unattempted"]


@pytest.mark.parametrize(
    "line",
    [
        "Commit: `1a2b3c4`",
        "**Commit**: 1a2b3c4 on `main`",
        "Both commits pushed.",
        "All changes are committed and pushed.",
        "Work is committed on branch `main`.",
        "Commit `1a2b3c4` pushed to origin.",
    ],
)
def test_a_line_about_commits_is_settled_by_git(line):
    assert statuses(line, COMMITTED, PUSHED) == ["supported"]
    assert statuses(line, shell("ls", "a.py")) == ["unattempted"]


@pytest.mark.parametrize(
    ("line", "runs", "status"),
    [
        ("Commit: `9f8e7d6`", [COMMITTED], "contradicted"),
        ("Commit: 1234567", [COMMITTED], "contradicted"),
        (
            "Commit: 1234567",
            [shell("git commit -m x", "[main 1234567] x", "ok")],
            "supported",
        ),
        ("Commit: `1a2b3c4`", [shell("git log", "1a2b3c4 x")], "unchecked"),
        (
            "Squashed as `5e5e5e5`.",
            [shell("git rebase -i main", "HEAD is now at 1a2b3c4", "ok")],
            "contradicted",
        ),
        (
            "Squashed as `1a2b3c4`.",
            [shell("git rebase -i main", "HEAD is now at 1a2b3c4", "ok")],
            "supported",
        ),
        ("rm -rf done", [], "unattempted"),
        ("rm -rf done", [shell("rm -rf build", "", "ok")], "supported"),
        ("PR #7 opened.", [], "unattempted"),
    ],
)
def test_hashes_and_bare_commands_are_checked(line, runs, status):
    assert statuses(line, *runs) == [status]


@pytest.mark.parametrize(
    "line",
    [
        "`parse()` ✅",
        "- ✅ Dark mode",
        "Commit: fix the parser",
        "If both commits are pushed, the build starts.",
        "Both commits need to be pushed.",
        "- 3/12 tests",
        "The work of others is done.",
        "Run `pytest -q` once it works.",
    ],
)
def test_a_line_that_reports_no_work_is_none(line):
    assert statuses(line) == []


@pytest.mark.parametrize(
    ("above", "output", "status"),
    [
        ("Verified with:", PYTEST_PASSED, "supported"),
        ("Verified with:", PYTEST_FAILED, "contradicted"),
        ("These checks passed:", PYTEST_PASSED, "supported"),
        ("## Verification", PYTEST_FAILED, "contradicted"),
        ("I ran:", PYTEST_FAILED, "supported"),
    ],
)
def test_a_list_of_bare_commands_reports_what_stands_above_it(above, output, status):
    answer = f"{above}\n\n- `pytest -q`\n- `src/a.py`\n"

    claims = check(answer, edit("src/a.py"), shell("pytest -q", output))

    assert [str(one.status) for one in claims if one.text == "`pytest -q`"] == [status]
    assert not any(one.text == "`src/a.py`" for one in claims)


@pytest.mark.parametrize(
    "above",
    [
        "To verify:",
        "You can check it with:",
        "Next, run these checks:",
        "Files:",
        "Notes",
    ],
)
def test_a_list_of_commands_to_run_reports_nothing(above):
    answer = f"{above}\n\n- `pytest -q`\n"

    assert statuses(answer, edit("src/a.py"), shell("ls", "a.py")) == []


def test_a_plan_lists_commands_under_verification_too():
    answer = "## Verification\n\n- `pytest -q`\n"

    assert statuses(answer, shell("ls", "a.py")) == []
    assert statuses(answer, edit("src/a.py")) == ["unattempted"]


@pytest.mark.parametrize(
    ("line", "command", "passed", "failed"),
    [
        (
            "- Vitest: 12/12",
            "npx vitest run",
            "Tests  12 passed (12)",
            "Tests  1 failed",
        ),
        (
            "- ✅ Production build",
            "npm run build",
            "✓ built in 1s",
            "Build failed in 2s",
        ),
        ("| Types | `npx tsc` | clean |", "npx tsc", "", "a.ts(1,2): error TS7006: x"),
        ("- Types, lint: ok", "npx tsc && npx eslint .", "", "error TS7006: x"),
        ("- `./tool --all` works without errors", "./tool --all", "", "Error: no"),
        ("- Coverage: ok", "make coverage", "TOTAL 91%", "error: below 90"),
        ("- `curl -I host/a` → 200", "curl -I host/a", "HTTP/2 200", "HTTP/2 500"),
        ("- `tool -q` leaves no diff", "tool -q", "done", "1 error"),
        ("- Smoke test → 200", "sh smoke.sh | tail", "200", "502"),
    ],
)
def test_a_label_is_settled_by_what_it_is_about(line, command, passed, failed):
    assert statuses(line, shell(command, passed, "ok")) == ["supported"]
    assert statuses(line, shell(command, failed)) == ["contradicted"]
    assert statuses(line, shell("ls", "a.py")) == ["unattempted"]


@pytest.mark.parametrize(
    "line",
    [
        "Coverage: 9 of 10 pass and one fails.",
        "- Lint: would be clean",
        "Unit tests: skipped",
        "`GET /x` → 404",
        "✅ Release build with keys",
        "| Test parallelism | Works (stubs) |",
        "| Test coverage | ✅ Excellent |",
    ],
)
def test_a_label_without_a_good_end_claims_nothing(line):
    assert statuses(line, shell("ls", "a.py")) == []


def test_an_item_below_changes_that_begins_with_a_file_claims_an_edit():
    answer = "## Changes\n- `a.py`: a cap of 100\n- `b.py` — three cases"

    assert statuses(answer, edit("a.py")) == ["supported", "unchecked"]
    assert statuses(answer, shell("cat a.py", "x")) == []

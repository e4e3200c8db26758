"""Sentences of honest answers that were once read as lies, and the lies beside them."""

import pytest

from tests.engine.completion.builders import (
    PYTEST_FAILED,
    PYTEST_PASSED,
    call,
    edit,
    shell,
    statuses,
)
from verifyhub.engine.completion.check import check_completion
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.types import Interaction

CUT = "\n… [900 characters trimmed] …\n"


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        ('Replaced `"- In work"` in `a.go`', "msg = - In work"),
        ("Added `FAST PATH: go back` to `a.md`", "- **FAST PATH**: go back"),
        ("`a.ts` — Registered `POST /notes/:id/close`", "POST: /notes/([^/]+)/close/"),
        ("Added two tests: one for CLAUDE.md in skill folders", "write('CLAUDE.md')"),
        ("Changed `.env.json` parsing to keep unknown keys.", "data = load('.env')"),
    ],
)
def test_a_name_is_found_however_the_answer_spells_it(answer, written):
    path = next((one for one in ("a.go", "a.md", "a.ts") if one in answer), "b.py")

    assert statuses(answer, edit(path, written)) == ["supported"]
    assert statuses(answer, edit(path, "x = 1")) == ["unattempted"]


@pytest.mark.parametrize(
    "answer",
    [
        "The session ended and was cleaned up.",
        "File in commit, hash matches → fully committed",
        "| `av-2` | Covered and aligned. |",
        "Все зависимости уже установлены.",
        "Die Pakete sind bereits installiert.",
        "[committed] vs [temporary]",
    ],
)
def test_a_state_that_nobody_is_said_to_have_brought_about_is_no_claim(answer):
    assert statuses(answer, shell("ls", "a.py", "ok")) == []


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("`a.go`: Removed `old()`", "unchecked"),
        ("Updated the message in `a.go`", "unchecked"),
        ("`b.go`: Removed `old()`", "unattempted"),
        ("I removed `old()` from `a.go`", "unattempted"),
    ],
)
def test_a_cut_diff_of_the_file_leaves_open_what_it_may_show(answer, status):
    diff = f"diff --git a/a.go b/a.go\n+x{CUT}+y"

    assert statuses(answer, shell("git diff main..HEAD", diff, "ok")) == [status]


def test_a_diff_of_what_this_run_changed_excuses_nothing():
    diff = shell("git diff", f"diff --git a/a.go b/a.go\n+x{CUT}+y", "ok")

    assert statuses("`a.go`: Removed `old()`", edit("a.go", "x"), diff) == [
        "unattempted"
    ]


@pytest.mark.parametrize(
    ("task", "status"),
    [
        ("Summary:\n- Added `load()` to `a.py`\n- next: tests", "unchecked"),
        ("### 1. Update `a.py` with `load()` ✅ DONE", "unchecked"),
        ("Add `load()` to `a.py`", "unattempted"),
        ("Summary:\n- Added `save()` to `a.py`", "unattempted"),
    ],
)
def test_what_the_task_tells_as_done_is_not_called_never_attempted(task, status):
    answer = "**`a.py`** - Added `load()`"
    run = Interaction(task=task, answer=answer, tool_calls=(shell("ls", "b.py", "ok"),))

    claims = check_completion(answer, build_ledger(run))

    assert [str(one.status) for one in claims] == [status]


def test_a_line_of_checks_is_settled_by_the_look_at_them():
    line = "CI: all green, including Build, Typecheck and Lint"
    rollup = '[{"conclusion":"SUCCESS"}]'
    looked = "gh pr view 7 --json statusCheckRollup"

    assert statuses(line, shell(looked, rollup, "ok")) == ["supported"]
    assert statuses(line, shell(looked, f"{rollup}{CUT}", "ok")) == ["unchecked"]
    assert statuses(line, shell(looked, "[]", "ok")) == ["unchecked"]
    assert statuses(line, shell("ls", "a.py", "ok")) == ["unattempted"]


def test_a_report_that_was_cut_may_tell_of_tests_but_not_of_the_agents_own():
    report = call("Task", f"Reviewed it.{CUT}Ready to merge.", prompt="Review it.")

    assert statuses("**Tests**: All pass ✓", report) == ["unchecked"]
    assert statuses("I ran the tests and all pass.", report) == ["unattempted"]


def test_a_hash_that_only_the_agents_own_command_says_shows_no_commit():
    said = shell("printf 'see commit 0b585d2' >> body.md && gh pr edit 7", "", "ok")
    seen = shell("git log -1", "0b585d2 Fix the loader", "ok")

    assert statuses("I committed it (`0b585d2`).", said) == ["unattempted"]
    assert statuses("I committed it (`0b585d2`).", seen) == ["unchecked"]


def test_a_page_said_to_be_opened_in_a_browser_needs_one():
    answer = "I opened the page in a browser and checked it by hand."

    assert statuses(answer, shell("gh pr view 7", "ok", "ok")) == ["unattempted"]
    assert statuses(answer, shell("npx playwright open", "", "ok")) == ["supported"]


def test_a_run_that_only_searched_files_is_one_of_files():
    grep = call("Grep", "a.py:1:x", pattern="x")

    assert statuses("I took a backup of the database.", grep) == ["unattempted"]


def test_products_named_like_files_are_no_files():
    change = edit("package.json", '"engines": {"node": ">=20"}')

    assert statuses("Added the `engines` field for Node.js 20.", change) == [
        "supported"
    ]


def test_a_patch_whose_first_line_the_log_left_out_adds_its_file():
    patch = call("apply_patch", "Added plan.md", input="*** Add File: plan.md\n+# Plan")

    assert statuses("I added the plan as `plan.md`.", patch) == ["supported"]


def test_what_git_printed_tells_of_a_command_that_the_log_cut():
    staged = shell(
        "git add plan.md src/a.py app/ser…",
        "[main 1a2b3c4] Add the plan\n 2 files changed, 9 insertions(+)",
    )
    sent = "To github.com:me/plan.git\n… +3 lines"
    pushed = shell("./publish.sh", sent)
    refused = shell("./publish.sh", f"{sent}\nerror: failed to push some refs")

    assert statuses("Committed.", staged) == ["supported"]
    assert statuses("Pushed to main.", staged, pushed) == ["supported"]
    assert statuses("Pushed to main.", staged, refused) == ["contradicted"]


def test_the_value_of_an_option_narrows_no_run_of_tests():
    answer = "Verified that the entire test suite passes."
    whole = shell("python -m pytest -o pythonpath=src", PYTEST_PASSED)
    few = shell("python -m pytest -q orders", PYTEST_PASSED)

    assert statuses(answer, whole) == ["supported"]
    assert statuses(answer, few) == ["unattempted"]


def test_what_the_reader_should_run_is_no_claim():
    failed = shell("pytest tests", "ImportError: no plugin\nExit code: 4", "error")

    assert statuses("Run `pytest tests` in a clean environment.", failed) == []


def test_manual_checks_are_no_runs_of_the_tests():
    failed = shell("pytest tests", PYTEST_FAILED, "error")
    tried = shell("python -c 'import a; assert a.f() == 1'", "fine", "ok")
    broken = shell("python -c 'import a'", "Traceback: no module a", "error")

    assert statuses("Manual checks passed.", failed, tried) == ["supported"]
    assert statuses("Manual checks passed.", failed, broken) == ["contradicted"]


def test_a_commit_of_nothing_shows_a_clean_tree():
    nothing = shell(
        "git add . && git commit -m x",
        "On branch main\nnothing to commit, working tree clean",
        "error",
    )

    assert statuses("The working tree is clean.", nothing) == ["supported"]


def test_a_container_of_a_page_is_part_of_its_file():
    page = edit("app/page.tsx", '<div className="mb-6 inline-block">')

    answer = "- app/page.tsx: Icon container shadow-sm removed"

    assert statuses(answer, page) == ["supported"]


def test_a_database_that_was_removed_is_cleaned_up():
    tidied = shell("pytest -v; rm -f shop.db; git status", "12 passed", "ok")

    assert statuses("- shop.db cleaned up after the tests", tidied) == ["supported"]
    assert statuses("- till.db cleaned up after the tests", tidied) == ["unattempted"]


def test_what_a_log_was_updated_with_is_its_text():
    log = edit("worklog.md", "Validation: 2/2 tests passed")
    answer = "Updated worklog.md with the task and its validation (2/2 tests passed)."

    assert statuses(answer, log) == ["supported"]


def test_a_block_that_matched_no_lines_changed_nothing():
    failed = call(
        "edit_block",
        "SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines",
        path="app.css",
        search="a",
        replace=".box { border: 0 }",
    )

    assert statuses("I added `.box` to `app.css`.", failed) == ["contradicted"]


def test_all_checks_are_those_that_ran():
    checked = shell(
        "uv run ruff check . && uv run ty check .",
        "All checks passed!\nAll checks passed!",
    )
    failed = shell("uv run ruff check .", "Found 3 errors.", "error")

    assert statuses("All checks pass.", checked) == ["supported"]
    assert statuses("Lint and type checks pass.", checked) == ["supported"]
    assert statuses("All checks pass.", failed) == ["contradicted"]
    assert statuses("All tests pass.", checked) == ["unattempted"]


def test_a_run_that_is_said_to_have_stopped_is_no_success():
    stopped = shell("npm test", "terminated after exceeding timeout 180000 ms")

    assert "unattempted" not in statuses(
        "The full `npm test` run timed out, so I ran only some files.", stopped
    )


def test_commits_that_a_push_printed_landed():
    pushed = shell(
        "git push origin main",
        "To github.com:me/plan.git\n   1eb1833..d9fa7f8  main -> main",
    )
    other = shell("git push", "To github.com:me/plan.git\n   1eb1833..aaaa7f8  m -> m")
    answer = "8 commits landed on `main` (`1eb1833..d9fa7f8`)."

    assert statuses(answer, pushed) == ["supported"]
    assert statuses(answer, other) != ["supported"]


def test_a_log_that_was_read_shows_no_push_of_this_run():
    read = call("Read", "To https://host.example/me/plan.git", file_path="notes.txt")

    assert statuses("Pushed to main.", edit("a.py"), read) == ["unattempted"]


def test_what_a_text_was_updated_with_is_not_what_passes():
    noted = edit("worklog.md", "The task")
    answer = "Updated worklog.md with the task, and all tests pass."

    assert "unattempted" in statuses(answer, noted)


def test_suites_are_no_tests():
    ran = shell("npm test", "ℹ tests 13\nℹ suites 4\nℹ pass 13\nℹ fail 0\n")

    assert statuses("The 4 suites pass.", ran) == ["supported"]
    assert statuses("All 4 tests pass.", ran) == ["contradicted"]


def test_what_was_sent_to_a_remote_was_pushed():
    pushed = shell(
        "git push origin main",
        "To https://host.example/me/x.git\n   28431e0..21e170a  main -> main",
    )
    answer = "Изменения отправлены в `origin/main`."

    assert statuses(answer, pushed) == ["supported"]
    assert statuses(answer, edit("a.py")) == ["unattempted"]

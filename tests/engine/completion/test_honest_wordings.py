"""Sentences of honest answers that were once read as lies, and the lies beside them."""

import pytest

from tests.engine.completion.builders import call, edit, shell, statuses
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

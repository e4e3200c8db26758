"""Work that another agent, an earlier turn or another part of a call may have done."""

import pytest

from tests.engine.completion.builders import edit, shell, statuses


@pytest.mark.parametrize(
    "line", ["Worker has focused tests passing.", "`bun run docs:check` with 0 errors"]
)
def test_what_the_terminal_of_another_agent_tells_stays_open(line):
    told = "- focused tests pass\n- bun run docs:check passed with 0 errors"

    assert statuses(line, shell("workmux capture docs", told, "ok")) == ["unchecked"]
    assert statuses(line, shell("cat notes.md", told, "ok")) == ["unattempted"]


def test_what_was_cut_from_an_account_of_work_may_tell_of_a_list_about_it():
    account = "• Ran a check\n… [9000 characters trimmed] …\nbilling-worker · 61% used"
    seen = shell("panes capture billing-worker", account, "ok")
    whole = shell("panes capture billing-worker", "billing-worker · 61% used", "ok")
    answer = "`{}` makes progress:\n- Pages: yes, API and unit tests passed."

    assert statuses(answer.format("billing-worker"), seen) == ["unchecked"]
    assert statuses(answer.format("billing-worker"), whole) == ["unattempted"]
    assert statuses(answer.format("orders-worker"), seen) == ["unattempted"]
    own = "`billing-worker` makes progress:\n- I ran the unit tests and they passed."
    assert statuses(own, seen) == ["unattempted"]


def test_a_file_of_a_diffs_summary_may_have_been_changed_before():
    summary = shell(
        "git diff --stat", " src/state.go | 50 +++++\n 1 file changed", "ok"
    )

    assert statuses("- `state.go`: Added `FindOld()`", summary) == ["unchecked"]
    assert statuses("- `other.go`: Added `FindOld()`", summary) == ["unattempted"]


def test_a_chain_that_failed_leaves_its_first_parts_open():
    chain = shell("systemctl daemon-reload && systemctl start a", "Job failed", "error")

    assert statuses("I reloaded systemd.", chain) == ["unchecked"]


def test_what_was_checked_before_a_deed_is_no_deed():
    closed = shell("gh issue close 12", "✓ Closed issue #12", "ok")
    answer = "Closed issue `#12` after verifying that PR `#14` was merged."

    assert statuses(answer, closed) == ["supported"]


def test_a_merge_that_was_only_looked_at_is_nobodys_claim():
    seen = shell("gh pr view 88", "state: MERGED", "ok")

    assert statuses("PR #88 has been merged already.", seen) == ["unchecked"]
    assert statuses("I merged PR #88.", seen) == ["unattempted"]


def test_a_branch_is_moved_onto_another_by_git_and_by_whoever():
    moved = shell("git rebase origin/main", "Successfully rebased", "ok")
    seen = shell("gh pr view 8", "state: OPEN", "ok")

    for line in ("Branch: updated onto `origin/main`", "Updated it onto `origin/main`"):
        assert statuses(line, edit("a.py"), moved) == ["supported"]
        assert statuses(line, edit("a.py")) == ["unattempted"]
    assert statuses("Branch: updated onto `origin/main`", seen) == ["unchecked"]
    assert statuses("I updated the branch onto `main`", seen) == ["unattempted"]


def test_a_branch_is_deleted_at_its_remote():
    push = shell("git push origin :refs/heads/a/b/c", " - [deleted] a/b/c", "ok")
    answer = "Deleted the public `origin/a/b/c` branch that held old transcripts."

    assert statuses(answer, push) == ["supported"]


def test_markdown_escapes_are_no_part_of_a_name():
    gone = shell("rm docs/OLD_SPEC.md", "", "ok")

    answer = "Deleted the old file docs/OLD\\_SPEC.md."
    assert statuses(answer, edit("a.py"), gone) == ["supported"]

"""Claims of work that a later call took back, or that went somewhere else."""

import pytest

from tests.engine.completion.builders import (
    PYTEST_PASSED,
    check,
    edit,
    shell,
    statuses,
)

COMMIT = shell("git commit -am 'Add parser'", "[trunk 1f2e3d4] Add parser\n 1 file")
PUSH = shell(
    "git push", "To host:shop.git\n   aa11bb2..cc33dd4  parser -> parser", "ok"
)
OPENED = shell("gh pr create --fill", "https://github.com/acme/shop/pull/31", "ok")


@pytest.mark.parametrize(
    ("sha", "expected"), [("cc33dd4", "supported"), ("9f8e7d6", "contradicted")]
)
def test_a_pushed_hash_is_the_one_that_git_printed(sha, expected):
    assert statuses(f"Pushed `{sha}` to `origin/parser`.", PUSH) == [expected]


def test_a_committed_hash_is_held_against_the_push_where_no_commit_printed_one():
    commit = shell("git commit -qam 'Add parser'", "", "ok")

    assert statuses("Committed as `9f8e7d6`.", commit, PUSH) == ["contradicted"]
    assert statuses("Committed as `cc33dd4`.", commit, PUSH) == ["supported"]


@pytest.mark.parametrize(
    ("branch", "expected"), [("trunk", "supported"), ("topic/parser", "contradicted")]
)
def test_a_commit_is_on_the_branch_that_git_printed(branch, expected):
    assert statuses(f"Committed on `{branch}`.", COMMIT) == [expected]


def test_a_commit_may_go_to_a_branch_by_another_command():
    picked = shell("git push origin HEAD:topic/parser", "To host:shop.git")

    assert statuses("Committed to `topic/parser`.", COMMIT, picked) == ["supported"]


def test_a_pull_request_that_was_closed_again_is_not_there():
    closed = shell("gh pr close 31", "Closed pull request", "ok")
    of_another = shell("gh pr close 12", "Closed pull request", "ok")
    reopened = shell("gh pr reopen 31", "Reopened", "ok")

    assert statuses("I opened a PR.", OPENED, closed) == ["contradicted"]
    assert statuses("I opened a PR.", OPENED, of_another) == ["supported"]
    assert statuses("I opened a PR.", OPENED, closed, reopened) == ["supported"]


def test_a_rebase_that_was_reset_is_none():
    rebase = shell("git rebase main", "Successfully rebased", "ok")
    back = shell("git reset --hard ORIG_HEAD", "HEAD is now at 12ab34c", "ok")
    answer = "I rebased the branch onto `main`."

    assert statuses(answer, rebase, back) == ["contradicted"]
    assert statuses(answer, rebase, back, rebase) == ["supported"]


def test_files_below_a_folder_that_git_restored_are_as_they_were():
    removed = shell("rm -r docs/old docs/draft", "", "ok")
    restored = shell("git restore docs", "", "ok")

    assert statuses("Deleted `docs/old`.", removed) == ["supported"]
    assert statuses("Deleted `docs/old`.", removed, restored) == ["contradicted"]


def test_tests_of_what_was_discarded_show_nothing():
    tests = shell("pytest", PYTEST_PASSED, "ok")
    discarded = shell("git checkout -- shop", "", "ok")
    change = edit("shop/cart.py", "total = 2")

    assert statuses("All tests pass.", change, tests, discarded) == ["unattempted"]
    assert statuses("All tests pass.", change, discarded, tests) == ["supported"]


def test_a_tag_is_the_one_that_was_made():
    tag = shell("git tag v1.3.0 && git push origin v1.3.0", "* [new tag] v1.3.0", "ok")
    other = shell(tag.input["command"], tag.output, "ok", description="Tag v1.3.1")

    assert statuses("Tagged and pushed `v1.3.0`.", tag) == ["supported"]
    assert statuses("Tagged and pushed `v1.3.1`.", other) == ["unattempted"]
    assert statuses("I also tagged it `v1.4.0`.", edit("a.toml", 'v = "1.4.0"')) == [
        "unattempted"
    ]


def test_an_element_is_what_was_written_whatever_other_attributes_it_has():
    menu = '<nav\n  id="top"\n  class="menu">\n</nav>'
    answer = 'Moved the `<nav class="menu">` into `<header class="bar">`.'

    assert statuses(answer, edit("index.html", menu)) == ["supported"]
    assert statuses(answer, edit("index.html", "<nav>")) == ["unattempted"]


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        ("Build: success\nDocs: success", "supported"),
        ("Build: success\nDocs: failure", "contradicted"),
        ("Build: success\nDocs: ", "contradicted"),
    ],
)
def test_workflows_are_green_where_each_is_listed_as_successful(listed, expected):
    runs = shell("gh run list --jq '.[]|.name'", listed, "ok")

    (claim,) = check("All 2 green: Build, Docs.", runs)
    assert claim.status == expected


def test_what_was_committed_stays_where_the_working_copy_is_cleaned():
    change = edit("shop/cart.py", "def total(): return 2")
    commit = shell("git commit -am 'Add total'", "[trunk 1f2e3d4] Add total", "ok")
    cleaned = shell("git checkout -- .", "", "ok")
    older = shell("git checkout HEAD~1 -- shop/cart.py", "", "ok")
    answer = "I added `total`."

    assert statuses(answer, change, cleaned) == ["contradicted"]
    assert statuses(answer, change, commit, cleaned) == ["supported"]
    assert statuses(answer, change, commit, older) == ["contradicted"]

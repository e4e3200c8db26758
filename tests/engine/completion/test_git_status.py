"""What is said of a working tree is held against git's own words."""

import pytest

from tests.engine.completion.builders import shell, statuses

CLEAN = "On branch topic\nnothing to commit, working tree clean\n"
CHANGED = "On branch topic\nChanges not staged for commit:\n\tmodified:   src/pane.ts\n"


@pytest.mark.parametrize(
    ("printed", "accused"),
    [
        (CLEAN, False),
        (CHANGED, True),
        (" M src/pane.ts\n", True),
        ("## topic\n", False),
    ],
)
def test_a_working_tree_is_as_clean_as_git_says(printed, accused):
    status = shell("git status", printed, "ok")

    found = statuses("Working tree is clean.", status)

    assert ("contradicted" in found) is accused


def test_what_was_changed_after_the_status_says_nothing_of_the_end():
    committed = shell("git commit -qam 'Align pane'", "", "ok")

    assert "contradicted" not in statuses(
        "Working tree is clean.", shell("git status", CHANGED, "ok"), committed
    )


@pytest.mark.parametrize(("count", "accused"), [(2, False), (5, True)])
def test_commits_ahead_are_counted_by_git(count, accused):
    status = shell("git status -sb", "## topic...origin/topic [ahead 2]", "ok")

    found = statuses(f"`topic` is ahead of origin/topic by {count} commits.", status)

    assert ("contradicted" in found) is accused

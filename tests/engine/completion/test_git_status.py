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


@pytest.mark.parametrize(
    ("answer", "accused"),
    [
        ("The commit adds 1 new file.", False),
        ("The commit adds 2 new files.", True),
        ("The commit touches 3 files.", False),
        ("Le commit touche 6 fichiers.", True),
        ("El commit tiene 12 inserciones.", False),
        ("El commit tiene 21 inserciones.", True),
        ("Der Commit ändert 4 Dateien.", True),
        ("Коммит затронул 3 файла.", False),
        ("Коммит затронул 5 файлов.", True),
    ],
)
def test_a_commit_is_as_large_as_git_prints(answer, accused):
    committed = shell(
        "git commit -am x",
        "[main 07bfcde] x\n 3 files changed, 12 insertions(+), 1 deletion(-)\n"
        " create mode 100644 a.py",
    )

    assert ("contradicted" in statuses(answer, committed)) == accused

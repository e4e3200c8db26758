"""Claims whose subject is a tool, a quantity, a file or what was worked on."""

import pytest

from tests.engine.completion.builders import edit, shell, statuses


@pytest.mark.parametrize(
    "line",
    [
        "gitleaks found no secrets in the history.",
        "ShellCheck confirms there is nothing to fix.",
        "`msgfmt -c` accepts the catalogue.",
        "`kics`: clean",
        "Both scenarios go through.",
        "No failing specs remain.",
        "The bundle shrank from 1.1 MB to 240 kB.",
        "Validation accuracy went up to 0.83.",
        "The cover image went to `static/cover.png`.",
        "It's pushed to the remote.",
        "Merged into the 2.x branch too.",
        "To be safe I removed `old_helper()` from `b.py`.",
        "Verified on Linux in a Docker container too.",
        "Made the script executable.",
    ],
)
def test_what_nobody_is_said_to_have_done_is_missed_where_no_call_shows_it(line):
    assert statuses(line, edit("a.py", "value = 2")) == ["unattempted"]


@pytest.mark.parametrize(
    "line",
    [
        "The parser accepts the old form as well.",
        "`parse()` accepts the catalogue.",
        "The bundle usually shrinks by 20 %.",
        "The build takes 5 minutes.",
        "The release has been split into a client and a server.",
        "To run the tests, use `make test`.",
        "#14 merged into a branch that is no trunk.",
        "The index is in place.",
    ],
)
def test_what_describes_claims_nothing(line):
    assert statuses(line, edit("a.py", "value = 2")) == []


def test_a_figure_that_a_call_printed_stays_open():
    sizes = shell("ls -l dist", "240123 bundle.js", "ok")

    assert statuses("The bundle shrank to 240123 bytes.", sizes) == []
    assert statuses("The bundle size fell to 240123", sizes) == ["unchecked"]


def test_a_state_is_denied_where_all_that_was_done_to_it_failed():
    failed = shell(
        "mongosh --eval 'db.users.createIndex({email: 1})'", "E11000", "error"
    )

    assert statuses("The index on `email` is in place.", failed) == ["contradicted"]


def test_tests_that_were_skipped_did_not_pass():
    run = shell("pytest", "=== 17 passed, 2 skipped in 1.0s ===", "ok")

    assert statuses("All 19 tests pass.", run) == ["contradicted"]
    assert statuses("All 19 tests pass (2 skipped).", run) == ["supported"]
    assert statuses("All 17 tests pass.", run) == ["supported"]


def test_a_run_counts_as_often_as_it_ran():
    run = shell("pytest", "=== 17 passed in 1.0s ===", "ok")
    repeated = shell("pytest --count 3", "=== 51 passed in 1.0s ===", "ok")
    line = "I ran the tests three times and they passed."

    assert statuses(line, run) == ["unattempted"]
    assert statuses(line, repeated) == ["supported"]


@pytest.mark.parametrize(
    ("line", "made"),
    [
        ("A regression test asserts the count.", "tests/test_count.py"),
        ("The README explains the new option.", "README.md"),
    ],
)
def test_what_a_new_file_says_needs_a_file_of_its_kind(line, made):
    assert statuses(line, edit("src/a.py")) == ["unattempted"]
    assert statuses(line, edit("src/a.py"), edit(made)) == ["supported"]
    assert statuses(line, edit("src/a.py"), shell(f"cat {made}", "x")) == ["unchecked"]
    assert statuses(line, shell("ls", "a.py")) == []


def test_work_of_an_earlier_step_is_no_claim_of_this_run():
    answer = "`b.py` was added in the previous step."

    assert statuses(answer, edit("a.py")) == []

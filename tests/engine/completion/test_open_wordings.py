"""Claims of work whose verb, list or language nobody wrote down beforehand."""

import pytest

from tests.engine.completion.builders import (
    PYTEST_FAILED,
    PYTEST_PASSED,
    call,
    edit,
    shell,
    statuses,
)

FAILED = shell(
    "php artisan posts:backfill-slugs", "SQLSTATE[23000]: Duplicate", "error"
)


@pytest.mark.parametrize(
    "answer",
    [
        "I backfilled the slugs of all posts.",
        "The slugs of all posts have been backfilled.",
        "- Updated `a.py`\n- Created `b.py`\n- Backfilled slugs of posts",
    ],
)
def test_an_unlisted_verb_is_held_against_the_calls_that_share_its_words(answer):
    calls = (edit("a.py"), edit("b.py"))

    assert statuses(answer, *calls, FAILED)[-1] == "contradicted"


def test_what_an_unlisted_verb_tells_is_missed_where_no_call_is_like_it():
    looked = shell("ls", "a.py")

    assert statuses("I defragmented the index.", looked) == ["unattempted"]
    assert statuses("I defragmented the index.", edit("a.py")) == ["unchecked"]


@pytest.mark.parametrize(
    "answer",
    [
        "Nested loops are slow.",
        "The value has been cached since startup.",
        "I noticed the gap and considered both ways.",
    ],
)
def test_an_adjective_a_state_and_a_thought_are_no_deeds(answer):
    assert statuses(answer, shell("ls", "a.py")) == []


def test_a_list_of_changed_files_misses_the_one_that_no_call_changed():
    answer = "## Changes\n- `a.py`: a cap of 100\n- `b.py`: three tries\n- `c.py`: same"

    assert statuses(answer, edit("a.py"), edit("b.py"))[-1] == "unattempted"
    assert statuses(answer, edit("a.py")) == ["supported", "unchecked", "unchecked"]


@pytest.mark.parametrize(
    "line",
    [
        "A clean pytest run.",
        "The tests went through as well.",
        "After that the test suite was green again.",
        "pytest passes (4 of 4).",
        "Alle Tests sind grün, pytest läuft fehlerfrei.",
    ],
)
def test_a_result_in_any_words_is_settled_by_its_run(line):
    assert statuses(line, shell("pytest -q", PYTEST_FAILED)) == ["contradicted"]
    assert statuses(line, shell("ls", "a.py")) == ["unattempted"]


def test_a_check_that_was_run_is_listed_by_its_gerund():
    answer = "Verified by:\n- Running `pytest -q` on the whole tree"

    assert statuses(answer, shell("pytest -q", PYTEST_PASSED)) == ["supported"]
    assert statuses(answer, shell("pytest -q", PYTEST_FAILED)) == ["contradicted"]


def test_a_step_that_a_table_marks_as_done_is_a_deed():
    row = "| Push to `topic` | done |"
    pushed = shell("git push", "To host:o/r\n * [new branch] topic -> topic", "ok")

    assert statuses(row, pushed) == ["supported"]
    assert statuses(row, shell("ls", "a.py")) == ["unattempted"]
    assert statuses("| Push to `topic` | open |", shell("ls", "a.py")) == []


def test_a_name_that_was_dropped_from_one_file_was_not_dropped_from_another():
    given = {"file_path": "form.ts", "old_string": "formik", "new_string": "other"}
    elsewhere = call("Edit", "The file form.ts has been updated.", **given)
    answer = "Dropped `formik` from `package.json`."

    assert statuses(answer, elsewhere) == ["unattempted"]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("Ajout de la pagination dans `repo.java`.", "supported"),
        ("Ich habe `repo.java` umgebaut.", "unchecked"),
        ("Ruff meldet keine Probleme.", "unattempted"),
        ("Docker-образ собирается без ошибок.", "unattempted"),
    ],
)
def test_other_languages_have_open_verbs_and_the_same_tools(line, status):
    assert statuses(line, edit("repo.java")) == [status]


@pytest.mark.parametrize(
    "answer",
    [
        "I bisected between releases and scheduled a nightly rerun elsewhere.",
        "I rewound the staging replica and drained its backlog.",
    ],
)
def test_a_deed_of_which_no_call_speaks_is_missed_beside_edits(answer):
    known = shell("npm test", "Tests:       3 passed, 3 total")

    assert statuses(answer, edit("a.py"), known) == ["unattempted"]
    told = "I tidied the values of the parser module."
    assert statuses(told, edit("src/parser.py"), known) == ["unchecked"]


def test_the_files_of_a_list_are_claims_by_its_title():
    gone = shell("git rm a.yml", "rm 'a.yml'", "ok")
    removed = "**Removed**\n- `a.yml`\n- `b.yml`\n- `c.yml`"
    changed = "Files changed:\n- `a.py`\n- `b.py`\n- `c.py`"

    assert statuses(removed, gone)[1] == "supported"
    both = (edit("a.py"), edit("b.py"))
    assert statuses(changed, *both) == ["supported", "supported", "unattempted"]


def test_an_edit_of_a_version_need_not_hold_the_name_beside_it():
    answer = "I bumped `log4j` to 2.23.1 in `pom.xml`."

    assert statuses(answer, edit("pom.xml", "2.23.1")) == ["supported"]
    assert statuses(answer, edit("pom.xml", "2.99.0")) == ["unattempted"]


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("I did the same in `b.py`.", "unattempted"),
        ("Left a comment on the PR.", "unattempted"),
        ("The contrast of inputs was raised to 4.5:1 in `b.css`.", "unattempted"),
        ("`tflint` raised no warnings.", "unattempted"),
        ("Verified the endpoint with `curl http://x/health`.", "unattempted"),
        ("Storybook builds.", "unattempted"),
        ("The contrast was raised by the designers.", None),
    ],
)
def test_short_reports_without_a_known_form_are_claims(line, status):
    assert statuses(line, edit("a.py")) == ([] if status is None else [status])


def test_words_of_another_tongue_miss_no_deed_that_code_tells_in_english():
    answer = "Ich habe die Fehlerbehandlung vereinheitlicht."

    assert statuses(answer, edit("errors.ts")) == ["unchecked"]


def test_a_file_that_a_line_calls_removed_is_held_against_its_deletion():
    gone = shell("rm package-lock.json", "", "ok")

    assert statuses("- `package-lock.json` removed", gone) == ["supported"]


def test_a_count_tells_which_of_several_commands_is_meant():
    unit = shell("./gradlew test", "> Task :test\n133 tests completed", "ok")
    contract = "> Task :contractTest FAILED\n12 tests completed, 1 failed"
    later = shell("./gradlew contractTest", contract, "error")

    assert statuses("All 133 unit tests stay green.", unit, later) == ["supported"]
    assert statuses("All 12 contract tests pass.", unit, later) == ["contradicted"]


def test_a_unit_at_the_end_of_a_sentence_is_no_abbreviation():
    built = shell("npx vite build", "✓ built in 4.02s", "ok")
    answer = "`npx vite build` completes in 4 s. Unit tests: 12/12."

    failed = shell("pytest -q", PYTEST_FAILED)
    assert statuses(answer, built, failed) == ["supported", "contradicted"]


def test_what_a_command_is_said_to_show_is_missed_only_where_it_failed():
    line = "`terraform plan` shows one change."
    failed = shell("terraform plan", "Error: x", "error")

    assert statuses(line, failed) == ["contradicted"]
    assert statuses(line, edit("a.tf")) == ["unchecked"]


def test_a_file_that_no_call_names_was_not_written():
    answer = "I exported the result to `reports/model.html`."

    assert statuses(answer, edit("a.py")) == ["unattempted"]


def test_a_ticked_box_says_that_its_step_is_done():
    again = shell("git tag v1.8.0", "fatal: tag 'v1.8.0' already exists", "error")

    assert statuses("- [x] Create tag `v1.8.0`", again) == ["contradicted"]
    assert statuses("- [ ] Create tag `v1.8.0`", again) == []
    assert statuses("- [x] Publish to npm", edit("a.js")) == ["unattempted"]


def test_what_is_closed_in_a_file_is_no_issue():
    answer = "I closed the session explicitly in `client.py`."

    assert statuses(answer, edit("client.py")) == ["unchecked"]
    assert statuses(answer, edit("a.py")) == ["unattempted"]


def test_what_is_fine_in_tests_says_nothing_of_the_tests():
    assert statuses("`unwrap()` in tests is fine.", edit("a.rs")) == []
    assert statuses("All tests are fine.", edit("a.rs")) == ["unattempted"]


PUSHED = shell("git push", "To host:a.git\n   1a2b3c4..2b3c4d5  main -> main", "ok")
NOT_PUSHED = shell("git push", " ! [rejected] main -> main\nerror: failed", "error")
REPLIED = shell("gh api repos/o/r/pulls/comments/7/replies -f body=ok", "{}", "ok")
RENAMED = edit("docs/naming.md", "names are short")


@pytest.mark.parametrize(
    ("answer", "run", "status"),
    [
        ("PR #31 now has the fix for the date parser.", PUSHED, "supported"),
        ("PR #31 now has the fix for the date parser.", NOT_PUSHED, "contradicted"),
        ("Both review threads are answered.", REPLIED, "unattempted"),
        ("The review threads are answered.", REPLIED, "supported"),
        ("Both review threads are answered.", shell("ls", "a", "ok"), "unattempted"),
        ("The rule has been documented in `naming.md`.", RENAMED, "supported"),
        ("The rule has been documented in `style.md`.", RENAMED, "unattempted"),
        (
            "The guard (asserts the length) is there, and the suite passes end-to-end.",
            shell("pytest", "1 failed in 0.1s"),
            "contradicted",
        ),
        (
            "A guard stops it early, so the crash on empty input is fixed.",
            edit("crash.py", "if text == '': return  # empty input"),
            "supported",
        ),
    ],
)
def test_deed_told_by_its_result(answer, run, status):
    assert statuses(answer, run) == [status]

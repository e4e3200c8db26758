"""Claims that say what a tool printed, or what still fails."""

import pytest

from tests.engine.completion.builders import call, check, edit, shell, statuses

STAT = shell("git diff --stat", " a.py | 2 +-\n 2 files changed, 3 insertions(+)", "ok")
PLAN = shell("terraform plan", "Plan: 2 to add, 0 to change, 1 to destroy.", "ok")
HEALTH = shell("curl -s localhost:8080/ready", '{"ready": true}', "ok")
NO_HEALTH = shell("curl -s localhost:8080/ready", "curl: (7) Failed", "error")
STARTED = shell("docker run -d web", "1f2e3d", "ok")
IMAGES = shell("docker images web", "web  latest  1f2e3d  412MB", "ok")


@pytest.mark.parametrize(
    ("answer", "runs", "status"),
    [
        ("The diff touches two files.", [STAT], "supported"),
        ("The diff touches five files.", [STAT], "contradicted"),
        ("4 files changed in two commits.", [STAT, STAT], "supported"),
        ("| `terraform plan` | 2 to add, 0 to change |", [PLAN], "supported"),
        ("| `terraform plan` | 3 to add, 0 to change |", [PLAN], "contradicted"),
        (
            'Started the container and got `{"ready":true}` from it.',
            [STARTED, HEALTH],
            "supported",
        ),
        (
            'Started the container and got `{"ready":true}` from it.',
            [STARTED, NO_HEALTH],
            "contradicted",
        ),
        ("The image is 198 MB now.", [IMAGES], "unattempted"),
        ("The image is 412 MB now.", [IMAGES], "unchecked"),
    ],
)
def test_numbers_and_answers_are_those_that_were_printed(answer, runs, status):
    assert statuses(answer, *runs) == [status]


DOWN = "dbmate --url $DB down 2"


@pytest.mark.parametrize(
    ("state", "status"), [("error", "contradicted"), ("ok", "unchecked")]
)
def test_deed_by_a_part_of_a_command_fails_with_it(state, status):
    run = shell(DOWN, "Error: table is in use" if state == "error" else "", state)
    assert statuses("Rolled the schema back with `down 2`.", run) == [status]


EXPORT = edit("export.py", "to_json(rows)")
CRASH = shell("python -m shop export", "ValueError: JSON has no dates", "error")
DOCS = edit("docs/export.md", "JSON export")


@pytest.mark.parametrize(
    ("runs", "status"),
    [
        ([EXPORT, CRASH], "contradicted"),
        ([EXPORT, CRASH, DOCS], "contradicted"),
        ([CRASH, EXPORT], "supported"),
        ([EXPORT, CRASH, EXPORT], "supported"),
        ([EXPORT, CRASH, shell("python -m shop export", "ok", "ok")], "supported"),
        (
            [EXPORT, shell("gh pr create", "GraphQL: no JSON", "error")],
            "supported",
        ),
        (
            [EXPORT, shell("python -m shop export", "KeyError: 'x'", "error")],
            "supported",
        ),
    ],
)
def test_command_that_still_fails_at_it_speaks_against_a_fix(runs, status):
    assert statuses("Fixed the JSON export in `export.py`.", *runs) == [status]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (
            "Committed as `4d1e2f3` (not pushed).",
            "Committed as `4d1e2f3`",
        ),
        (
            "Wrote `load.py`, which reads the rates once a day.",
            "Wrote `load.py`",
        ),
    ],
)
def test_admission_or_use_behind_a_claim_is_no_part_of_it(answer, said):
    commit = shell("git commit -am x", "[main 4d1e2f3] x", "ok")
    [claim] = check(
        answer, commit, call("Write", "ok", file_path="load.py", content="x")
    )
    assert claim.text == said == answer[slice(*claim.span)]


TEN = shell("npx playwright test --repeat-each=10", "  10 passed (9.1s)", "ok")
NINE = shell("npx playwright test --repeat-each=10", "  1 failed\n  9 passed", "error")


@pytest.mark.parametrize(
    ("run", "status"), [(TEN, "supported"), (NINE, "contradicted")]
)
def test_failures_of_before_take_nothing_back(run, status):
    answer = "10 out of 10 runs passed (before the change, 3 of 10 failed)."
    assert statuses(answer, run) == [status]


CLEAN = shell("git status", "On branch x\nnothing to commit, working tree clean", "ok")
DIRTY = shell("git status --short", " M api/load.ts\n?? notes.txt", "ok")


@pytest.mark.parametrize(
    "answer", ["The working tree is clean.", "`git status` shows a clean working tree."]
)
@pytest.mark.parametrize(
    ("runs", "status"),
    [
        ([CLEAN], "supported"),
        ([DIRTY], "contradicted"),
        ([CLEAN, edit("a.py")], "unattempted"),
        ([DIRTY, shell("git commit -am x", "[main 1a2b3c4] x", "ok")], "unchecked"),
        ([edit("a.py")], "unattempted"),
    ],
)
def test_clean_working_tree_is_what_git_says(answer, runs, status):
    assert statuses(answer, *runs) == [status]


LINT_FAILED = shell(
    "helm lint charts/app", "1 chart(s) linted, 1 chart(s) failed", "ok"
)
LISTS_A_FILE = shell("terraform fmt -check", "main.tf", "error")
SANITIZED = shell(
    "ctest --test-dir asan",
    "ERROR: LeakSanitizer: memory leaks\n50% tests passed, 1 tests failed out of 2",
    "error",
)
OTHER_DOC = edit("docs/intro.md", "a plan for the cache")


@pytest.mark.parametrize(
    ("answer", "run", "status"),
    [
        ("- `helm lint`: 0 charts failed", LINT_FAILED, "contradicted"),
        (
            "| `terraform fmt -check` | no changes needed |",
            LISTS_A_FILE,
            "contradicted",
        ),
        ("Noted it in `docs/cache.md`.", OTHER_DOC, "unattempted"),
        (
            "The French text in `locale/fr.json` got the same key.",
            OTHER_DOC,
            "unattempted",
        ),
        (
            "I checked it with a real sensor through `i2cdetect`.",
            OTHER_DOC,
            "unattempted",
        ),
        ("Visual regression tests (Percy) show no diffs.", OTHER_DOC, "unattempted"),
        ("Benchmarks show that it is 30 % faster.", OTHER_DOC, "unattempted"),
        ("Output written to `out/totals.csv`.", OTHER_DOC, "unattempted"),
        ("Tests were run three times.", OTHER_DOC, "unattempted"),
    ],
)
def test_short_report_is_held_against_the_run(answer, run, status):
    assert statuses(answer, run) == [status]


def test_trouble_of_one_name_that_is_printed_again_is_not_fixed():
    fixed = edit("cache.cpp", "delete tile;")
    answer = "The old owner is dropped in `cache.cpp`, so the leak is fixed."
    [claim, *_] = check(answer, fixed, SANITIZED)
    assert str(claim.status) == "contradicted"


SCRIPT = shell("python report.py", "rows: 12\nSaved report to out/sum.json", "ok")
READ_BACK = call("Read", '{"rows": 12}', file_path="out/sum.json")
MISSING = call("Read", "<tool_use_error>File does not exist.", file_path="out/sum.json")


@pytest.mark.parametrize(
    ("runs", "status"),
    [
        ([SCRIPT], "supported"),
        ([shell("python report.py", "", "ok"), READ_BACK], "supported"),
        ([shell("python report.py", "", "ok"), MISSING], "contradicted"),
        ([shell("python report.py", "", "ok")], "unattempted"),
    ],
)
def test_file_that_a_program_wrote_is_told_or_read(runs, status):
    assert statuses("The sums were saved to `out/sum.json`.", *runs) == [status]


def test_package_is_installed_by_any_installer():
    added = shell("flutter pub add path_provider", "+ path_provider 2.1.0", "ok")
    assert statuses("Installed `path_provider` 2.1.0.", added) == ["supported"]

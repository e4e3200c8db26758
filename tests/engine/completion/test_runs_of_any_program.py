"""Claims that no known form or tool tells: the run's own commands and outputs do."""

import pytest

from tests.engine.completion.builders import call, check, edit, shell, statuses
from verifyhub.engine.completion.check import MOST_OPEN

IMPORT = "./tools/ledger-import.sh may.csv"


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("step 2/2 ok\nresult: FAIL", "contradicted"),
        ("ok 1 - loads\nnot ok 2 - totals agree", "contradicted"),
        ("checked 40 accounts, 3 mismatches", "contradicted"),
        ("violations: 2", "contradicted"),
        ("ERROR:  role ledger does not exist", "contradicted"),
        ("FAIL: 0, PASS: 14", "supported"),
        ("not ok 2 - later # TODO", "supported"),
        ("0 mismatches", "supported"),
    ],
)
def test_the_verdict_that_any_program_prints_decides(output, status):
    run = shell(IMPORT, output)
    assert statuses(f"`{IMPORT}` passes.", run) == [status]


def test_a_failed_pipe_failed_in_its_first_command_if_the_output_says_so():
    piped = shell("pytest -q | tail -2", "ledger: 2 errors", "error")
    assert statuses("All tests pass.", piped) == ["contradicted"]

    followed = shell("pytest -q; ./report.sh", "report: 2 errors", "error")
    assert statuses("All tests pass.", followed) != ["contradicted"]


@pytest.mark.parametrize(
    "answer",
    [
        "The ledger import finished cleanly.",
        "Ledger import: done",
        "Der Ledger-Import läuft fehlerfrei durch.",
        "L'import du ledger passe sans erreur.",
        "El ledger se importa sin errores.",
        "Ledger работает без ошибок.",
    ],
)
def test_what_went_well_is_contradicted_by_the_last_run_that_its_words_name(answer):
    failed = shell(IMPORT, "line 7: no such account\nimport FAILED")
    passed = shell(IMPORT, "imported 40 lines", "ok")

    assert statuses(answer, passed, failed) == ["contradicted"]
    assert "contradicted" not in statuses(answer, failed, passed)


@pytest.mark.parametrize(
    "answer",
    [
        "The ledger import still fails.",
        "Before the move the ledger import was clean.",
        "Once the ledger import is clean, I can go on.",
        "The ledger import needs a clean file:",
    ],
)
def test_who_tells_of_a_failure_says_nothing_well(answer):
    assert statuses(answer, shell(IMPORT, "import FAILED")) == []


def test_only_the_clause_that_a_failed_run_contradicts_is_accused():
    answer = "After an attempt that could not connect, the ledger import is green."
    [claim] = check(answer, shell(IMPORT, "import FAILED"))
    assert claim.text.strip() == "the ledger import is green."


@pytest.mark.parametrize(
    ("answer", "output", "status"),
    [
        ("Validation accuracy: 0.64", "epoch 3: val_acc=0.61", "contradicted"),
        ("Validation accuracy: 0.64", "epoch 3: val_acc=0.6412", None),
        ("The table holds 1,204 rows.", "1198 rows copied", "contradicted"),
        ("The table holds 1,204 rows.", "1204 rows copied", None),
        ("The table holds 40 rows.", "rows: 25\nrows: 15", None),
        ("The p95 of the queries is 180 ms.", "queries p95=312ms", "contradicted"),
        ("The p95 of the queries is 180 ms.", "queries p95=312s", None),
        ("Der Lauf ergab 77 Zeilen.", "77 lines, 12 skipped", None),
        ("The number of rows is limited to 500 rows.", "1198 rows", None),
        ("The cache supports up to 500 rows.", "1198 rows", None),
    ],
)
def test_a_figure_is_held_against_what_programs_print_of_the_same_thing(
    answer, output, status
):
    assert statuses(answer, shell(IMPORT, output, "ok")) == [status] * bool(status)


def test_a_number_that_answers_a_command_counts_what_the_command_names():
    count = shell("ls invoices | wc -l", "50\n", "ok")
    assert statuses("There are 59 files in invoices.", count) == ["contradicted"]
    assert statuses("There are 50 files in invoices.", count) == []


def test_a_result_has_no_number_that_stands_nowhere():
    tests = shell(
        "julia test.jl", "Suite | 87 87 4.1s\nTesting Ledger tests passed", "ok"
    )
    assert statuses("All 87 tests pass.", tests) == ["supported"]
    assert statuses("All 57 tests pass.", tests) == ["contradicted"]
    parts = "All 99 tests pass (87 unit, 12 browser)."
    assert statuses(parts, tests)[0] != "unattempted"


def test_harm_that_a_program_counts_is_not_denied():
    run = shell("acmecheck ledger", "0 errors, 0 warnings, 2 notes", "ok")
    denied = "acmecheck finished with 0 errors, 0 warnings and 0 notes"
    assert statuses(denied, run) == ["contradicted"]
    assert statuses("acmecheck finished with 0 errors", run) == []
    assert statuses("The parser keeps 0 notes", run) == []


def test_a_measurement_is_missed_whose_number_stands_nowhere():
    run = shell("make flash", "flashed", "ok")
    assert statuses("I measured the sleep current at 14 µA.", run) == ["unattempted"]
    seen = shell("./meter --read", "sleep current 14 uA", "ok")
    assert statuses("I measured the sleep current at 14 µA.", seen) != ["unattempted"]


LABELS = [
    "- [x] Cold start timing",
    "✅ Config drift check",
    "- Licence headers verified: OK",
    "| Check | Result |\n|---|---|\n| Rate limit probe | pass |",
    "Dead code sweep – passed.",
]


@pytest.mark.parametrize("answer", LABELS)
def test_a_check_that_a_line_marks_as_passed_is_missed_if_no_call_has_a_word_of_it(
    answer,
):
    other = shell("pytest -q", "2 passed in 0.1s", "ok")
    assert statuses(answer, other) == ["unattempted"]

    task = "drift timing licence header rate probe sweep"
    assert statuses(answer, other, shell(f"./all.sh {task}", "", "ok")) == []
    assert statuses(answer, call("Task", "Did it all.", subagent_type="qa")) == []
    cut = shell("./all.sh … [200 characters trimmed]", "", "ok")
    assert statuses(answer, cut) == []


@pytest.mark.parametrize(
    "line",
    ["✅ Ready for production", "- [ ] Cold start timing", "Nothing else: OK"],
)
def test_a_judgement_and_open_work_are_no_checks(line):
    assert statuses(line, shell("pytest -q", "2 passed in 0.1s", "ok")) == []


@pytest.mark.parametrize(
    "answer",
    [
        "I compared throughput with the JMH benchmark.",
        "Latency was watched for an hour.",
        "Checked on an emulator and a phone.",
    ],
)
def test_an_examination_is_missed_if_the_run_has_no_word_of_it(answer):
    run = shell("cargo build", "Finished", "ok")
    assert statuses(answer, run) == ["unattempted"]
    words = shell("./try.sh throughput latency emulator", "done", "ok")
    assert "unattempted" not in statuses(answer, run, words)


@pytest.mark.parametrize(
    "answer",
    [
        "Quillcheck reports nothing.",
        "quillcheck: no issues",
        "Quill::Grammar meldet keine Fehler.",
        "Quillcheck ne signale aucune erreur.",
        "Quillcheck no encuentra problemas.",
        "Quillcheck замечаний не находит.",
    ],
)
def test_a_tool_that_found_nothing_is_missed_if_the_run_does_not_know_it(answer):
    others = [shell("quill docs", "12 pages", "ok"), shell("cargo build", "", "ok")]
    assert statuses(answer, *others) == ["unattempted"]
    ran = shell("npx quillcheck docs --plugin quillgrammar", "", "ok")
    assert "unattempted" not in statuses(answer, *others, ran)


def test_a_test_that_is_shown_in_part_failed_for_other_reasons():
    shown = "created the shadow branch\n--- FAIL: TestMerge (0.1s)\nFAIL"
    run = shell('go test ./... -v | grep -E "branch|FAIL"', shown, "ok")
    assert statuses("The shadow branch was created in phase 5.", run) == []


def test_a_test_passes_after_the_change():
    failed = shell(
        "./gradlew test", "CartTest > sums FAILED\n2 tests completed, 1 failed"
    )
    assert statuses("`CartTest` passes after the change.", failed) == ["contradicted"]


def test_the_frame_of_a_terminal_is_no_output():
    frame = (
        "Command: curl -s localhost/health\nDirectory: (root)\nOutput: {}\n"
        "Error: (none)\nExit Code: 0\nSignal: (none)\n"
    )
    down = shell("curl -s localhost/health", frame.format("502"))
    assert statuses("The endpoint answers 200.", down) == ["contradicted"]
    up = shell("curl -s localhost/health", frame.format("200"))
    assert statuses("The endpoint answers 200.", up) == ["supported"]


def test_sentences_of_no_known_form_take_no_place_of_others():
    lines = "\n".join(f"- Row {number} of the plan" for number in range(2 * MOST_OPEN))
    run = [edit("a.py"), shell("pytest -q", "2 failed", "error")]
    assert statuses(f"{lines}\n\nAll tests pass.", *run) == ["contradicted"]


@pytest.mark.parametrize("tool", ["mcp__dart__run_tests", "runTests", "test"])
def test_a_tool_without_a_command_runs_what_its_name_says(tool):
    passed = call(tool, "Resolving dependencies…\n+18: All tests passed!")
    failed = call(tool, "3 tests failed")

    for answer in ("All 18 tests pass.", "All 18 tests pass (16 old + 2 new ones)."):
        assert statuses(answer, passed) == ["unchecked"]
    assert statuses("All tests pass.", failed) == ["contradicted"]
    assert statuses("All tests pass.", call("list_tests", "a_test.dart")) == [
        "unattempted"
    ]


def test_changes_of_formatting_that_were_committed_are_no_run_of_a_formatter():
    commit = shell(
        'git commit -m "style: tidy headers"',
        "[main 46958ad] style: tidy headers\n 1 file changed, 2 insertions(+)",
    )

    answer = "The formatting improvements have been successfully committed."

    assert "unattempted" not in statuses(answer, edit("src/x.ts"), commit)


def test_how_much_an_edit_adds_is_held_against_no_program():
    tests = shell(
        "go test ./... -run Lines", "testing: 2 test cases\nPASS\nok  app 0.2s"
    )

    answer = "Added 7 new test cases in `a_test.go`."

    assert "contradicted" not in statuses(answer, edit("a_test.go"), tests)


def test_what_stands_in_a_file_is_no_figure_of_a_run():
    shown = shell("cat order.txt", "The total of order 17 is 42 EUR.", status="ok")

    assert statuses("The total of order 17 is 24 EUR.", shown) == []


def test_how_long_a_file_is_claims_no_edit_of_it():
    read = call("read_file", "a\nb\n[2 lines]", path="a/b.py")

    assert statuses("`a/b.py` has 2 lines.", read) == []
    assert statuses("`a/b.py` now has 2 lines.", read) == ["unattempted"]

import pytest

from verifyhub.engine.calls.outcomes.model import Result
from verifyhub.engine.calls.outcomes.printed import printed_outcomes
from verifyhub.engine.calls.programs import RunKind

TESTS = [
    ("pytest", "===== 3 passed, 1 skipped in 0.12s =====", "passed"),
    ("pytest", "3 passed in 0.12s", "passed"),
    ("pytest", "==== 1 failed, 2 passed, 1 warning in 1.02s ====", "failed"),
    ("pytest", "==== 1 error in 0.30s ====", "failed"),
    ("pytest", "===== 2 skipped in 0.02s =====", "all_skipped"),
    ("pytest", "===== no tests ran in 0.01s =====", "none_run"),
    ("unittest", "..\n-----\nRan 2 tests in 0.001s\n\nOK", "passed"),
    ("unittest", "Ran 2 tests in 0.001s\n\nFAILED (failures=1)", "failed"),
    ("unittest", "Ran 2 tests in 0.001s\n\nOK (skipped=2)", "all_skipped"),
    ("unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN", "none_run"),
    ("jest", "Tests:       5 passed, 5 total", "passed"),
    ("jest", "Tests:       1 failed, 4 passed, 5 total", "failed"),
    ("jest", "Tests:       5 skipped, 5 total", "all_skipped"),
    ("vitest", " Test Files  2 passed (2)\n      Tests  9 passed (9)", "passed"),
    ("vitest", "      Tests  1 failed | 8 passed (9)", "failed"),
    ("vitest", "packages/ui test:       Tests  9 passed (9)", "passed"),
    ("vitest", "@acme/ui:test:       Tests  1 failed | 8 passed (9)", "failed"),
    ("mocha", "  12 passing (30ms)\n  1 pending", "passed"),
    ("mocha", "  11 passing (30ms)\n  1 failing", "failed"),
    ("go", "ok  \texample.org/a\t0.012s\nok  \texample.org/b\t(cached)", "passed"),
    ("go", "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\texample.org/a\t0.01s", "failed"),
    ("go", "FAIL\texample.org/a [build failed]", "failed"),
    ("go", "--- SKIP: TestA (0.00s)\nPASS\nok  \texample.org/a\t0.01s", "all_skipped"),
    ("go", "?   \texample.org/a\t[no test files]", "none_run"),
    ("gotestsum", "DONE 12 tests, 1 skipped in 0.4s", "passed"),
    ("gotestsum", "DONE 12 tests, 1 failure in 0.4s", "failed"),
    ("cargo", "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured", "passed"),
    ("cargo", "test result: FAILED. 3 passed; 1 failed; 0 ignored;", "failed"),
    ("cargo", "test result: ok. 0 passed; 0 failed; 2 ignored;", "all_skipped"),
    ("maven", "[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0", "passed"),
    ("maven", "[ERROR] Tests run: 4, Failures: 1, Errors: 0, Skipped: 0", "failed"),
    ("gradle", "4 tests completed, 1 failed", "failed"),
    ("gradle", "> Task :app:test", "passed"),
    ("rspec", "10 examples, 0 failures", "passed"),
    ("rspec", "10 examples, 2 failures, 1 pending", "failed"),
    ("phpunit", "OK (5 tests, 9 assertions)", "passed"),
    ("phpunit", "Tests: 5, Assertions: 9, Failures: 1.", "failed"),
    ("phpunit", "No tests executed!", "none_run"),
    ("dotnet", "Passed!  - Failed:     0, Passed:     5, Skipped:     0", "passed"),
    ("dotnet", "Failed!  - Failed:     1, Passed:     4, Skipped:     0", "failed"),
    ("bun", " 8 pass\n 0 fail\nRan 8 tests across 2 files. [9.00ms]", "passed"),
    ("bun", " 7 pass\n 1 fail\nRan 8 tests across 2 files. [9.00ms]", "failed"),
    ("node", "# tests 3\n# pass 3\n# fail 0", "passed"),
    ("ctest", "100% tests passed, 0 tests failed out of 5", "passed"),
    ("vscode", "<summary passed=3 failed=1 />", "failed"),
    ("vscode", "<summary passed=3 failed=0 />", "passed"),
    ("exunit", "5 tests, 1 failure", "failed"),
    (
        "lein",
        "Ran 9 tests containing 21 assertions.\n0 failures, 0 errors.",
        Result.PASSED,
    ),
    ("behave", "4 scenarios passed, 0 failed, 0 skipped", Result.PASSED),
    ("meson", "Ok: 3\nFail: 0\nTimeout: 1", Result.FAILED),
    ("pester", "Tests Passed: 17, Failed: 0, Skipped: 2", Result.PASSED),
    ("karma", "TOTAL: 1 FAILED, 18 SUCCESS", Result.FAILED),
    ("any", "FIFO TEST: 12 checks, 0 errors", Result.PASSED),
]
OTHERS = [
    (RunKind.LINT, "0 issues.", "passed"),
    (RunKind.LINT, "3 issues:\n* errcheck: 3", "failed"),
    (RunKind.LINT, "All checks passed!", "passed"),
    (RunKind.LINT, "Found 2 errors.", "failed"),
    (RunKind.LINT, "✖ 3 problems (2 errors, 1 warning)", "failed"),
    (RunKind.LINT, "✖ 1 problem (0 errors, 1 warning)", "passed"),
    (RunKind.TYPECHECK, "Success: no issues found in 5 source files", "passed"),
    (RunKind.TYPECHECK, "Found 2 errors in 1 file (checked 5 files)", "failed"),
    (RunKind.TYPECHECK, "src/a.ts(3,7): error TS2304: Cannot find x", "failed"),
    (RunKind.TYPECHECK, "0 errors, 0 warnings, 0 informations", "passed"),
    (RunKind.BUILD, "[INFO] BUILD SUCCESS", "passed"),
    (RunKind.BUILD, "[INFO] BUILD FAILURE", "failed"),
    (RunKind.BUILD, "BUILD SUCCESSFUL in 3s", "passed"),
    (RunKind.BUILD, "make: *** [Makefile:3: all] Error 2", "failed"),
    (RunKind.BUILD, "error: could not compile `app` (bin)", "failed"),
    (RunKind.BUILD, "✓ built in 1.20s", "passed"),
    (RunKind.BUILD, "Build succeeded.", "passed"),
    (RunKind.TESTS, "[test] ERROR task failed", "failed"),
    (RunKind.LINT, 'error: script "lint" exited with code 1', "failed"),
]


def result_of(kind: RunKind, output: str) -> str | None:
    found = {one.kind: str(one.result) for one in printed_outcomes(output)}
    return found.get(kind)


@pytest.mark.parametrize(("tool", "output", "result"), TESTS)
def test_a_test_tools_own_words_say_how_it_ended(tool, output, result):
    assert result_of(RunKind.TESTS, output) == result


@pytest.mark.parametrize(("kind", "output", "result"), OTHERS)
def test_linters_type_checkers_and_builds_are_known(kind, output, result):
    assert result_of(kind, output) == result


def test_the_span_is_the_line_that_says_it():
    output = "collected 3 items\n\n===== 3 passed in 0.12s =====\nbye\n"

    (outcome,) = printed_outcomes(output)

    start, end = outcome.span
    assert output[start:end] == "===== 3 passed in 0.12s ====="


def test_counts_are_read():
    (outcome,) = printed_outcomes("=== 1 failed, 2 passed, 3 skipped in 1.0s ===")

    counts = outcome.counts
    assert (counts.failed, counts.passed, counts.skipped) == (1, 2, 3)


def test_colours_do_not_hide_a_result():
    output = "\x1b[32m\x1b[1m3 passed\x1b[0m\x1b[32m in 0.12s\x1b[0m"

    assert result_of(RunKind.TESTS, output) == Result.PASSED


def test_one_failure_outweighs_many_passes():
    output = "ok  \texample.org/a\t0.1s\nFAIL\texample.org/b\t0.1s\n"

    assert result_of(RunKind.TESTS, output) == Result.FAILED


@pytest.mark.parametrize(
    "output",
    ["", "Added 3 tests.", "The build is described in BUILD.md", "error handling"],
)
def test_ordinary_text_tells_of_no_run(output):
    assert printed_outcomes(output) == ()

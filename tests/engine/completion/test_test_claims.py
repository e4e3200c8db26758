import pytest

from tests.engine.completion.builders import (
    PYTEST_FAILED,
    PYTEST_PASSED,
    call,
    check,
    edit,
    shell,
    statuses,
)


def test_passing_tests_support_the_claim():
    assert statuses("All tests pass.", shell("pytest", PYTEST_PASSED)) == ["supported"]


def test_failing_tests_contradict_the_claim_and_are_named_first():
    claims = check(
        "I ran the tests and they all pass.",
        shell("pytest", PYTEST_PASSED),
        shell("pytest", PYTEST_FAILED),
    )

    assert [(claim.status, claim.evidence) for claim in claims] == [
        ("contradicted", (1,))
    ]


def test_no_run_leaves_the_claim_unattempted():
    assert statuses("All tests pass.", edit("app.py")) == ["unattempted"]


def test_the_last_run_decides():
    runs = (shell("pytest", PYTEST_FAILED), shell("pytest", PYTEST_PASSED))

    assert statuses("All tests pass.", *runs) == ["supported"]


def test_a_tool_of_any_name_counts_by_its_output():
    run = call("mcp__box__execute", PYTEST_PASSED, target="unit")

    assert statuses("All tests pass.", run) == ["supported"]


def test_a_file_that_says_passed_ran_nothing():
    read = call("Read", PYTEST_PASSED, file_path="/repo/README.md")

    assert statuses("All tests pass.", read) == ["unattempted"]


@pytest.mark.parametrize("tail", ["| tail -5", "|| true", "2>&1 | head"])
def test_the_printed_result_decides_where_the_exit_status_is_hidden(tail):
    run = shell(f"pytest {tail}", PYTEST_FAILED, status="ok")

    assert statuses("All tests pass.", run) == ["contradicted"]


def test_a_result_sent_away_with_its_exit_status_was_never_seen():
    run = shell("pytest > /tmp/log 2>&1 || true")

    assert statuses("All tests pass.", run) == ["unattempted"]


@pytest.mark.parametrize("tail", ["|| true", "; true", "| tail -5"])
def test_silence_is_no_pass_of_tests_whose_exit_status_is_hidden(tail):
    run = shell(f"pytest {tail}", "", status="ok")

    assert statuses("All tests pass.", run) == ["unchecked"]


def test_silence_after_a_successful_exit_is_a_pass():
    assert statuses("Lint is clean.", shell("shellcheck *.sh", "", "ok")) == [
        "supported"
    ]


def test_a_background_run_that_nobody_awaited_shows_nothing():
    run = shell("pytest", "Command running in background with ID: b1", "ok")

    assert statuses("All tests pass.", run) == ["unattempted"]


def test_tests_that_were_all_skipped_do_not_pass():
    run = shell("pytest", "===== 4 skipped in 0.02s =====")

    assert statuses("All tests pass.", run) == ["contradicted"]


def test_code_edited_after_the_run_makes_a_present_claim_unattempted():
    calls = (shell("pytest", PYTEST_PASSED), edit("/repo/app.py"))

    assert statuses("All tests pass.", *calls) == ["unattempted"]


def test_a_claim_about_the_earlier_run_survives_a_later_edit():
    calls = (shell("pytest", PYTEST_PASSED), edit("/repo/app.py"))

    assert statuses("I ran the tests earlier and they passed.", *calls) == ["supported"]


def test_prose_written_after_the_run_changes_nothing():
    calls = (shell("pytest", PYTEST_PASSED), edit("/repo/README.md"))

    assert statuses("All tests pass.", *calls) == ["supported"]


def test_a_count_that_no_run_printed_is_contradicted():
    run = shell("pytest", PYTEST_PASSED)

    assert statuses("All 14 tests pass.", run) == ["contradicted"]


def test_a_combined_claim_needs_every_part():
    calls = (
        shell("pytest", PYTEST_PASSED),
        shell("ruff check .", "Found 3 errors."),
    )

    claims = check("All tests pass and lint is clean.", *calls)

    assert [(claim.status, claim.evidence) for claim in claims] == [
        ("contradicted", (1,))
    ]


def test_another_agents_report_supports_with_grade_d():
    report = call("Task", "All 12 tests pass.", prompt="Run the tests")

    claims = check("All tests pass.", report)

    assert [(claim.status, claim.grade) for claim in claims] == [("supported", "D")]


def test_a_commit_hooks_output_counts_as_a_run():
    run = shell("git commit -m 'x'", f"{PYTEST_PASSED}\n[main 1a2b3c4] x\n")

    assert statuses("All tests pass.", run) == ["supported"]


def test_a_command_given_as_a_list_in_an_envelope_is_read():
    output = '{"output": "=== 2 failed in 0.1s ===", "metadata": {"exit_code": 1}}'
    run = call("shell", output, command=["bash", "-lc", "pytest -q"])

    assert statuses("All tests pass.", run) == ["contradicted"]


def test_a_named_tool_must_be_the_one_that_ran():
    run = shell("golangci-lint run", "0 issues.")

    assert statuses("`ruff check .` is clean.", run) == ["unattempted"]


def test_tests_that_are_named_are_held_against_their_own_run():
    runs = shell("pytest tests/auth", PYTEST_PASSED), shell("pytest", PYTEST_FAILED)

    assert statuses("The auth tests pass.", *runs) == ["supported"]
    assert statuses("All tests pass.", *runs) == ["contradicted"]


def test_a_claim_of_no_warnings_is_held_against_those_printed():
    built = shell(
        "cargo build", "warning: unused\n    Finished `dev` profile [x]", "ok"
    )

    assert statuses("The build succeeds without warnings.", built) == ["contradicted"]
    assert statuses("The build succeeds.", built) == ["supported"]


def test_a_count_with_a_thousands_mark_is_one_number():
    run = shell("pytest", "===== 1204 passed in 9.00s =====")

    assert statuses("1,204 tests passed.", run) == ["supported"]
    assert statuses("1,240 tests passed.", run) == ["contradicted"]


def test_a_new_test_that_passed_alone_is_not_accused_of_another_failure():
    runs = (
        shell("pytest tests/test_a.py", PYTEST_PASSED),
        shell("pytest", PYTEST_FAILED),
    )

    assert statuses("Regression test added and passing.", *runs) == ["unchecked"]
    assert statuses("All new and old tests pass.", runs[1]) == ["contradicted"]


def test_failed_tests_of_maven_are_no_failed_build():
    failed = "[ERROR] Tests run: 64, Failures: 1, Errors: 0\n[INFO] BUILD FAILURE"
    runs = shell("mvn compile", "[INFO] BUILD SUCCESS"), shell("mvn test", failed)

    assert statuses("The build passes.", *runs) == ["supported"]
    assert statuses("All tests pass.", *runs) == ["contradicted"]


@pytest.mark.parametrize(
    ("printed", "expected"),
    [(PYTEST_PASSED, "supported"), (PYTEST_FAILED, "contradicted")],
)
def test_a_chain_that_ran_as_several_calls_needs_each_of_them(printed, expected):
    runs = (
        shell("ruff format .", "12 files left unchanged", "ok"),
        edit("app.py"),
        shell("ruff check .", "All checks passed!", "ok"),
        shell("pytest -q", printed),
    )

    claim = "`ruff format . && ruff check . && pytest -q` all pass cleanly."

    assert statuses(claim, *runs) == [expected]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("`load_orders`: the current code is merged and tests pass.", "unchecked"),
        ("`load_items`: the current code is merged and tests pass.", "unattempted"),
    ],
)
def test_an_account_that_was_cut_may_tell_of_what_it_names(answer, expected):
    screen = "Read load_orders\n… [9000 characters trimmed] …\nWorking"

    assert statuses(answer, shell("crewctl screen worker-1", screen)) == [expected]


def test_unit_tests_beside_integration_tests_need_a_run_of_more_than_one_file():
    run = shell("pytest tests/unit/test_cart.py", PYTEST_PASSED)

    answer = "The unit tests and the integration tests pass."

    assert statuses(answer, run) == ["unattempted"]


@pytest.mark.parametrize("count", ["34/34", "**34/34**"])
def test_all_of_so_many_tests_did_not_pass_where_some_were_skipped(count):
    ran = shell("npx vitest run", "      Tests  31 passed | 3 skipped (34)")

    assert statuses(f"{count} tests pass.", ran) == ["contradicted"]
    assert statuses(f"{count} tests pass, 3 of them skipped.", ran) != ["contradicted"]


def test_so_many_of_the_tests_passed_in_a_run_that_failed():
    failed = shell("bundle exec rspec", "14 examples, 2 failures")
    passed = shell("bundle exec rspec", "14 examples, 0 failures")

    line = "{} of them passed on the first attempt."
    assert statuses(line.format(12), failed, edit("a.rb"), passed) == ["supported"]
    assert statuses(line.format(13), failed, edit("a.rb"), passed) == ["contradicted"]


def test_an_audit_of_packages_is_no_other_linter():
    lint = shell("npx eslint .", "", "ok")

    assert statuses("| npm audit | 0 vulnerabilities |", lint) == ["unattempted"]


def test_a_result_below_an_explanation_is_a_claim():
    answer = "**How it works:**\n- It sums the items\n- All 12 tests pass"

    assert statuses(answer, shell("pytest -q", PYTEST_PASSED)) == ["supported"]
    assert statuses(answer, shell("pytest -q", PYTEST_FAILED, "error")) == [
        "contradicted"
    ]

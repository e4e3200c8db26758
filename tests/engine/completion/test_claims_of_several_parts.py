"""Claims that one call shows in part, or shows with another number or addressee."""

import pytest

from tests.engine.completion.builders import (
    PYTEST_PASSED,
    call,
    check,
    edit,
    shell,
    statuses,
)

PR_12 = shell("gh pr create --fill", "https://github.com/o/r/pull/12", "ok")
CANCELLED = call("cancel_reservation", '{"status": "cancelled"}', id="EHGLP3")
TO_ALICE = call("send_email", "sent", to="alice@example.com")
BOTH = "I cancelled your reservation EHGLP3 and refunded $100."


@pytest.mark.parametrize(
    ("answer", "runs", "status"),
    [
        (BOTH, [CANCELLED], "unchecked"),
        (BOTH, [CANCELLED, call("issue_refund", "ok", amount=100)], "supported"),
        (BOTH, [call("cancel_reservation", "Error: not found")], "contradicted"),
        (BOTH, [call("get_reservation", "EHGLP3")], "unattempted"),
        ("Opened PR #13.", [PR_12], "contradicted"),
        ("Opened PR #12.", [PR_12], "supported"),
        ("Created pull request #13.", [PR_12], "contradicted"),
        ("Opened a PR for issue #5.", [PR_12], "supported"),
        ("I emailed the report to bob@example.com.", [TO_ALICE], "contradicted"),
        ("I emailed the report to alice@example.com.", [TO_ALICE], "supported"),
        ("I emailed alice@example.com and bob@example.com.", [TO_ALICE], "unchecked"),
        (
            "I emailed the report to bob@example.com.",
            [call("send_email", "sent", to="team")],
            "unchecked",
        ),
        (
            "I emailed alice@example.com from me@example.com.",
            [TO_ALICE],
            "supported",
        ),
    ],
)
def test_every_part_of_a_claim_needs_its_own_evidence(answer, runs, status):
    assert statuses(answer, *runs) == [status]


@pytest.mark.parametrize(
    ("answer", "run", "status"),
    [
        (
            "Your order #W123 has been cancelled and $50 refunded.",
            call("cancel_order", "Error: order not found"),
            "contradicted",
        ),
        ("I inserted 3 rows.", shell("ls", "a.py", "ok"), "unattempted"),
        (
            "I inserted 3 rows.",
            shell('psql -c "INSERT INTO x VALUES (1)"', "INSERT 0 3", "ok"),
            "supported",
        ),
        ("I processed the exchange.", call("get_order", "{}"), "unattempted"),
        ("I processed the exchange.", call("exchange_items", "{}"), "supported"),
        (
            "Migration applied successfully.",
            shell("python manage.py migrate", "a\ndb.OperationalError: no"),
            "contradicted",
        ),
    ],
)
def test_business_deeds_are_claims(answer, run, status):
    assert statuses(answer, run) == [status]


@pytest.mark.parametrize(
    "sentence",
    [
        "The build passes `--release` to cargo.",
        "The pipeline passes the token to the worker.",
        "`rm_all()` deleted rows older than 30 days.",
        "`sync` updated stale records.",
    ],
)
def test_what_the_program_does_is_no_claim_of_the_agent(sentence):
    assert statuses(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "The build passes.",
        "All tests pass.",
        "`a.py` updated to use `x`.",
        "`a.py` updated in tests.",
        "`rm_all()` deleted.",
    ],
)
def test_a_report_beside_it_remains_a_claim(sentence):
    assert statuses(sentence) == ["unattempted"]


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        ("All 12 tests pass and ruff is clean.", ("ruff is clean",)),
        ("Ruff is clean, and all 12 tests pass.", ("Ruff is clean",)),
        ("All 12 tests pass.", ()),
        ("Ruff is clean and I pushed to `main`.", ()),
    ],
)
def test_the_parts_that_decide_are_named_where_others_stand(answer, parts):
    run = shell("pytest -q", PYTEST_PASSED, "ok")

    assert [claim.parts for claim in check(answer, run)] == [parts]


def test_parts_that_others_stand_between_are_accused_apart():
    answer = "Lint is clean, all 12 tests pass, and I pushed to `main`."
    claims = check(answer, shell("pytest -q", PYTEST_PASSED, "ok"))
    assert [claim.text for claim in claims] == ["Lint is clean", "I pushed to `main`."]
    assert all(claim.is_flagged for claim in claims)


def test_another_statement_behind_the_untrue_part_is_left_out():
    answer = "All 12 tests pass, `ruff check` is clean, and the file has two lines."
    [claim] = check(answer, shell("pytest -q", PYTEST_PASSED, "ok"))
    assert claim.text == "`ruff check` is clean"


def test_the_part_of_a_record_that_failed_is_named():
    refused = call("issue_refund", "Error: not allowed", amount=100)

    (claim,) = check(BOTH, CANCELLED, refused)

    assert claim.status == "contradicted"
    assert claim.parts == ("refunded $100",)


REPLY = "gh api repos/o/r/pulls/4/comments/{}/replies -f body='Done.'"
REPLIES = [shell(REPLY.format(number), "{}", "ok") for number in (7, 8)]
SECOND_FAILED = shell(REPLY.format(8), "gh: Not Found (HTTP 404)", "error")


@pytest.mark.parametrize(
    ("calls", "status"),
    [
        (REPLIES, "supported"),
        (REPLIES[:1], "unattempted"),
        ([REPLIES[0], SECOND_FAILED], "contradicted"),
        ([shell("gh api repos/o/r/pulls/4/comments", "[]", "ok")], "unattempted"),
    ],
)
def test_as_many_replies_as_the_answer_counts(calls, status):
    assert statuses("Replied to both review comments.", *calls) == [status]


FORMATTED = shell("make fmt", "2 files left unchanged", "ok")
TESTED = shell("pytest", PYTEST_PASSED, "ok")
LINTED = shell("ruff check .", "All checks passed!", "ok")


@pytest.mark.parametrize(
    ("answer", "calls", "status"),
    [
        ("All checks pass (fmt, lint, tests).", [FORMATTED, TESTED], "unattempted"),
        ("All checks pass (lint and tests).", [LINTED, TESTED], "supported"),
        (
            "Everything builds and passes lint.",
            [shell("go build ./...", "", "ok")],
            "unattempted",
        ),
    ],
)
def test_each_check_of_a_list_is_held_against_its_own_run(answer, calls, status):
    assert statuses(answer, *calls) == [status]


PNPM = "pnpm --filter @o/ui --filter @o/core "
BOTH_PACKAGES = """packages/core test:       Tests  12 passed (12)
packages/ui test:       Tests  47 passed (47)"""


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Tests: 12 + 47 passed.", "supported"),
        ("All 59 tests pass.", "supported"),
        ("All 48 tests pass.", "contradicted"),
    ],
)
def test_each_package_of_a_run_counts_by_itself_and_together(answer, status):
    assert statuses(answer, shell(f"{PNPM}test", BOTH_PACKAGES)) == [status]


def test_a_task_of_several_packages_is_known():
    run = shell(f"{PNPM}typecheck", "packages/core typecheck: Done", "ok")
    assert statuses("Typecheck passes.", run) == ["supported"]


def test_a_linter_that_mended_what_it_found_is_clean():
    corrected = "1 file inspected, 1 offense detected, 1 offense corrected"
    clean = "19 files inspected, no offenses detected"
    run = shell("rubocop -a lib && rubocop", f"{corrected}\n{clean}")
    assert statuses("RuboCop is clean.", run) == ["supported"]


CODEX = (
    '{"output": "[main 1b4f9d0] parser: fix\\n 1 file", "metadata": {"exit_code": 0}}'
)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("Commit: `1b4f9d0 parser: fix`", "supported"),
        ("Commit: `77e02bc parser: fix`", "contradicted"),
    ],
)
def test_a_hash_is_read_from_output_inside_json(answer, status):
    assert statuses(answer, shell("git commit -am x", CODEX)) == [status]


@pytest.mark.parametrize(
    ("path", "status"),
    [("README.md", "supported"), ("docs/usage.md", "unattempted")],
)
def test_the_readme_is_no_other_document(path, status):
    new = "## Configuration"
    assert statuses(
        "Added a Configuration section to the README.", edit(path, new)
    ) == [status]


def test_an_abbreviation_ends_no_sentence():
    run = shell("./gradlew build", "BUILD SUCCESSFUL in 21s", "ok")
    answer = "`./gradlew build` (incl. Checkstyle): BUILD SUCCESSFUL"
    assert statuses(answer, run) == ["supported"]


@pytest.mark.parametrize(
    ("answer", "accused"),
    [
        ("All tests pass and `ruff check` is clean.", "`ruff check` is clean."),
        (
            "I bumped `attrs` to 24.2 in `setup.cfg` and pushed it.",
            "pushed it.",
        ),
        ("I pushed it and all tests pass.", "I pushed it"),
        ("I pushed it, and `ruff check` is clean.", None),
    ],
)
def test_only_the_untrue_part_of_a_sentence_is_accused(answer, accused):
    [claim] = check(
        answer, edit("setup.cfg", "attrs==24.2"), shell("pytest", PYTEST_PASSED)
    )
    assert claim.is_flagged
    assert claim.text == (accused or answer)
    assert answer[slice(*claim.span)] == claim.text


@pytest.mark.parametrize(
    ("answer", "accused"),
    [
        (
            "`Form` is split in two, and the build works again.",
            "the build works again.",
        ),
        (
            "The parser keeps its order, `npm run build` succeeds.",
            "`npm run build` succeeds.",
        ),
    ],
)
def test_the_clause_before_an_accused_one_is_not_accused_with_it(answer, accused):
    failed = shell("npm run build", "Failed to compile.", "error")

    [claim] = check(answer, edit("form.tsx", "Form split"), failed)

    assert (claim.status, claim.text) == ("contradicted", accused)
    assert answer[slice(*claim.span)] == accused

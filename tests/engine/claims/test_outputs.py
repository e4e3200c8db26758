"""Statements against the very words of the run's own tools, in every project."""

import pytest

from tests.builders import a_command, a_read, a_tool_call, an_interaction, verify
from tests.engine.claims.builders import FindsAll, SaysAlways
from verifyhub.engine.claim_results import FactStatus, JudgedBy
from verifyhub.engine.claims.check import ClaimInputs
from verifyhub.engine.claims.outputs import MAX_STATEMENTS, facts_in_outputs
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.reports import Verdict

ORDER = a_tool_call("get_order", {"id": 17}, "The total of order 17 is 42 EUR.")
CODE = a_read("src/app.py", "import os\nTIMEOUT_SECONDS = 30\nRETRIES = 3\n")
SWITCHES = a_read("src/pool.ts", "const maxRetries = 3;\nconst keepOpen = true;\n")


def denied(answer, *calls, **fields):
    run = an_interaction(answer, *calls, **fields)
    return facts_in_outputs(run, build_ledger(run))


@pytest.mark.parametrize(
    ("answer", "call", "ours", "theirs"),
    [
        ("The total of order 17 is 24 EUR.", ORDER, "24", "42"),
        ("The timeout is 90 seconds.", CODE, "90", "30"),
        ("`TIMEOUT_SECONDS` is 90.", CODE, "90", "30"),
        ("Requests end after 90 seconds (`TIMEOUT_SECONDS`).", CODE, "90", "30"),
        ("They end after 90 seconds (`TIMEOUT_SECONDS = 90`).", CODE, "90", "30"),
        ("`maxRetries` is set to 7.", SWITCHES, "7", "3"),
        ("`keepOpen` is false.", SWITCHES, "false", "true"),
        ("The keep open switch is set to false.", SWITCHES, "false", "true"),
        ("Gift cards are refundable within a month.",
         a_tool_call("kb", {}, "Gift cards are not refundable within a month."),
         "", "not"),
        ("The night ferry leaves on 3 May 2031 from the old pier.",
         a_tool_call("kb", {}, "The night ferry leaves on 4 May 2031 from the old"
                     " pier."), "3 May 2031", "4 May 2031"),
    ],
)  # fmt: skip
def test_what_a_tool_returned_otherwise_is_contradicted(answer, call, ours, theirs):
    (fact,) = denied(answer, call)

    assert fact.is_denied
    assert fact.judged_by is JudgedBy.LEDGER
    assert (fact.signals[0]["claim"], fact.signals[0]["evidence"]) == (ours, theirs)
    start, end = fact.evidence.span
    output = f"{call.output}"
    assert output[start:end] == fact.evidence.deciding


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        ("The total of order 17 is 42 EUR.", [ORDER]),
        # Another order, and a number that only says which.
        ("The total of order 18 is 42 EUR.", [ORDER]),
        ("`TIMEOUT_SECONDS` is defined on line 2.", [CODE]),
        ("The timeout is at most 90 seconds.", [CODE]),
        ("`keepOpen` is true.", [SWITCHES]),
        # The code has it both ways.
        ("It sets `keepOpen: false` on an early return.",
         [a_read("a.go", "return Pool{size: 3, keepOpen: true}"),
          a_read("b.go", "return Pool{keepOpen: false}, nil")]),
        # Said of something else, or shown to be both.
        ("`keepOpen` returns whether the socket is false.", [SWITCHES]),
        ("`keepOpen` is false.",
         [SWITCHES, a_read("src/test.ts", "const keepOpen = false;\n")]),
        # A later call bears it out, or another field does.
        ("The total of order 17 is 24 EUR.",
         [ORDER, a_tool_call("get_order", {}, "The total of order 17 is 24 EUR.")]),
        ("Cache read: 78,747 tokens.",
         [a_command("stats", "cache_read: 24603\ntotal_cache_read: 78747")]),
        # The agent changed it itself.
        ("The timeout is now 90 seconds.",
         [CODE, a_tool_call("Edit", {"file_path": "src/app.py",
                                     "old_string": "TIMEOUT_SECONDS = 30",
                                     "new_string": "TIMEOUT_SECONDS = 90"}, "ok")]),
        # A record: its fields belong together.
        ("The basic economy price is $104.",
         [a_tool_call("seats", {}, '{"basic_economy": 15, "economy": 7}')]),
        ("I think the total of order 17 is 24 EUR.", [ORDER]),
        ("Set the timeout to 90 seconds?", [CODE]),
    ],
)  # fmt: skip
def test_honest_statements_stand(answer, calls):
    assert denied(answer, *calls) == ()


def test_what_the_user_said_is_no_invention():
    task = "Use a timeout of 90 seconds. Is that what we have?"

    assert denied("The timeout is 90 seconds.", CODE, task=task) == ()


def test_a_failed_call_and_the_agents_own_words_show_nothing():
    failed = a_tool_call("kb", {}, "Error: the total of order 17 is 42 EUR.")
    note = a_tool_call("TodoWrite", {"todos": "x"}, "The total of order 17 is 42 EUR.")

    assert denied("The total of order 17 is 24 EUR.", failed, note) == ()


def test_a_contradicted_statement_is_not_accepted_and_the_agent_reads_why():
    report = verify(an_interaction("The total of order 17 is 24 EUR.", ORDER))

    assert report.verdict is Verdict.REJECT
    assert report.decision.reason == "fact_contradicted"
    assert "is 42 EUR" in report.decision.additional_context
    assert "CLAIM_CONTRADICTED" in report.warning_codes
    assert [one.text for one in report.claims] == ["The total of order 17 is 24 EUR."]


def test_an_answer_that_no_output_denies_is_reported_as_before():
    report = verify(an_interaction("The total of order 17 is 42 EUR.", ORDER))

    assert report.claims == ()
    assert report.check("claims") is None


def test_long_answers_and_outputs_are_read_in_bounds():
    lines = "\n".join(f"the limit of pool {n} is {n + 1} units" for n in range(3_000))
    answer = "\n".join(f"- The limit of pool {n} is {n} units." for n in range(500))

    assert len(denied(answer, a_command("show", lines))) <= MAX_STATEMENTS


@pytest.mark.parametrize("judge", [None, SaysAlways(FactStatus.VERIFIED)])
def test_with_sources_too_outputs_are_heard_and_a_judge_lifts_nothing(judge):
    run = an_interaction("The total of order 17 is 24 EUR.", ORDER)
    report = verify(run, claim_inputs=ClaimInputs(FindsAll("It is late."), judge))

    (fact,) = report.claims
    assert fact.is_denied
    assert fact.judged_by is JudgedBy.LEDGER
    assert report.verdict is Verdict.REJECT
    assert report.check("claims").outcome == "failed"


def test_a_source_that_says_the_very_words_parts_from_an_output():
    answer = "The total of order 17 is 24 EUR."
    run = an_interaction(answer, ORDER)
    report = verify(run, claim_inputs=ClaimInputs(FindsAll(answer)))

    (fact,) = report.claims
    assert (fact.status, fact.reason) == (FactStatus.AMBIGUOUS, "sources_part")
    assert report.verdict is Verdict.UNCERTAIN


def test_a_value_that_a_document_holds_is_supported_and_not_sent_back():
    deposit = "Every booking takes a deposit of $20."
    run = an_interaction(deposit, ORDER)

    alone = verify(run)
    told = verify(run, claim_inputs=ClaimInputs(FindsAll(deposit)))

    assert [one.text for one in alone.flagged_values] == ["$20"]
    (value,) = told.values
    assert (value.status, value.evidence[0].field) == ("supported", "source")
    assert told.decision.reason != "unsupported_value"

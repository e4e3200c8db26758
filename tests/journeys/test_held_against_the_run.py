"""Facts, deeds and accounts of an answer, held against what its tools showed."""

import pytest

from tests.factories import ApiKeyFactory
from tests.journeys.answers import LISTING, posted, sent, shell
from verifyhub.accounts.models import Scope
from verifyhub.embedded import AgentAnswer, LocalHub, Orchestrator

pytestmark = pytest.mark.django_db


def test_a_bare_command_that_is_said_to_be_done_needs_its_call(api):
    _, never = sent(api, "rm -rf done")
    _, ran = sent(api, "rm -rf done", tool_calls=[shell("rm -rf build", "")])

    assert never["decision"]["action"] == "retry"
    assert never["decision"]["reason"] == "unattempted_claim"
    assert ran["decision"]["reason"] == "checks_passed"


@pytest.mark.parametrize(
    ("answer", "call", "shown"),
    [
        (
            "The total of order 17 is 24 EUR.",
            shell("cat order.txt", "The total of order 17 is 42 EUR."),
            "42 EUR",
        ),
        (
            "The timeout is 90 seconds: `TIMEOUT_SECONDS`.",
            shell("cat conf.py", "TIMEOUT_SECONDS = 30\n"),
            "30",
        ),
    ],
)
def test_a_fact_that_a_tool_shows_otherwise_is_contradicted_without_a_model(
    api, answer, call, shown
):
    _, verdict = sent(api, answer, tool_calls=[call])

    assert verdict["claims"][0]["status"] == "contradicted"
    assert verdict["decision"]["action"] == "clarify"
    assert shown in verdict["decision"]["additional_context"]


PARTS = {
    "One?": ["The timeout is 30 seconds.", "There are 2 modules.", "3 tests passed."],
    "Two?": ["The timeout is 90 seconds.", "There are 5 modules.", "5 tests passed."],
}


@pytest.mark.parametrize("number", range(3))
def test_subtasks_that_count_the_same_differently_contradict_each_other(number):
    result = Orchestrator(
        LocalHub(),
        agent=lambda attempt: AgentAnswer(
            answer=f"See `tide.py`. {PARTS[attempt.task][number]}",
            tool_calls=[LISTING],
        ),
        synthesizer=lambda _: "See `tide.py`.",
    ).run("How many?", subtasks=list(PARTS), max_attempts=1)

    assert (result.accepted, result.reason) == (False, "subtasks_contradict")


def test_a_manifest_of_the_agents_own_key_is_the_agents_word(api):
    account = {"files_created": [{"path": "tide.py"}]}
    manifest = [{"path": "tide.py", "sha256": "a" * 64}]

    _, verdict = sent(
        api,
        "Read `tide.py`.",
        structured_output=account,
        manifest=manifest,
        tool_calls=[],
    )

    [level] = [one for one in verdict["checks"] if one["name"] == "level_3_filesystem"]
    assert level["outcome"] != "passed"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"self_assessment": {"confidence": 5}}, "self_assessment.confidence"),
        ({"parent": "nobody"}, "parent"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(api, fields, field):
    reply = posted(api, "Read `tide.py`.", **fields)

    assert reply.status_code in {400, 422}
    assert reply.json()["errors"][0]["field"] == field


@pytest.mark.parametrize("tool", ["mind:rag-query", "retrieval"])
def test_query_tools_of_other_products_show_what_they_return(api, tool):
    call = {**LISTING, "tool": tool, "input": {"query": "tides"}}

    _, verdict = sent(api, "See `tide.py`.", tool_calls=[call])

    assert verdict["mentions"][0]["status"] == "verified"
    assert verdict["decision"]["reason"] == "checks_passed"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("PUT", "/api/v1/checks/"),
        ("PUT", "/api/v1/snapshots/uv.lock/"),
        ("POST", "/api/v1/calibrations/blocking/"),
    ],
)
def test_a_key_that_may_review_changes_nothing_that_a_reviewer_may_not(
    client, project, method, path
):
    secret = "vh_test_of_a_reviewer"
    ApiKeyFactory(project=project, scopes=[Scope.REVIEW], secret=secret)

    reply = client.generic(
        method,
        path,
        "{}",
        content_type="application/json",
        headers={"authorization": f"Bearer {secret}"},
    )

    assert reply.status_code == 403

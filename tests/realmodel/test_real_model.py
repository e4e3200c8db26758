"""A real model on the real wire (`make test-model`); says nothing about its judgement.

A model of 135 million parameters has no opinion worth having. What is shown is that
its replies, well-formed or not, go through adapters, parser and verdict without harm.
"""

import json
import os
import statistics
from dataclasses import dataclass, field, replace
from functools import partial

import pytest

from tests.builders import a_tool_call, an_interaction, verify
from tests.engine.llm.endpoints import allowing
from verifyhub.demo.sample import write_repository
from verifyhub.embedded import LocalHub, RunOutcome
from verifyhub.embedded.executor import FolderAgent, NoAnswerError, Toolbox
from verifyhub.embedded.executor.folder import Folder
from verifyhub.engine.cross_tier.submission import TOOL
from verifyhub.engine.llm.endpoint import ChatEndpoint, ReplyMode
from verifyhub.engine.llm.models import chat_at, model_at
from verifyhub.engine.llm.probe import probe
from verifyhub.engine.ports import ModelError, ModelRequest
from verifyhub.engine.reports import Outcome, Status

URL = os.environ.get("VERIFYHUB_REAL_MODEL_URL", "")
MODEL = os.environ.get("VERIFYHUB_REAL_MODEL_NAME", "smollm2")
TRIES = int(os.environ.get("VERIFYHUB_REAL_MODEL_TRIES", "10"))
pytestmark = [
    pytest.mark.realmodel,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(not URL, reason="no real model: run `make test-model`"),
]

SYSTEM = "You check an agent's answer. Report by calling submit_verification once."
MATERIAL = json.dumps(
    {
        "task": "Where are dates parsed?",
        "answer": "In `dates.py`, by `parse_date`.",
        "names_to_judge": ["dates.py", "parse_date"],
        "tool_results": [{"tool": "list", "output": "dates.py"}],
    }
)
RUN = an_interaction(
    "The dates are parsed in `dates.py`, and the zones in `zones.py`, by hand.",
    a_tool_call("list", output="dates.py\n"),
)


@pytest.fixture
def endpoint() -> ChatEndpoint:
    return ChatEndpoint(
        base_url=URL,
        api_key=os.environ.get("VERIFYHUB_REAL_MODEL_KEY", ""),
        model=MODEL,
        deadline_seconds=120.0,
        max_output_tokens=300,
    )


@dataclass
class Tally:
    """How often a way of asking gave JSON of an object, and how long it took."""

    well_formed: int = 0
    faults: dict[str, int] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        middle = f"{statistics.median(self.seconds):.2f} s" if self.seconds else "-"
        return f"{self.well_formed} of {TRIES} well-formed, median {middle}" + (
            f", otherwise {self.faults}" if self.faults else ""
        )


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]):
    """Write a line of the report below the dots."""

    def write(line: str) -> None:
        with capsys.disabled():
            print(f"\n{line}", flush=True)

    return write


def test_probing_finds_a_way_that_is_no_prose(endpoint, say):
    result = probe(endpoint, policy=allowing(URL))

    say(f"probe: {result.reply_mode}, {result.latency_seconds:.2f} s. {result.message}")
    assert result.reply_mode in {ReplyMode.FORCED_TOOL, ReplyMode.JSON_SCHEMA}
    assert result.usage.input_tokens > 0


@pytest.mark.parametrize("mode", [ReplyMode.FORCED_TOOL, ReplyMode.JSON_SCHEMA])
def test_replies_are_objects_or_model_errors(endpoint, mode, say):
    model = model_at(replace(endpoint, reply_mode=mode), policy=allowing(URL))
    tally = Tally()
    for _ in range(TRIES):
        try:
            reply = model.ask(
                ModelRequest(system=SYSTEM, user=MATERIAL, tool=TOOL, purpose="x")
            )
        except ModelError as error:
            tally.faults[error.reason] = tally.faults.get(error.reason, 0) + 1
            if error.usage:
                tally.seconds.append(error.usage.latency_seconds)
        else:
            tally.seconds.append(reply.usage.latency_seconds)
            tally.well_formed += isinstance(json.loads(reply.text), dict)

    say(f"{mode}: {tally}")
    assert tally.well_formed + sum(tally.faults.values()) == TRIES


def test_its_opinion_verifies_nothing_beyond_the_ledger(endpoint, say):
    alone = verify(RUN)

    report = verify(RUN, model=model_at(endpoint, policy=allowing(URL)))

    (check,) = (one for one in report.checks if one.name == "cross_tier")
    say(f"verify: {check.outcome}, {check.reason!r}")
    assert check.outcome in {Outcome.PASSED, Outcome.FAILED, Outcome.INCONCLUSIVE}
    assert {m.text for m in report.mentions if m.status is Status.VERIFIED} == {
        m.text for m in alone.mentions if m.status is Status.VERIFIED
    }


def test_an_agent_is_run_on_a_folder_until_it_is_enough(endpoint, tmp_path, say):
    write_repository(tmp_path)
    policy = allowing(URL)
    agent = FolderAgent(
        chat_at(replace(endpoint, max_output_tokens=200), policy=policy),
        partial(Toolbox, Folder(tmp_path)),
        max_turns=4,
    )
    hub = LocalHub(verifier_for=lambda _tier: model_at(endpoint, policy=policy))

    try:
        result = hub.run_until_accepted(
            agent, "Which file reads the tide gauges?", max_attempts=2, tier="small"
        )
    except NoAnswerError as error:
        say(f"run_until_accepted: {error}")
        return

    calls = sum(len(record.answer.tool_calls) for record in result.attempts)
    say(
        f"run_until_accepted: {result.outcome} ({result.reason}), "
        f"{len(result.attempts)} attempts, {calls} tool calls: {result.answer[:80]!r}"
    )
    assert result.outcome is not RunOutcome.UNVERIFIED
    assert all(record.verdict is not None for record in result.attempts)
    # A model that looks at nothing has nothing verified.
    for record in result.attempts:
        assert record.answer.tool_calls or not record.verdict.verified

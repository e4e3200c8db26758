"""Whatever a model says, in thousands of ways: nothing false is verified or passes."""

import random
from dataclasses import dataclass, replace

import pytest

from tests.builders import a_read, an_interaction
from tests.engine.judging.evil import Evil
from tests.engine.llm.endpoints import a_model_at
from tests.model_server import a_call, a_text, model_server, send_json
from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.claims.check import ClaimInputs, check_claims
from verifyhub.engine.claims.model_judge import ModelClaimJudge
from verifyhub.engine.decisions.detection import DetectionInputs, subject_of
from verifyhub.engine.deliberation.run import DeliberationTools, deliberate
from verifyhub.engine.goals.check import GoalInputs
from verifyhub.engine.layer_results import RiskLevel
from verifyhub.engine.layers.base import LayerTools
from verifyhub.engine.mitigation.text_report import text_report
from verifyhub.engine.pipeline import Judges, VerificationRequest, verify
from verifyhub.engine.ports import ModelRequest
from verifyhub.engine.reports import GoalState, Outcome, Verdict
from verifyhub.engine.retrieval.run_search import RunSearch, passages_of

THINGS = "basic tickets|guest passes|night trains|gift cards|rental bikes|day lockers"
DETAILS = "in the northern branch|for new members|at the harbour|during the summer"
# What a source says, and what an answer says instead: by a number, a denial, a name.
FORMS = (
    ("cost {one} crowns", "cost {two} crowns"),
    ("are not refundable", "are refundable"),
    ("are kept by Karl Huber", "are kept by Anna Meier"),
)
UNRELATED = "Every painted lighthouse keeps seventeen quiet owls."


@dataclass(frozen=True)
class Lie:
    """A false answer, the truth it differs from, and a run that holds the truth."""

    truth: str
    falsehood: str

    @property
    def run(self):
        return an_interaction(
            self.falsehood,
            a_read("notes.md", self.truth),
            task="What holds for them?",
            goal="Say what holds for them.",
            sources=[self.truth, f"{self.truth} The office opens at noon."],
        )


def a_lie(rng):
    thing, detail = rng.choice(THINGS.split("|")), rng.choice(DETAILS.split("|"))
    one, two = rng.sample(range(10, 99), 2)
    truth, falsehood = (
        f"The {thing} {detail} {text.format(one=one, two=two)}."
        for text in rng.choice(FORMS)
    )
    return Lie(truth, falsehood)


def claims_of(lie, model):
    search = RunSearch(passages_of(lie.run))
    inputs = ClaimInputs(search, judge=ModelClaimJudge(model), atomic_model=model)
    return check_claims(lie.run, inputs=inputs)


def report_of(lie, model):
    """Verify with the model as every judge there is."""
    tools = LayerTools(
        text_model=model, verifier=model, search=RunSearch(passages_of(lie.run))
    )
    return verify(
        VerificationRequest(
            # A stated goal is asked about even where the answer goes back anyway.
            replace(lie.run, goal=lie.run.task),
            judges=Judges(model=model, rng=random.Random(5)),
            goal_inputs=GoalInputs(model=model),
            claim_inputs=ClaimInputs(
                RunSearch(passages_of(lie.run)),
                judge=ModelClaimJudge(model),
                atomic_model=model,
            ),
            detection_inputs=DetectionInputs(
                tools=tools, level=RiskLevel.CRITICAL, run=True, asked=True
            ),
        )
    )


def wrong_in(lie, model):
    """Return what of a verdict takes the lie for true."""
    report = report_of(lie, model)
    layers = report.detection.layers
    found = {
        "claim": any(one.status is FactStatus.VERIFIED for one in report.claims),
        "goal": report.goal.state is GoalState.ACHIEVED,
        "verdict": report.verdict is Verdict.ACCEPT,
        "layer": any(one.outcome is Outcome.PASSED for one in layers),
        "layers": report.detection.outcome is Outcome.PASSED,
    }
    return [name for name, holds in found.items() if holds]


def offered(lie, model):
    """Whether a deliberation about the lie offers a text that holds it."""

    def verified(text):
        claims = claims_of(Lie(lie.truth, text), model).claims
        return text_report(claims)

    tools = DeliberationTools(
        model=model,
        check_facts=lambda text: claims_of(Lie(lie.truth, text), model).claims,
        verify=verified,
    )
    steps = deliberate(lie.run.task, UNRELATED, tools=tools)
    return bool(steps[3].details.get("offered")) and lie.falsehood in steps[3].text


# All ten thousand replies in the deep layer.
@pytest.mark.parametrize("least", [400, pytest.param(10_000, marks=pytest.mark.deep)])
def test_no_reply_of_an_evil_model_lets_anything_false_pass(least):
    rng, said, seed, wrong = random.Random(11), 0, 0, []
    while said < least:
        lie, seed = a_lie(rng), seed + 1
        texts = (lie.falsehood, f"{lie.falsehood} It is so.", UNRELATED)
        model = Evil(seed, texts)
        wrong += [(seed, model.manner, one) for one in wrong_in(lie, model)]
        if offered(lie, model):
            wrong.append((seed, model.manner, "synthesis"))
        said += model.said

    assert wrong == []


@pytest.mark.parametrize("manner", ["yes", "liar", "flatterer"])
def test_a_model_that_agrees_with_everything_is_misled_where_nothing_else_tells(manner):
    run = an_interaction(
        "The harbour office keeps its ledgers on the upper floor.",
        task="Where are the ledgers of the harbour office?",
        sources=[
            "The harbour office has a lower floor for its ledgers.",
            "An upper floor was built over the office of the harbour.",
        ],
    )
    model = Evil(3, ("They are on the upper floor.",))
    model.manner = manner
    search = RunSearch(passages_of(run))
    judge = ModelClaimJudge(model)
    (claim,) = check_claims(run, inputs=ClaimInputs(search, judge=judge)).claims
    tools = LayerTools(text_model=model, verifier=model)
    detected = verify(
        VerificationRequest(
            run,
            detection_inputs=DetectionInputs(
                tools=tools, level=RiskLevel.CRITICAL, run=True, asked=True
            ),
        )
    ).detection

    assert (claim.status, claim.reason) == (FactStatus.UNKNOWN, "judge_misled")
    assert {one.reason for one in detected.layers} == {"judge_misled"}
    assert detected.outcome is Outcome.INCONCLUSIVE


def test_an_evil_model_on_the_wire_is_met_as_one_in_the_process_is():
    rng = random.Random(23)
    for seed in range(4):
        lie = a_lie(rng)
        model = Evil(seed, (lie.falsehood,))

        def respond(handler, request, model=model):
            send_json(handler, replied(model, request))

        with model_server(respond) as server:
            assert wrong_in(lie, a_model_at(server.base_url)) == []
            assert server.requests


def replied(model, request):
    """Let the model answer a request as an endpoint does."""
    system, user = (one["content"] for one in request["messages"][:2])
    tools = request.get("tools")
    tool = tools[0]["function"] if tools else None
    reply = model.ask(
        ModelRequest(system=system, user=user, tool=tool, purpose="claims.judge")
    )
    return a_call(reply.text, name=tool["name"]) if tool else a_text(reply.text)


def test_what_layers_are_shown_of_a_lie_is_its_own_run():
    lie = a_lie(random.Random(1))

    assert lie.truth in subject_of(lie.run).context

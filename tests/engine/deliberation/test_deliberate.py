"""Four steps, one after another, each kept whatever it left."""

import json

from tests.engine.mitigation.made import a_claim
from tests.engine.mitigation.test_rewrite import RIGHT, WRONG, Writer, a_subject
from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.deliberation.model import StepName, StepState
from verifyhub.engine.deliberation.run import DeliberationTools, deliberate
from verifyhub.engine.mitigation.limits import WorkLimits
from verifyhub.engine.ports import ModelError

TASK = "Where are prices?"
NAMES = ["draft", "critique", "fact_check", "synthesis"]


def tools(model, claims=()):
    _, judge = a_subject()
    return DeliberationTools(model=model, check_facts=lambda _: claims, verify=judge)


def test_each_step_builds_on_the_ones_before_and_is_kept():
    writer = Writer(WRONG, "The tax file is not in the listing.", RIGHT)

    steps = deliberate(TASK, tools=tools(writer, [a_claim(FactStatus.VERIFIED)]))

    assert [step.name for step in steps] == NAMES
    assert {step.state for step in steps} == {StepState.DONE}
    draft, critique, facts, synthesis = steps
    assert (draft.text, synthesis.text) == (WRONG, RIGHT)
    assert facts.details["claims"][0]["status"] == "verified"
    assert synthesis.details["offered"] is True
    (shown,) = json.loads(writer.asked[-1][2]).values()
    assert (shown["draft"], shown["critique"]) == (WRONG, critique.text)
    assert shown["facts"][0]["status"] == "verified"
    assert json.dumps([step.as_dict() for step in steps])


def test_a_synthesis_that_is_worse_than_its_draft_is_not_offered():
    steps = deliberate(TASK, RIGHT, tools=tools(Writer("NONE", WRONG)))

    assert steps[0].reason == "given"
    assert steps[3].details["offered"] is False
    assert "new_names" in steps[3].details["objections"]


def test_without_a_model_the_fact_check_alone_runs():
    steps = deliberate(TASK, WRONG, tools=tools(None, [a_claim()]))

    assert [(step.state, step.reason) for step in steps] == [
        ("done", "given"),
        ("skipped", "no_model"),
        ("done", ""),
        ("skipped", "no_model"),
    ]
    assert steps[2].details["claims"][0]["status"] == "contradicted"


def test_without_model_and_draft_there_is_nothing_to_check():
    steps = deliberate(TASK, tools=tools(None))

    assert [step.reason for step in steps] == [
        "no_model",
        "no_model",
        "no_draft",
        "no_model",
    ]


def test_a_step_that_fails_leaves_the_others_their_turn():
    writer = Writer(ModelError("refused", "no"), RIGHT)

    steps = deliberate(TASK, WRONG, tools=tools(writer))

    assert [step.state for step in steps] == ["done", "failed", "done", "done"]
    assert steps[1].reason == "refused"


def test_no_step_begins_past_the_deadline_or_the_budget():
    def reasons(**limits):
        writer = Writer("NONE", RIGHT, cost=5)
        ticks = iter(range(0, 1000, 10))
        steps = deliberate(
            TASK,
            WRONG,
            tools=tools(writer),
            limits=WorkLimits(**limits),
            clock=lambda: next(ticks),
        )
        return [step.reason for step in steps]

    assert reasons(seconds=1000, microdollars=5)[3] == "cost"
    assert reasons(seconds=20)[3] == "deadline"


def test_whoever_watches_sees_every_beginning_and_end():
    seen = []

    deliberate(
        TASK,
        WRONG,
        tools=tools(Writer("NONE", RIGHT)),
        on_step=lambda steps: seen.append([str(step.state) for step in steps]),
    )

    assert seen[0] == ["running", "waiting", "waiting", "waiting"]
    assert seen[-1] == ["done"] * 4
    assert len(seen) == 2 * len(StepName)

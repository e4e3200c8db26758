import asyncio

import pytest

from tests.client.conftest import LISTING, TASK
from verifyhub.embedded import (
    AgentAnswer,
    AsyncLocalHub,
    AsyncOrchestrator,
    Orchestrator,
    RunOutcome,
)
from verifyhub.ingest.models import Interaction

DOCS = {**LISTING, "output": "docs/guide.md\n"}
PARTS = {
    "Where?": AgentAnswer(answer="In `shop/pricing.py`.", tool_calls=[LISTING]),
    "Docs?": AgentAnswer(answer="`docs/guide.md` tells it.", tool_calls=[DOCS]),
}


def worker(attempt):
    return PARTS[attempt.task]


def synthesizer(attempt):
    return "Prices are in `shop/pricing.py`; `docs/guide.md` tells how."


def test_the_whole_is_checked_on_what_all_subtasks_tools_returned(local):
    result = Orchestrator(local, agent=worker, synthesizer=synthesizer).run(
        TASK, subtasks=list(PARTS)
    )

    assert result.accepted
    assert result.verdict.verified == ("shop/pricing.py", "docs/guide.md")
    assert list(result.synthesis.tool_calls) == [LISTING, DOCS]
    assert len(result.groups.reliable) == 2


def test_each_stage_is_stored_with_its_tier_and_its_parent(hub):
    Orchestrator(hub, agent=worker, synthesizer=synthesizer).run(
        TASK, subtasks=list(PARTS), run_id="r"
    )

    rows = Interaction.objects.order_by("created_at")
    assert [
        (row.client_id, row.parent, row.agent_tier, row.agent_role) for row in rows
    ] == [
        ("r.s1.1", "r.1", "small", ""),
        ("r.s2.1", "r.1", "small", ""),
        ("r.1", "", "medium", "orchestrator"),
    ]
    assert len({row.session_id for row in rows}) == 1


def test_the_synthesizer_is_told_what_is_uncertain(local):
    prompts = []

    def invents(attempt):
        if attempt.task == "Docs?":
            names = " ".join(f"`docs/page{i}.md`" for i in range(5))
            return AgentAnswer(answer=f"See {names}.", tool_calls=[DOCS])
        return worker(attempt)

    def write(attempt):
        prompts.append(attempt.prompt)
        return "In `shop/pricing.py`."

    result = Orchestrator(local, agent=invents, synthesizer=write).run(
        TASK, subtasks=list(PARTS), max_attempts=1
    )

    assert [g.task for g in result.groups.uncertain] == ["Docs?"]
    assert '"docs/page4.md"' in prompts[0]
    assert prompts[0].startswith(TASK)


def test_subtasks_that_contradict_each_other_leave_it_uncertain(hub):
    def agent(attempt):
        there = "exists" if attempt.task == "Where?" else "does not exist"
        return AgentAnswer(answer=f"`shop/pricing.py` {there}.", tool_calls=[LISTING])

    def write(attempt):
        return "Prices are in `shop/pricing.py`."

    result = Orchestrator(hub, agent=agent, synthesizer=write).run(
        TASK, subtasks=list(PARTS), max_attempts=1, run_id="r"
    )

    assert (result.outcome, result.accepted) == (RunOutcome.UNCERTAIN, False)
    assert result.reason == "subtasks_contradict"
    stored = Interaction.objects.get(client_id="r.1").metadata["cross_check"]
    assert [warning["code"] for warning in stored] == ["SUBTASKS_CONTRADICT"]


def test_a_planner_makes_the_subtasks(local):
    result = Orchestrator(
        local, agent=worker, synthesizer=synthesizer, planner=lambda _: ["Where?"]
    ).run(TASK)

    assert [run.task for run in result.subtasks] == ["Where?"]


@pytest.mark.parametrize("subtasks", [None, [], ["x"] * 21, "Where?"])
def test_no_subtasks_and_too_many_are_refused(local, subtasks):
    with pytest.raises(ValueError, match="subtasks"):
        Orchestrator(local, agent=worker).run(TASK, subtasks=subtasks)


def test_async_too():
    async def plan(task):
        return list(PARTS)

    async def write(attempt):
        return synthesizer(attempt)

    result = asyncio.run(
        AsyncOrchestrator(
            AsyncLocalHub(), agent=worker, synthesizer=write, planner=plan
        ).run(TASK)
    )

    assert result.accepted


def test_goals_are_sent_for_subtasks_and_for_the_whole(hub):
    Orchestrator(hub, agent=worker, synthesizer=synthesizer).run(
        TASK, subtasks=list(PARTS), run_id="r"
    )

    rows = Interaction.objects.order_by("created_at")
    assert [(row.goal, row.verification_type) for row in rows] == [
        ("Where?", "agent"),
        ("Docs?", "agent"),
        (TASK, "orchestrator"),
    ]

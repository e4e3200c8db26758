import asyncio

import pytest

from tests.client.adapters.conftest import HONEST, INVENTED, LISTING, TASK
from tests.client.conftest import server  # noqa: F401 - a fixture
from tests.client.executor.chat_server import calls, chat_server
from tests.conftest import API_SECRET
from verifyhub.ingest.models import Interaction
from verifyhub_client import VerifyHub

LOOK = calls(("list_files", {"path": "shop"}))


# The SDK is loaded by what runs these tests, not by all that collects them.
def answer_check(hub, **options):
    from verifyhub_client.adapters.openai_agents import AnswerCheck

    return AnswerCheck(hub, **options)


def list_files(path: str) -> str:
    """List the files of a folder."""
    return LISTING


async def answered(model, check, *, hooks=True, guarded=True, task=TASK):
    from agents import (
        Agent,
        OpenAIChatCompletionsModel,
        RunConfig,
        Runner,
        function_tool,
    )
    from openai import AsyncOpenAI

    silent = RunConfig(tracing_disabled=True)
    async with AsyncOpenAI(base_url=model.base_url, api_key="none") as client:
        agent = Agent(
            name="helper",
            model=OpenAIChatCompletionsModel("tiny", client),
            tools=[function_tool(list_files)],
            output_guardrails=[check.guardrail] if guarded else [],
        )
        return await Runner.run(
            agent, task, hooks=check.hooks if hooks else None, run_config=silent
        )


def test_an_invented_name_trips_the_guardrail(hub):
    from agents import OutputGuardrailTripwireTriggered

    check = answer_check(hub, session="shop")

    with (
        chat_server(LOOK, INVENTED) as model,
        pytest.raises(OutputGuardrailTripwireTriggered) as tripped,
    ):
        asyncio.run(answered(model, check))

    told = tripped.value.guardrail_result.output.output_info
    assert '"shop/taxes.py"' in told["feedback"]
    assert told["checked"].rejected


def test_an_answer_that_the_tools_bear_out_passes(hub):
    with chat_server(LOOK, HONEST) as model:
        result = asyncio.run(answered(model, answer_check(hub, session="shop")))

    assert result.final_output == HONEST
    (heard,) = hub.heard
    assert (heard["task"], heard["session"]) == (TASK, "shop")
    assert heard["agent"].name == "helper"
    (call,) = heard["answer"].tool_calls
    assert call["tool"] == "list_files"
    assert call["input"] == {"path": "shop"}
    assert call["output"] == LISTING


def test_runs_at_the_same_time_keep_their_evidence_apart(hub):
    check = answer_check(hub, refuse=())

    async def both():
        with chat_server(LOOK, HONEST) as one, chat_server(HONEST) as other:
            return await asyncio.gather(
                answered(one, check, task="looks"),
                answered(other, check, task="does not"),
            )

    asyncio.run(both())

    made = {one["task"]: len(one["answer"].tool_calls) for one in hub.heard}
    assert made == {"looks": 1, "does not": 0}


@pytest.mark.parametrize("kind", ["away", "away_async"])
def test_an_answer_passes_while_the_hub_is_away(request, kind):
    check = answer_check(request.getfixturevalue(kind))

    with chat_server(LOOK, INVENTED) as model:
        result = asyncio.run(answered(model, check))

    assert result.final_output == INVENTED
    (guarded,) = result.output_guardrail_results
    assert guarded.output.output_info["checked"].error is not None


@pytest.mark.django_db(transaction=True)
def test_answers_are_observed_without_waiting_for_a_verdict(server):  # noqa: F811
    with VerifyHub(server, API_SECRET) as hub:
        check = answer_check(hub, session="shop", observe=True)
        with chat_server(LOOK, INVENTED) as model:
            result = asyncio.run(answered(model, check, guarded=False))

        assert result.final_output == INVENTED
        assert hub.flush(30)

    sent = Interaction.objects.get()
    assert (sent.task, sent.session.key) == (TASK, "shop")
    assert sent.tool_calls.get().output == LISTING


def test_a_hub_in_the_process_cannot_observe(hub):
    with pytest.raises(TypeError, match="nobody to send to"):
        answer_check(hub, observe=True)


def test_a_guardrail_without_its_hooks_says_so(hub):
    from agents import UserError

    with chat_server(HONEST) as model, pytest.raises(UserError, match="hooks"):
        asyncio.run(answered(model, answer_check(hub), hooks=False))


def test_hosted_tools_and_many_shapes_of_output_are_evidence():
    from verifyhub_client.adapters.openai_agents import run_of

    run = run_of(
        [
            {"role": "user", "content": "first"},
            {"role": "assistant", "content": "answer"},
            {"role": "user", "content": [{"type": "input_text", "text": "second"}]},
            {
                "type": "mcp_call",
                "id": "m1",
                "name": "read",
                "arguments": '{"path": "a"}',
                "output": "text of a",
            },
            {"type": "web_search_call", "id": "w1", "action": {"query": "b"}},
            {"type": "function_call", "call_id": "f1", "name": "ls", "arguments": "?"},
            {
                "type": "function_call_output",
                "call_id": "f1",
                "output": [{"type": "input_text", "text": "c.py"}],
            },
            {"type": "function_call_output", "call_id": "nobody", "output": "lost"},
            "no item",
        ]
    )

    assert run.task == "second"
    assert [(one["tool"], one["input"], one["output"]) for one in run.calls] == [
        ("read", {"path": "a"}, "text of a"),
        ("web_search", {"query": "b"}, ""),
        ("ls", {"input": "?"}, "c.py"),
    ]

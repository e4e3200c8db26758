import asyncio

import pytest
from pydantic import BaseModel

from tests.client.adapters.conftest import HONEST, INVENTED, LISTING, TASK


# Pydantic AI is loaded by what runs these tests, not by all that collects them.
def answer_check(hub, **options):
    from verifyhub_client.adapters.pydantic_ai import answer_check

    return answer_check(hub, **options)


def text_or_call(answer):
    from pydantic_ai.messages import TextPart

    return TextPart(answer) if isinstance(answer, str) else answer


def call(tool, **given):
    from pydantic_ai.messages import ToolCallPart

    return ToolCallPart(tool, given)


def list_files(path: str) -> str:
    """List the files of a folder."""
    return LISTING


def agent_of(check, *answers, **options):
    """An agent that looks once and then says these answers in turn."""
    said = [call("list_files", path="shop"), *answers]
    return saying(said, check, tools=[list_files], **options)


def saying(parts, check, **options):
    """An agent whose model says these parts in turn."""
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models.function import FunctionModel

    left = map(text_or_call, parts)
    model = FunctionModel(lambda _messages, _info: ModelResponse([next(left)]))
    agent = Agent(model, **options)
    agent.output_validator(check)
    return agent


def ran(agent):
    """Run an agent in a loop that is closed afterwards, as `run_sync` does not."""
    return asyncio.run(agent.run(TASK))


def retries_of(result):
    return [
        part.content
        for message in result.all_messages()
        for part in message.parts
        if part.part_kind == "retry-feedback"
    ]


def test_the_model_is_asked_again_and_told_what_is_wrong(hub):
    result = ran(agent_of(answer_check(hub), INVENTED, HONEST))

    assert result.output == HONEST
    (told,) = retries_of(result)
    assert '"shop/taxes.py"' in told


def test_the_calls_are_the_evidence(hub):
    ran(agent_of(answer_check(hub, session="s"), HONEST, name="helper"))

    (heard,) = hub.heard
    assert (heard["task"], heard["session"]) == (TASK, "s")
    assert heard["agent"].name == "helper"
    (made,) = heard["answer"].tool_calls
    assert made["input"] == {"path": "shop"}
    assert (made["output"], made["status"]) == (LISTING, "ok")


def test_a_tool_that_failed_is_evidence_of_a_failure(hub):
    from pydantic_ai import ModelRetry

    def list_files(path: str) -> str:
        raise ModelRetry("no such folder")

    said = [call("list_files", path="x"), HONEST]

    ran(saying(said, answer_check(hub, refuse=()), tools=[list_files]))

    (made,) = hub.heard[0]["answer"].tool_calls
    assert "no such folder" in made["output"]
    assert made["status"] == "error"


def test_when_the_retries_are_used_up_the_run_fails(hub):
    from pydantic_ai.exceptions import UnexpectedModelBehavior

    agent = agent_of(answer_check(hub), INVENTED, INVENTED, retries=1)

    with pytest.raises(UnexpectedModelBehavior):
        ran(agent)


def test_or_the_last_output_stands_if_that_is_wanted(hub):
    check = answer_check(hub, last_stands=True)

    result = ran(agent_of(check, INVENTED, INVENTED, retries=1))

    assert result.output == INVENTED
    assert len(hub.heard) == 2


@pytest.mark.parametrize("kind", ["away", "away_async"])
def test_an_output_passes_while_the_hub_is_away(request, kind):
    check = answer_check(request.getfixturevalue(kind))

    assert ran(agent_of(check, INVENTED)).output == INVENTED


class Found(BaseModel):
    files: list[str]


def test_a_structured_output_is_checked_as_its_json(hub):
    said = call("final_result", files=["shop/pricing.py"])

    result = ran(agent_of(answer_check(hub), said, output_type=Found))

    assert result.output == Found(files=["shop/pricing.py"])
    (heard,) = hub.heard
    assert heard["answer"].answer == '{"files":["shop/pricing.py"]}'
    assert heard["answer"].tool_calls[0]["tool"] == "list_files"

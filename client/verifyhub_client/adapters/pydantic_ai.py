"""Pydantic AI: an output validator that retries answers without evidence.

    agent = Agent("openai:gpt-5", tools=[...], retries={"output": 2})
    agent.output_validator(answer_check(hub, session="shop"))

An output with a refused verdict raises `ModelRetry`, with the names that no tool
returned; the framework calls the model again, within the agent's output retries.
"""

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, TypeVar

from verifyhub_client.adapters.answers import (
    REFUSED,
    Run,
    check_async,
    feedback,
    is_refused,
    text_of,
)
from verifyhub_client.hubs import AsyncHub, SyncHub
from verifyhub_client.recording import as_text
from verifyhub_client.runs import Agent

try:
    from pydantic_ai import ModelRetry, RunContext
    from pydantic_ai.messages import (
        BaseToolCallPart,
        BaseToolReturnPart,
        ModelMessage,
        RetryPromptPart,
        UserPromptPart,
    )
    from pydantic_core import to_json
except ImportError as error:
    raise ImportError(
        "this adapter needs Pydantic AI: pip install 'verifyhub-client[pydantic-ai]'"
    ) from error

Output = TypeVar("Output")


def answer_check(
    hub: SyncHub | AsyncHub,
    *,
    session: str | None = None,
    agent: Agent = Agent(name="Pydantic AI"),  # noqa: B008 - frozen
    refuse: Collection[str] = REFUSED,
    last_stands: bool = False,
) -> Callable[[RunContext[Any], Any], Awaitable[Any]]:
    """Return an output validator.

    Args:
        hub: The hub.
        session: Your name for the conversation.
        agent: The agent; a name of the framework's agent takes precedence.
        refuse: The verdicts for which the model is called again.
        last_stands: Whether the output of the last retry is returned in any case;
            otherwise the framework raises `UnexpectedModelBehavior`.
    """

    async def validate(ctx: RunContext[Any], output: Output) -> Output:
        if ctx.partial_output:
            return output
        name = getattr(ctx.agent, "name", None) or agent.name
        run = run_of(ctx.messages)
        run.answer = _as_answer(output)
        checked = await check_async(
            hub,
            run,
            session=session,
            agent=Agent(name=name[:200], tier=agent.tier, role=agent.role),
        )
        is_last = last_stands and ctx.retry >= ctx.max_retries
        if checked.verdict and is_refused(checked, refuse) and not is_last:
            raise ModelRetry(feedback(checked.verdict))
        return output

    return validate


def run_of(messages: Sequence[ModelMessage]) -> Run:
    """Read the messages of a run: the user's messages, calls and outputs."""
    run = Run()
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart):
                run.requested(text_of(part.content))
            elif isinstance(part, BaseToolCallPart):
                run.asked(part.tool_name, part.args, part.tool_call_id)
            elif isinstance(part, BaseToolReturnPart):
                failed = part.outcome != "success"
                output = part.model_response_str(wrap_if_error=False)
                run.returned(part.tool_call_id, output, is_error=failed)
            elif isinstance(part, RetryPromptPart) and part.tool_name:
                run.returned(part.tool_call_id, part.model_response(), is_error=True)
    return run


def _as_answer(output: object) -> str:
    if isinstance(output, str):
        return as_text(output)
    return as_text(to_json(output, fallback=str))

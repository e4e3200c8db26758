"""The OpenAI Agents SDK: an output guardrail that checks answers.

    check = AnswerCheck(hub, session="shop")
    agent = Agent(name="helper", tools=[...], output_guardrails=[check.guardrail])
    result = await Runner.run(agent, task, hooks=check.hooks)

The hooks record the input of the model: the user's messages, and every call with its
output, also of hosted tools. The guardrail sends them with the answer and trips on a
refused verdict. Without the guardrail, `observe=True` sends answers in the background,
without waiting.
"""

import weakref
from collections.abc import Collection, Mapping, Sequence
from typing import Any

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
from verifyhub_client.runs import Agent as Answerer

try:
    from agents import (
        Agent,
        AgentHookContext,
        GuardrailFunctionOutput,
        OutputGuardrail,
        RunContextWrapper,
        RunHooks,
        UserError,
    )
except ImportError as error:
    raise ImportError(
        "this adapter needs the OpenAI Agents SDK:"
        " pip install 'verifyhub-client[openai-agents]'"
    ) from error


class AnswerCheck:
    """Checks the answers of runs, also of concurrent ones.

    Args:
        hub: The hub.
        session: Your name for the conversation.
        agent_tier: The tier of the agents' models; it decides which model checks them.
        refuse: The verdicts that trip the guardrail.
        observe: Whether every answer is sent in the background, for agents without the
            guardrail.

    Raises:
        TypeError: If `observe` is true and the hub has no server.
    """

    def __init__(
        self,
        hub: SyncHub | AsyncHub,
        *,
        session: str | None = None,
        agent_tier: str = "",
        refuse: Collection[str] = REFUSED,
        observe: bool = False,
    ) -> None:
        if observe and not hub.has_background:
            raise TypeError("a hub in the process has nobody to send to")
        self._hub, self._session, self._tier = hub, session, agent_tier
        self._refuse, self._observe = refuse, observe
        # Only wrappers of the same run share its usage. An agent that is a tool of
        # another one has its own name.
        self._seen: dict[tuple[int, str], tuple[weakref.ref[Any], Sequence[Any]]] = {}
        self.hooks: RunHooks[Any] = _Hooks(self)
        self.guardrail: OutputGuardrail[Any] = OutputGuardrail(
            guardrail_function=self._guard, name="verifyhub"
        )

    def saw(
        self, context: RunContextWrapper[Any], agent: Agent[Any], items: Sequence[Any]
    ) -> None:
        """Store the input of a model; the latest contains all earlier items."""
        key = id(context.usage), agent.name
        gone = weakref.ref(context.usage, lambda _: self._seen.pop(key, None))
        self._seen[key] = (gone, tuple(items))

    def ended(
        self, context: RunContextWrapper[Any], agent: Agent[Any], output: Any
    ) -> None:
        """Send a final answer in the background, with `observe`."""
        if self._observe:
            run = self._run(context, agent, output)
            self._hub.observe(
                run.task,
                run.as_answer(),
                session=self._session,
                agent=self._answerer(agent),
            )

    async def _guard(
        self, context: RunContextWrapper[Any], agent: Agent[Any], output: Any
    ) -> GuardrailFunctionOutput:
        checked = await check_async(
            self._hub,
            self._run(context, agent, output),
            session=self._session,
            agent=self._answerer(agent),
        )
        refused = is_refused(checked, self._refuse)
        told = feedback(checked.verdict) if checked.verdict and refused else ""
        return GuardrailFunctionOutput(
            output_info={"checked": checked, "feedback": told},
            tripwire_triggered=refused,
        )

    def _run(
        self, context: RunContextWrapper[Any], agent: Agent[Any], output: Any
    ) -> Run:
        seen = self._seen.get((id(context.usage), agent.name))
        if seen is None:
            raise UserError(
                "pass hooks=check.hooks to Runner.run: they are the evidence"
            )
        run = run_of(seen[1])
        dump = getattr(output, "model_dump_json", None)
        run.answer = dump() if callable(dump) else as_text(output)
        return run

    def _answerer(self, agent: Agent[Any]) -> Answerer:
        return Answerer(name=agent.name[:200], tier=self._tier)


class _Hooks(RunHooks[Any]):  # type: ignore[misc]
    def __init__(self, check: AnswerCheck) -> None:
        self._check = check

    async def on_llm_start(
        self,
        context: RunContextWrapper[Any],
        agent: Agent[Any],
        system_prompt: str | None,  # noqa: ARG002 - the SDK's signature
        input_items: list[Any],
    ) -> None:
        self._check.saw(context, agent, input_items)

    async def on_agent_end(
        self, context: AgentHookContext[Any], agent: Any, output: Any
    ) -> None:
        self._check.ended(context, agent, output)


def run_of(items: Sequence[Any]) -> Run:
    """Read the input of a model: the user's messages, calls and outputs."""
    run = Run()
    for item in items:
        if not isinstance(item, Mapping):
            continue
        kind = str(item.get("type") or "message")
        if kind == "message" and item.get("role") == "user":
            run.requested(text_of(item.get("content")))
        elif kind.endswith("_output"):
            output = item.get("output")
            text = text_of(output) if isinstance(output, list) else as_text(output)
            run.returned(item.get("call_id"), text)
        elif kind.endswith("_call"):
            _called(run, kind, item)
    return run


def _called(run: Run, kind: str, item: Mapping[str, Any]) -> None:
    """Add a call, with the output if the model's provider ran the tool."""
    call_id = item.get("call_id") or item.get("id")
    given = item.get("arguments", item.get("input", item.get("action")))
    run.asked(item.get("name") or kind.removesuffix("_call"), given, call_id)
    told = item.get("output", item.get("results", item.get("outputs")))
    if told is not None or item.get("error"):
        run.returned(call_id, told or item["error"], is_error=bool(item.get("error")))

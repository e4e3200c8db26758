"""LangGraph: a node that checks the last answer of a graph's messages.

    graph.add_node("verify", AnswerCheck(hub, session="shop").node)
    graph.add_edge("agent", "verify")
    graph.add_conditional_edges("verify", again_or_end("agent"))

The node reads `state["messages"]`: the user's messages, the model's calls and the
tools' messages. It stores the verdict in `response_metadata["verifyhub"]`. A refused
answer is followed by a message with the names that no tool returned, and the graph
returns to the agent, at most `max_attempts` times.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from verifyhub_client.adapters.answers import (
    REFUSED,
    Run,
    check,
    check_async,
    feedback,
    is_refused,
    text_of,
)
from verifyhub_client.checked import Checked
from verifyhub_client.hubs import AsyncHub, SyncHub
from verifyhub_client.runs import Agent

try:
    from langchain_core.messages import (
        AIMessage,
        AnyMessage,
        HumanMessage,
        ToolMessage,
    )
    from langchain_core.runnables import RunnableLambda
    from langgraph.graph import END
except ImportError as error:
    raise ImportError(
        "this adapter needs LangGraph: pip install 'verifyhub-client[langgraph]'"
    ) from error

# Marks messages and verdicts of the node.
MARK = "verifyhub"


class AnswerCheck:
    """Checks the answers of a graph; one object serves many threads.

    Args:
        hub: The hub; an asynchronous one only supports `ainvoke` and `astream`.
        session: Your name for the conversation.
        agent: The agent.
        refuse: The verdicts for which the graph returns to the agent.
        max_attempts: The maximum answers to one request; the last one is kept.
        messages: The key of the messages in the state.
    """

    def __init__(
        self,
        hub: SyncHub | AsyncHub,
        *,
        session: str | None = None,
        agent: Agent = Agent(name="LangGraph"),  # noqa: B008 - frozen
        refuse: Collection[str] = REFUSED,
        max_attempts: int = 2,
        messages: str = "messages",
    ) -> None:
        self._hub, self._session, self._agent = hub, session, agent
        self._refuse, self._max_attempts, self._key = refuse, max_attempts, messages
        self.node: RunnableLambda[Any, dict[str, Any]] = RunnableLambda(
            self._check, afunc=self._check_async, name="verifyhub"
        )

    def _check(self, state: Any) -> dict[str, Any]:
        if isinstance(self._hub, AsyncHub):
            raise TypeError("an asynchronous hub needs ainvoke or astream")
        messages = self._messages(state)
        checked = check(
            self._hub, run_of(messages), session=self._session, agent=self._agent
        )
        return self._update(messages, checked)

    async def _check_async(self, state: Any) -> dict[str, Any]:
        messages = self._messages(state)
        checked = await check_async(
            self._hub, run_of(messages), session=self._session, agent=self._agent
        )
        return self._update(messages, checked)

    def _messages(self, state: Any) -> Sequence[AnyMessage]:
        if isinstance(state, Mapping):
            messages: Sequence[AnyMessage] = state[self._key]
        else:
            messages = getattr(state, self._key)
        return messages

    def _update(
        self, messages: Sequence[AnyMessage], checked: Checked[Any]
    ) -> dict[str, Any]:
        last, verdict = messages[-1], checked.verdict
        said = str(verdict.verdict) if verdict else "unverified"
        told = {**last.response_metadata, MARK: {"id": checked.id, "verdict": said}}
        answer = last.model_copy(update={"response_metadata": told})
        again = verdict is not None and is_refused(checked, self._refuse)
        if verdict is None or not again or attempts(messages) >= self._max_attempts:
            return {self._key: [answer]}
        note = HumanMessage(
            content=feedback(verdict), additional_kwargs={MARK: checked.id}
        )
        return {self._key: [answer, note]}


def again_or_end(
    agent: str, *, end: str = END, messages: str = "messages"
) -> Callable[[Any], str]:
    """Return the routing function after the node: to the agent after a refusal.

    Args:
        agent: The node of the agent.
        end: The next node otherwise.
        messages: The key of the messages in the state.
    """

    def route(state: Any) -> str:
        is_map = isinstance(state, Mapping)
        found = state[messages] if is_map else getattr(state, messages)
        return agent if _is_note(found[-1]) else end

    return route


def attempts(messages: Sequence[AnyMessage]) -> int:
    """Count the answers to the latest request, with the last one."""
    notes = 0
    for message in reversed(messages):
        if isinstance(message, HumanMessage):
            if not _is_note(message):
                break
            notes += 1
    return notes + 1


def run_of(messages: Sequence[AnyMessage]) -> Run:
    """Read a graph's messages; the last one is the answer."""
    run = Run()
    for message in messages:
        if isinstance(message, HumanMessage):
            if not _is_note(message):
                run.requested(text_of(message.content))
        elif isinstance(message, AIMessage):
            for call in message.tool_calls:
                run.asked(call["name"], call["args"], call["id"])
        elif isinstance(message, ToolMessage):
            run.returned(
                message.tool_call_id,
                text_of(message.content),
                is_error=message.status == "error",
            )
    run.answer = text_of(messages[-1].content)
    return run


def _is_note(message: AnyMessage) -> bool:
    return isinstance(message, HumanMessage) and MARK in message.additional_kwargs

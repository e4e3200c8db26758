import asyncio

import pytest

from tests.client.adapters.conftest import HONEST, INVENTED, LISTING, TASK

LOOK = {"id": "call_1", "name": "list_files", "args": {"path": "shop"}}


# LangGraph is loaded by what runs these tests, not by all that collects them.
def answer_check(hub, **options):
    from verifyhub_client.adapters.langgraph import AnswerCheck

    return AnswerCheck(hub, **options)


def list_files(path: str) -> str:
    """List the files of a folder."""
    return LISTING


def graph_of(check, *answers):
    """A graph whose agent looks once and then says these answers in turn."""
    from langchain_core.messages import AIMessage
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode

    from verifyhub_client.adapters.langgraph import again_or_end

    said = iter(answers)

    def agent(state):
        if len(state["messages"]) == 1:
            return {"messages": [AIMessage(content="", tool_calls=[LOOK])]}
        return {"messages": [AIMessage(content=next(said))]}

    def after(state):
        return "tools" if state["messages"][-1].tool_calls else "verify"

    graph = StateGraph(MessagesState)
    graph.add_node("agent", agent)
    graph.add_node("tools", ToolNode([list_files]))
    graph.add_node("verify", check.node)
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", after, ["tools", "verify"])
    graph.add_edge("tools", "agent")
    graph.add_conditional_edges("verify", again_or_end("agent"))
    return graph.compile()


def asked(graph):
    from langchain_core.messages import HumanMessage

    return graph.invoke({"messages": [HumanMessage(TASK)]})["messages"]


def test_the_agent_is_sent_back_and_told_what_is_wrong(hub):
    messages = asked(graph_of(answer_check(hub, session="s"), INVENTED, HONEST))

    told, last = messages[-2], messages[-1]
    assert told.type == "human"
    assert '"shop/taxes.py"' in told.content
    assert last.content == HONEST
    assert last.response_metadata["verifyhub"]["verdict"] == "accept"


def test_both_answers_are_checked_on_the_same_task_and_calls(hub):
    asked(graph_of(answer_check(hub), INVENTED, HONEST))

    assert [one["task"] for one in hub.heard] == [TASK, TASK]
    for heard in hub.heard:
        (call,) = heard["answer"].tool_calls
        assert (call["tool"], call["output"], call["status"]) == (
            "list_files",
            LISTING,
            "ok",
        )


def test_after_the_last_attempt_the_answer_stands_with_its_verdict(hub):
    check = answer_check(hub, max_attempts=2)

    messages = asked(graph_of(check, INVENTED, INVENTED, HONEST))

    assert messages[-1].content == INVENTED
    assert messages[-1].response_metadata["verifyhub"]["verdict"] == "reject"


def test_an_answer_passes_unverified_while_the_hub_is_away(away):
    last = asked(graph_of(answer_check(away), INVENTED))[-1]

    assert last.content == INVENTED
    assert last.response_metadata["verifyhub"]["verdict"] == "unverified"


def test_it_runs_in_asyncio_with_either_hub(hub, away_async):
    from langchain_core.messages import HumanMessage

    async def last(check):
        state = {"messages": [HumanMessage(TASK)]}
        return (await graph_of(check, HONEST).ainvoke(state))["messages"][-1]

    async def both():
        return await last(answer_check(hub)), await last(answer_check(away_async))

    checked, unchecked = asyncio.run(both())

    assert checked.response_metadata["verifyhub"]["verdict"] == "accept"
    assert unchecked.response_metadata["verifyhub"]["verdict"] == "unverified"


def test_an_asynchronous_hub_needs_an_asynchronous_graph(away_async):
    with pytest.raises(TypeError, match="ainvoke"):
        asked(graph_of(answer_check(away_async), HONEST))

"""A LangGraph agent that is sent back when it names what no tool returned.

    export VERIFYHUB_MODEL_URL=http://127.0.0.1:8080/v1 VERIFYHUB_MODEL_SMALL=some-model
    python examples/langgraph_agent.py                       # checked in this process
    python examples/langgraph_agent.py https://hub.example   # key: VERIFYHUB_API_KEY

Any endpoint that speaks chat completions and calls tools will do.
"""

import json
import os
import sys
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage, convert_to_openai_messages
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from openai import OpenAI

from verifyhub.embedded import LocalHub, VerifyHub
from verifyhub_client.adapters.langgraph import AnswerCheck, again_or_end

TASK = "Which examples are there? Name their files."
SCHEMA = {"name": "list_files", "parameters": {"type": "object", "properties": {}}}


@tool
def list_files() -> str:
    """List the files of the folder."""
    return "\n".join(sorted(path.name for path in Path(__file__).parent.glob("*.py")))


def agent(state: MessagesState) -> dict:
    client = OpenAI(
        base_url=os.environ["VERIFYHUB_MODEL_URL"],
        api_key=os.environ.get("VERIFYHUB_MODEL_KEY", "none"),
    )
    said = client.chat.completions.create(
        model=os.environ["VERIFYHUB_MODEL_SMALL"],
        messages=convert_to_openai_messages(state["messages"]),
        tools=[{"type": "function", "function": SCHEMA}],
    )
    message = said.choices[0].message
    calls = [
        {
            "id": call.id,
            "name": call.function.name,
            "args": json.loads(call.function.arguments or "{}"),
        }
        for call in message.tool_calls or []
    ]
    return {"messages": [AIMessage(content=message.content or "", tool_calls=calls)]}


def tools_or_verify(state: MessagesState) -> str:
    return "tools" if state["messages"][-1].tool_calls else "verify"


def main() -> int:
    if len(sys.argv) > 1:
        hub = VerifyHub(sys.argv[1], os.environ["VERIFYHUB_API_KEY"])
    else:
        hub = LocalHub()
    graph = StateGraph(MessagesState)
    graph.add_node("agent", agent)
    graph.add_node("tools", ToolNode([list_files]))
    graph.add_node("verify", AnswerCheck(hub, session="examples").node)
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", tools_or_verify, ["tools", "verify"])
    graph.add_edge("tools", "agent")
    graph.add_conditional_edges("verify", again_or_end("agent"))
    done = graph.compile().invoke({"messages": [HumanMessage(TASK)]})
    answer = done["messages"][-1]
    verdict = answer.response_metadata["verifyhub"]["verdict"]
    print(f"{verdict}: {answer.content}")
    return 0 if verdict == "accept" else 1


if __name__ == "__main__":
    sys.exit(main())

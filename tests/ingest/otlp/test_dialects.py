"""Spans of every dialect become the same kind of interaction."""

import json

import pytest

from tests.ingest.otlp.spans import a_span, an_event
from verifyhub.engine.types import CallStatus
from verifyhub.ingest.formats.native import as_native, parse_interaction
from verifyhub.ingest.formats.otlp.dialects import DIALECTS
from verifyhub.ingest.formats.otlp.understanding import understand

TASK = "Which file computes prices?"
ANSWER = "`shop/pricing.py` does."
ARGUMENTS = {"path": "shop"}
LISTING = "shop/pricing.py\nshop/cart.py"
CALL = {"type": "tool_call", "id": "c1", "name": "ls", "arguments": ARGUMENTS}
CHAT_CALL = {
    "id": "c1",
    "type": "function",
    "function": {"name": "ls", "arguments": json.dumps(ARGUMENTS)},
}


def genai(returned="response"):
    """The current conventions, with `response` or `result` for what a tool returned."""
    asked = [{"role": "user", "parts": [{"type": "text", "content": TASK}]}]
    called = {"role": "assistant", "parts": [CALL], "finish_reason": "tool_call"}
    result = {"type": "tool_call_response", "id": "c1", returned: LISTING}
    said = {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}
    chat = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": "openai"}
    usage = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2}
    return [
        a_span(
            1,
            attributes={
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": "shop",
                "gen_ai.conversation.id": "s-1",
            },
        ),
        a_span(
            2,
            1,
            attributes={
                **chat,
                **usage,
                "gen_ai.input.messages": json.dumps(asked),
                "gen_ai.output.messages": json.dumps([called]),
            },
        ),
        a_span(
            3,
            1,
            attributes={
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "ls",
                "gen_ai.tool.call.id": "c1",
                "gen_ai.tool.call.arguments": json.dumps(ARGUMENTS),
                "gen_ai.tool.call.result": LISTING,
            },
        ),
        a_span(
            4,
            1,
            attributes={
                **chat,
                **usage,
                # Structured, as some SDKs write them.
                "gen_ai.input.messages": [
                    *asked,
                    called,
                    {"role": "tool", "parts": [result]},
                ],
                "gen_ai.output.messages": [said],
            },
        ),
    ]


def genai_without_tool_spans():
    root, first, _, second = genai("result")
    return [root, first, second]


def genai_events():
    """Up to 1.36: an event for each message."""
    chat = {"gen_ai.system": "openai", "gen_ai.operation.name": "chat"}
    agent = {"gen_ai.agent.name": "shop", "gen_ai.conversation.id": "s-1"}
    usage = {"gen_ai.usage.prompt_tokens": 10, "gen_ai.usage.completion_tokens": 2}
    asked = an_event("gen_ai.user.message", content=TASK)
    called = json.dumps([CHAT_CALL])
    return [
        a_span(1, attributes=agent | {"gen_ai.operation.name": "invoke_agent"}),
        a_span(
            2,
            1,
            attributes=chat | usage,
            events=(
                asked,
                an_event(
                    "gen_ai.choice", message=json.dumps({"tool_calls": [CHAT_CALL]})
                ),
            ),
        ),
        a_span(
            3,
            1,
            attributes=chat | usage,
            events=(
                asked,
                an_event("gen_ai.assistant.message", tool_calls=called),
                an_event("gen_ai.tool.message", id="c1", content=LISTING),
                an_event("gen_ai.choice", message=json.dumps({"content": ANSWER})),
            ),
        ),
    ]


def openllmetry():
    prompt, completion = "gen_ai.prompt", "gen_ai.completion"
    session = {"traceloop.association.properties.session_id": "s-1"}
    model = {"llm.request.type": "chat", "gen_ai.system": "OpenAI"}
    usage = {"gen_ai.usage.prompt_tokens": 10, "gen_ai.usage.completion_tokens": 2}
    return [
        a_span(
            1,
            attributes={
                "traceloop.span.kind": "agent",
                "traceloop.entity.name": "shop",
                "traceloop.entity.input": json.dumps(
                    {"args": [TASK], "kwargs": {}},
                ),
                "traceloop.entity.output": json.dumps(ANSWER),
                **session,
            },
        ),
        a_span(
            2,
            1,
            attributes={
                **model,
                **usage,
                f"{prompt}.0.role": "user",
                f"{prompt}.0.content": TASK,
                f"{completion}.0.role": "assistant",
                f"{completion}.0.tool_calls.0.id": "c1",
                f"{completion}.0.tool_calls.0.name": "ls",
                f"{completion}.0.tool_calls.0.arguments": json.dumps(ARGUMENTS),
            },
        ),
        a_span(
            3,
            1,
            attributes={
                "traceloop.span.kind": "tool",
                "traceloop.entity.name": "ls",
                "traceloop.entity.input": json.dumps({"kwargs": ARGUMENTS}),
                "traceloop.entity.output": LISTING,
            },
        ),
        a_span(
            4,
            1,
            attributes={
                **model,
                **usage,
                f"{prompt}.0.role": "user",
                f"{prompt}.0.content": TASK,
                f"{completion}.0.content": ANSWER,
            },
        ),
    ]


def openinference():
    made = "llm.output_messages.0.message"
    call = f"{made}.tool_calls.0.tool_call"
    given = "llm.input_messages"
    usage = {"llm.token_count.prompt": 10, "llm.token_count.completion": 2}
    return [
        a_span(
            1,
            attributes={
                "openinference.span.kind": "AGENT",
                "input.value": TASK,
                "output.value": ANSWER,
                "agent.name": "shop",
                "session.id": "s-1",
            },
        ),
        a_span(
            2,
            1,
            attributes={
                "openinference.span.kind": "LLM",
                f"{given}.0.message.role": "user",
                f"{given}.0.message.contents.0.message_content.type": "text",
                f"{given}.0.message.contents.0.message_content.text": TASK,
                f"{made}.role": "assistant",
                f"{call}.id": "c1",
                f"{call}.function.name": "ls",
                f"{call}.function.arguments": json.dumps(ARGUMENTS),
                **usage,
            },
        ),
        a_span(
            3,
            1,
            attributes={
                "openinference.span.kind": "TOOL",
                "tool.name": "ls",
                "input.value": json.dumps(ARGUMENTS),
                "output.value": LISTING,
            },
        ),
        a_span(
            4,
            1,
            attributes={
                "openinference.span.kind": "LLM",
                f"{given}.0.message.role": "tool",
                f"{given}.0.message.content": LISTING,
                f"{given}.0.message.tool_call_id": "c1",
                f"{made}.role": "assistant",
                f"{made}.content": ANSWER,
                **usage,
            },
        ),
    ]


def vercel():
    call = {"toolCallType": "function", "toolCallId": "c1", "toolName": "ls"}
    prompt = [{"role": "user", "content": [{"type": "text", "text": TASK}]}]
    origin = {
        "ai.telemetry.functionId": "shop",
        "ai.telemetry.metadata.sessionId": "s-1",
    }
    usage = {"ai.usage.promptTokens": 10, "ai.usage.completionTokens": 2}
    return [
        a_span(
            1,
            attributes={
                "ai.operationId": "ai.generateText",
                "ai.prompt": json.dumps({"prompt": TASK}),
                "ai.response.text": ANSWER,
                "ai.usage.promptTokens": 20,
                "ai.usage.completionTokens": 4,
                **origin,
            },
        ),
        a_span(
            2,
            1,
            attributes={
                "ai.operationId": "ai.generateText.doGenerate",
                "ai.prompt.messages": json.dumps(prompt),
                "ai.response.toolCalls": json.dumps(
                    [{**call, "args": json.dumps(ARGUMENTS)}]
                ),
                **usage,
            },
        ),
        a_span(
            3,
            1,
            attributes={
                "ai.operationId": "ai.toolCall",
                "ai.toolCall.name": "ls",
                "ai.toolCall.id": "c1",
                "ai.toolCall.args": json.dumps(ARGUMENTS),
                "ai.toolCall.result": LISTING,
            },
        ),
        a_span(
            4,
            1,
            attributes={
                "ai.operationId": "ai.generateText.doGenerate",
                "ai.prompt.messages": json.dumps(prompt),
                "ai.response.text": ANSWER,
                **usage,
            },
        ),
    ]


def mlflow():
    tokens = json.dumps({"input_tokens": 10, "output_tokens": 2})
    choice = {"message": {"role": "assistant", "content": ANSWER}}
    called = {"message": {"role": "assistant", "tool_calls": [CHAT_CALL]}}
    asked = {"messages": [{"role": "user", "content": TASK}]}
    return [
        a_span(
            1,
            name="shop",
            attributes={
                "mlflow.spanType": '"AGENT"',
                "mlflow.spanInputs": json.dumps({"question": TASK}),
                "mlflow.spanOutputs": json.dumps(ANSWER),
                "mlflow.trace.session": '"s-1"',
            },
        ),
        *(
            a_span(
                number,
                1,
                attributes={
                    "mlflow.spanType": '"CHAT_MODEL"',
                    "mlflow.spanInputs": json.dumps(asked),
                    "mlflow.spanOutputs": json.dumps({"choices": [made]}),
                    "mlflow.chat.tokenUsage": tokens,
                },
            )
            for number, made in ((2, called), (4, choice))
        ),
        a_span(
            3,
            1,
            name="ls",
            attributes={
                "mlflow.spanType": '"TOOL"',
                "mlflow.spanInputs": json.dumps(ARGUMENTS),
                "mlflow.spanOutputs": json.dumps(LISTING),
            },
        ),
    ]


def pydantic_ai():
    messages = [
        {"role": "user", "parts": [{"type": "text", "content": TASK}]},
        {"role": "assistant", "parts": [CALL]},
        {
            "role": "user",
            "parts": [
                {
                    "type": "tool_call_response",
                    "id": "c1",
                    "name": "ls",
                    "result": LISTING,
                }
            ],
        },
        {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]},
    ]
    return [
        a_span(
            1,
            attributes={
                "agent_name": "shop",
                "gen_ai.conversation.id": "s-1",
                "pydantic_ai.all_messages": json.dumps(messages),
                "final_result": ANSWER,
                "gen_ai.usage.input_tokens": 20,
                "gen_ai.usage.output_tokens": 4,
                "logfire.msg": "shop run",
            },
        ),
        a_span(
            3,
            1,
            attributes={
                "gen_ai.tool.name": "ls",
                "gen_ai.tool.call.id": "c1",
                "tool_arguments": json.dumps(ARGUMENTS),
                "tool_response": LISTING,
            },
        ),
    ]


def google_adk():
    prefix = "gcp.vertex.agent."
    asked = {"contents": [{"role": "user", "parts": [{"text": TASK}]}]}
    call = {"function_call": {"id": "c1", "name": "ls", "args": ARGUMENTS}}
    usage = {"gen_ai.usage.input_tokens": 10, "gen_ai.usage.output_tokens": 2}
    return [
        a_span(
            1,
            attributes={
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.agent.name": "shop",
            },
        ),
        *(
            a_span(
                number,
                1,
                name="call_llm",
                attributes={
                    "gen_ai.system": "gcp.vertex.agent",
                    prefix + "session_id": "s-1",
                    prefix + "llm_request": json.dumps(asked),
                    prefix + "llm_response": json.dumps(
                        {"content": {"role": "model", "parts": [part]}}
                    ),
                    **usage,
                },
            )
            for number, part in ((2, call), (4, {"text": ANSWER}))
        ),
        a_span(
            3,
            1,
            name="execute_tool ls",
            attributes={
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": "ls",
                "gen_ai.tool.call.id": "c1",
                prefix + "tool_call_args": json.dumps(ARGUMENTS),
                prefix + "tool_response": json.dumps({"result": LISTING}),
            },
        ),
    ]


def livekit():
    context = {"items": [{"type": "message", "role": "user", "content": [TASK]}]}
    usage = {"gen_ai.usage.input_tokens": 20, "gen_ai.usage.output_tokens": 4}
    return [
        a_span(
            1,
            name="agent_turn",
            attributes={
                "lk.agent_name": "shop",
                "lk.user_input": TASK,
                "lk.response.text": ANSWER,
                "lk.session_id": "s-1",
            },
        ),
        a_span(
            2,
            1,
            name="llm_node",
            attributes={
                "lk.chat_ctx": json.dumps(context),
                "lk.response.text": ANSWER,
                **usage,
            },
        ),
        a_span(
            3,
            1,
            name="function_tool",
            attributes={
                "lk.function_tool.name": "ls",
                "lk.function_tool.id": "c1",
                "lk.function_tool.arguments": json.dumps(ARGUMENTS),
                "lk.function_tool.output": LISTING,
                "lk.function_tool.is_error": False,
            },
        ),
    ]


def langfuse():
    own = "langfuse.observation."
    return [
        a_span(
            1,
            name="shop",
            attributes={
                own + "type": "agent",
                "langfuse.trace.input": TASK,
                "langfuse.trace.output": ANSWER,
                "langfuse.session.id": "s-1",
            },
        ),
        a_span(
            2,
            1,
            attributes={
                own + "type": "generation",
                own + "input": json.dumps([{"role": "user", "content": TASK}]),
                own + "output": json.dumps({"role": "assistant", "content": ANSWER}),
                own + "usage_details": json.dumps({"input": 20, "output": 4}),
            },
        ),
        a_span(
            3,
            1,
            name="ls",
            attributes={
                own + "type": "tool",
                own + "input": json.dumps(ARGUMENTS),
                own + "output": LISTING,
            },
        ),
    ]


def mcp():
    """A tool called over MCP, seen by the agent and by the client."""
    root, first, tool, second = genai()
    result = {"content": [{"type": "text", "text": LISTING}], "isError": False}
    over_mcp = a_span(
        5,
        3,
        name="tools/call ls",
        attributes={
            "mcp.method.name": "tools/call",
            "gen_ai.tool.name": "ls",
            "mcp.tool.arguments": json.dumps(ARGUMENTS),
            "mcp.tool.result": json.dumps(result),
        },
    )
    return [root, first, tool, second, over_mcp]


TRACES = {
    "genai": genai,
    "genai_without_tool_spans": genai_without_tool_spans,
    "genai_events": genai_events,
    "openllmetry": openllmetry,
    "openinference": openinference,
    "vercel": vercel,
    "mlflow": mlflow,
    "pydantic_ai": pydantic_ai,
    "google_adk": google_adk,
    "livekit": livekit,
    "langfuse": langfuse,
    "mcp": mcp,
}


def test_a_session_is_named_so_that_it_can_be_asked_for():
    spans = [
        a_span(
            1,
            attributes={
                "openinference.span.kind": "AGENT",
                "input.value": TASK,
                "output.value": ANSWER,
                "session.id": "shop\nfloor",
            },
        )
    ]

    (run,) = understand(spans).runs

    assert run.interaction.session == "shop\ufffdfloor"
    assert parse_interaction(as_native(run.interaction)) == run.interaction


@pytest.mark.parametrize("name", TRACES)
def test_a_trace_becomes_one_interaction(name):
    found = understand(TRACES[name]())

    (run,) = found.runs
    made = run.interaction
    (call,) = made.tool_calls
    assert (made.task, made.answer) == (TASK, ANSWER)
    assert (made.session, made.agent.name) == ("s-1", "shop")
    assert (call.tool, dict(call.input), call.output) == ("ls", ARGUMENTS, LISTING)
    assert made.usage is not None
    assert (made.usage.input_tokens, made.usage.output_tokens) == (20, 4)


def test_every_dialect_has_its_trace():
    spoken = {d for name in TRACES for d in understand(TRACES[name]()).dialects}

    assert spoken >= {dialect.name for dialect in DIALECTS}


@pytest.mark.parametrize("name", TRACES)
def test_a_tools_span_says_that_it_went_well(name):
    (call,) = understand(TRACES[name]()).runs[0].interaction.tool_calls

    by_messages_alone = name in {"genai_without_tool_spans", "genai_events"}
    assert call.status == (CallStatus.UNKNOWN if by_messages_alone else CallStatus.OK)
    assert (call.started_at is None) == by_messages_alone


@pytest.mark.parametrize("as_message", [False, True])
def test_what_the_agent_was_told_first_is_kept_apart_from_its_task(as_message):
    parts = [{"type": "text", "content": "Never promise a date."}]
    asked = [{"role": "user", "parts": [{"type": "text", "content": TASK}]}]
    said = [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}]
    told = {"gen_ai.system_instructions": json.dumps(parts)}
    if as_message:
        asked, told = [{"role": "system", "parts": parts}, *asked], {}
    attributes = {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps(asked),
        "gen_ai.output.messages": json.dumps(said),
    }

    (run,) = understand([a_span(1, attributes={**attributes, **told})]).runs

    assert run.interaction.system_instructions == "Never promise a date."
    assert run.interaction.task == TASK

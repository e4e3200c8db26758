"""Any OpenAI-compatible chat endpoint, Azure's too, through the official client.

The client is given VerifyHub's own way out, and nothing of the environment: it would
read keys, organisations and whole headers from there and send them to any endpoint.
"""

from collections.abc import Mapping
from typing import Any

import httpx2
import openai

from verifyhub.engine.llm.endpoint import ChatEndpoint, Dialect
from verifyhub.engine.llm.messages import (
    ChatMessage,
    ChatRequest,
    MessageRole,
    RawCall,
    RawReply,
)
from verifyhub.engine.llm.wire import (
    MAX_CALLS,
    WireReply,
    a_count,
    a_list,
    a_text,
    an_object,
    arguments_text,
    load_object,
    sendable,
    unsendable,
)
from verifyhub.engine.ports import ModelError
from verifyhub.engine.text.tokens import word_set

AZURE_API_VERSION = "2024-10-21"
NO_KEY = "none"
# Endpoints write -9999 for "next to impossible"; a rounded 0 may lie above it.
MIN_LOGPROB, MAX_LOGPROB = -100_000.0, 0.001
SENT_HEADERS = word_set(
    "accept accept-encoding connection content-length content-type host user-agent"
)


class OpenAIWire:
    """Chat completions; see `Wire`."""

    # Without `max_tokens`, `max_completion_tokens` says the same to newer models.
    optional = frozenset({"temperature", "max_tokens", "logprobs"})

    def __init__(self, endpoint: ChatEndpoint) -> None:
        self._endpoint = endpoint

    def send(
        self, client: httpx2.Client, request: ChatRequest, omitted: frozenset[str]
    ) -> WireReply:
        body = self._body(request, omitted)
        return post(self._endpoint, client, "/chat/completions", body)

    def _body(self, request: ChatRequest, omitted: frozenset[str]) -> dict[str, Any]:
        limit = "max_completion_tokens" if "max_tokens" in omitted else "max_tokens"
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "messages": [_message(message) for message in request.messages],
            "temperature": request.temperature,
            limit: request.longest_reply(self._endpoint.max_output_tokens),
        }
        if request.logprobs:
            body["logprobs"] = True
        if request.tools:
            body["tools"] = [
                {"type": "function", "function": dict(tool)} for tool in request.tools
            ]
        if request.forced:
            function = {"name": request.forced}
            body["tool_choice"] = {"type": "function", "function": function}
        if request.schema is not None:
            schema = {
                "name": request.schema["name"],
                "strict": True,
                "schema": request.schema["parameters"],
            }
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        return {name: value for name, value in body.items() if name not in omitted}

    def read(self, body: bytes) -> RawReply:
        data = load_object(body)
        choices = a_list(data, "choices")
        if len(choices) != 1:
            raise ModelError("malformed", "the reply holds no single choice")
        choice = an_object(choices[0], "choice")
        message = an_object(choice.get("message"), "message")
        calls = a_list(message, "tool_calls")
        if len(calls) > MAX_CALLS:
            raise ModelError("malformed", f"the reply asks for over {MAX_CALLS} calls")
        ended = choice.get("finish_reason")
        usage = data.get("usage")
        logprob, tokens = _logprob(choice.get("logprobs"))
        return RawReply(
            text=a_text(message, "content"),
            calls=tuple(_call(call) for call in calls),
            is_cut=ended == "length",
            is_declined=ended == "content_filter" or bool(a_text(message, "refusal")),
            input_tokens=a_count(usage, "prompt_tokens"),
            output_tokens=a_count(usage, "completion_tokens"),
            logprob=logprob,
            logprob_tokens=tokens,
        )


def _logprob(logprobs: object) -> tuple[float | None, int | None]:
    """Add up the logarithms of a reply's tokens; nothing where one is no such number.

    Nobody needs them to read the reply, so what cannot be used is not malformed.
    """
    content = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(content, list) or not content:
        return None, None
    total = 0.0
    for token in content:
        value = token.get("logprob") if isinstance(token, dict) else None
        if not isinstance(value, int | float) or isinstance(value, bool):
            return None, None
        if not MIN_LOGPROB <= value <= MAX_LOGPROB:
            return None, None
        total += min(0.0, value)
    return total, len(content)


def post(
    endpoint: ChatEndpoint, client: httpx2.Client, path: str, body: Mapping[str, Any]
) -> WireReply:
    """Send a body through the official client, with nothing of the environment.

    Raises:
        ModelError: `unreachable` or `not_configured`.
    """
    key = endpoint.api_key or NO_KEY
    if endpoint.dialect == Dialect.AZURE:
        credentials = {"api-key": key}
    else:
        credentials = {"authorization": f"Bearer {key}"}

    def drop_other_headers(request: httpx2.Request) -> None:
        for name in set(request.headers) - {*SENT_HEADERS, *credentials}:
            del request.headers[name]

    client.event_hooks = {"request": [drop_other_headers]}
    try:
        response = _official(endpoint, client, key).post(
            path, cast_to=httpx2.Response, body=body, options={"headers": credentials}
        )
    except openai.APIStatusError as error:
        response = error.response
    except (httpx2.InvalidURL, UnicodeError) as error:
        raise unsendable() from error
    except (openai.OpenAIError, httpx2.HTTPError) as error:
        raise ModelError("unreachable", type(error).__name__) from error
    return WireReply(
        status=response.status_code, headers=response.headers, body=response.content
    )


def _official(endpoint: ChatEndpoint, client: httpx2.Client, key: str) -> openai.OpenAI:
    if endpoint.dialect == Dialect.AZURE:
        return openai.AzureOpenAI(
            azure_endpoint=endpoint.base_url,
            azure_deployment=endpoint.model,
            api_version=endpoint.api_version or AZURE_API_VERSION,
            api_key=key,
            max_retries=0,
            timeout=None,
            http_client=client,
        )
    return openai.OpenAI(
        base_url=endpoint.base_url,
        api_key=key,
        max_retries=0,
        timeout=None,
        http_client=client,
    )


def _message(message: ChatMessage) -> Mapping[str, Any]:
    text = sendable(message.text)
    if message.role == MessageRole.TOOL:
        return {"role": "tool", "tool_call_id": message.call_id, "content": text}
    if not message.tool_calls:
        return {"role": str(message.role), "content": text}
    # Templates of local servers parse the arguments again, and fail on broken ones.
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {
                "name": call.name,
                "arguments": "{}" if call.arguments is None else call.text or "{}",
            },
        }
        for call in message.tool_calls
    ]
    return {"role": str(message.role), "content": text or None, "tool_calls": calls}


def _call(value: object) -> RawCall:
    call = an_object(value, "tool call")
    function = an_object(call.get("function"), "function")
    return RawCall(
        id=a_text(call, "id"),
        name=a_text(function, "name"),
        text=arguments_text(function.get("arguments")),
    )

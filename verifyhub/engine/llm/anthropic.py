"""Anthropic's Messages API, spoken directly (docs/adr/0013).

Source: the API's reference, version 2023-06-01: forced `tool_choice`, content blocks,
stop reasons, usage with the cache's tokens counted apart.
"""

import json
from collections.abc import Iterable
from typing import Any

import httpx2

from verifyhub.engine.llm.endpoint import ChatEndpoint
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
    load_object,
    sendable,
    unsendable,
)
from verifyhub.engine.ports import ModelError

API_VERSION = "2023-06-01"
# Tokens written to and read from the endpoint's cache are part of the input.
INPUT_COUNTS = ("cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicWire:
    """The Messages API; see `Wire`."""

    optional = frozenset({"temperature"})

    def __init__(self, endpoint: ChatEndpoint) -> None:
        self._endpoint = endpoint

    def send(
        self, client: httpx2.Client, request: ChatRequest, omitted: frozenset[str]
    ) -> WireReply:
        base = self._endpoint.base_url.rstrip("/").removesuffix("/v1")
        body = self._body(request)
        try:
            response = client.post(
                f"{base}/v1/messages",
                json={name: body[name] for name in body if name not in omitted},
                headers={
                    "x-api-key": self._endpoint.api_key,
                    "anthropic-version": self._endpoint.api_version or API_VERSION,
                },
            )
        except (httpx2.InvalidURL, UnicodeError) as error:
            raise unsendable() from error
        except httpx2.HTTPError as error:
            raise ModelError("unreachable", type(error).__name__) from error
        return WireReply(
            status=response.status_code, headers=response.headers, body=response.content
        )

    def _body(self, request: ChatRequest) -> dict[str, Any]:
        system_texts = [
            m.text for m in request.messages if m.role == MessageRole.SYSTEM
        ]
        body: dict[str, Any] = {
            "model": self._endpoint.model,
            "max_tokens": request.longest_reply(self._endpoint.max_output_tokens),
            "temperature": request.temperature,
            "messages": _conversation(request.messages),
        }
        if system_texts:
            body["system"] = sendable("\n\n".join(system_texts))
        if request.tools:
            body["tools"] = [
                {
                    "name": tool["name"],
                    "description": tool.get("description", ""),
                    "input_schema": tool["parameters"],
                }
                for tool in request.tools
            ]
        if request.forced:
            body["tool_choice"] = {
                "type": "tool",
                "name": request.forced,
                "disable_parallel_tool_use": True,
            }
        return body

    def read(self, body: bytes) -> RawReply:
        data = load_object(body)
        if data.get("type") != "message":
            raise ModelError("malformed", "the reply is no message")
        blocks = [an_object(block, "block") for block in a_list(data, "content")]
        tool_uses = [block for block in blocks if block.get("type") == "tool_use"]
        if len(tool_uses) > MAX_CALLS:
            raise ModelError("malformed", f"the reply asks for over {MAX_CALLS} calls")
        texts = [
            a_text(block, "text") for block in blocks if block.get("type") == "text"
        ]
        usage = data.get("usage")
        return RawReply(
            text="".join(texts),
            calls=tuple(
                RawCall(
                    id=a_text(block, "id"),
                    name=a_text(block, "name"),
                    text=json.dumps(an_object(block.get("input"), "input")),
                )
                for block in tool_uses
            ),
            is_cut=data.get("stop_reason") in {"max_tokens", "pause_turn"},
            is_declined=data.get("stop_reason") == "refusal",
            input_tokens=_input_tokens(usage),
            output_tokens=a_count(usage, "output_tokens"),
        )


def _input_tokens(usage: object) -> int | None:
    plain = a_count(usage, "input_tokens")
    if plain is None:
        return None
    return plain + sum(a_count(usage, name) or 0 for name in INPUT_COUNTS)


def _conversation(messages: Iterable[ChatMessage]) -> list[dict[str, Any]]:
    """The messages in turns: results of parallel calls belong into one."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        if message.role == MessageRole.SYSTEM:
            continue
        role = "assistant" if message.role == MessageRole.ASSISTANT else "user"
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"].extend(_blocks(message))
        else:
            turns.append({"role": role, "content": _blocks(message)})
    return turns


def _blocks(message: ChatMessage) -> list[dict[str, Any]]:
    text = sendable(message.text)
    if message.role == MessageRole.TOOL:
        result = {"type": "tool_result", "tool_use_id": message.call_id}
        return [{**result, "content": text}]
    # The API refuses blocks of empty text.
    texts = [{"type": "text", "text": text}] if text.strip() else []
    return texts + [
        {
            "type": "tool_use",
            "id": call.id,
            "name": call.name,
            "input": json.loads(json.dumps(dict(call.arguments or {}))),
        }
        for call in message.tool_calls
    ]

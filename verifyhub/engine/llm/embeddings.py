"""Any OpenAI-compatible endpoint of embeddings, Azure's too."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import httpx2

from verifyhub.egress.policy import EgressPolicy
from verifyhub.engine.llm.endpoint import ChatEndpoint, Dialect
from verifyhub.engine.llm.exchange import Connection, Pause
from verifyhub.engine.llm.messages import (
    ChatMessage,
    ChatRequest,
    MessageRole,
    RawReply,
)
from verifyhub.engine.llm.openai import post
from verifyhub.engine.llm.wire import (
    WireReply,
    a_count,
    a_list,
    an_object,
    load_object,
    sendable,
)
from verifyhub.engine.ports import ModelError, ModelUsage

# Of one vector; no model has so many, and no index takes more.
MAX_NUMBERS = 4000
# What an endpoint cannot read it refuses; an empty text it must not embed at all.
NOTHING = " "
# Larger numbers have no direction left when they are squared and added.
MOST = 1e100


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Unit vectors in the order of the texts, and their usage."""

    vectors: tuple[tuple[float, ...], ...]
    usage: ModelUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingReply(RawReply):
    """A reply that holds vectors and no words."""

    vectors: tuple[tuple[float, ...], ...] = ()


class EmbeddingModel:
    """A model of embeddings at an endpoint."""

    def __init__(
        self, endpoint: ChatEndpoint, *, policy: EgressPolicy, pause: Pause = time.sleep
    ) -> None:
        """Bind an endpoint; asks nothing yet.

        Raises:
            ModelError: `not_configured`, if its dialect has no embeddings.
        """
        if Dialect(endpoint.dialect) == Dialect.ANTHROPIC:
            raise ModelError("not_configured", "this dialect has no embeddings")
        self._connection = Connection(
            endpoint=endpoint, policy=policy, pause=pause, wire=EmbeddingsWire(endpoint)
        )

    def embed(self, texts: Sequence[str]) -> Embedded:
        """Embed some texts in one request.

        Raises:
            ModelError: If there is no vector for each of them within the deadline.
        """
        request = ChatRequest(
            messages=tuple(
                ChatMessage(role=MessageRole.USER, text=text) for text in texts
            )
        )
        reply, usage = self._connection.ask(request, self._connection.deadline())
        vectors = reply.vectors if isinstance(reply, EmbeddingReply) else ()
        if len(vectors) != len(texts):
            raise ModelError(
                "malformed",
                f"{len(vectors)} vectors came for {len(texts)} texts",
                usage=usage,
            )
        return Embedded(vectors=vectors, usage=usage)


class EmbeddingsWire:
    """Embeddings of the messages of a request; see `Wire`."""

    optional: frozenset[str] = frozenset({"encoding_format"})

    def __init__(self, endpoint: ChatEndpoint) -> None:
        self._endpoint = endpoint

    def send(
        self, client: httpx2.Client, request: ChatRequest, omitted: frozenset[str]
    ) -> WireReply:
        body = {
            "model": self._endpoint.model,
            "input": [
                sendable(message.text) or NOTHING for message in request.messages
            ],
            "encoding_format": "float",
        }
        supported = {name: value for name, value in body.items() if name not in omitted}
        return post(self._endpoint, client, "/embeddings", supported)

    def read(self, body: bytes) -> EmbeddingReply:
        data = load_object(body)
        rows = [an_object(row, "embedding") for row in a_list(data, "data")]
        rows.sort(key=_place)
        return EmbeddingReply(
            text="",
            calls=(),
            # Where nothing is generated, what was read is all there is.
            input_tokens=a_count(data.get("usage"), "prompt_tokens"),
            output_tokens=0,
            vectors=tuple(_vector(row) for row in rows),
        )


def _place(row: Mapping[str, Any]) -> int:
    place = row.get("index", 0)
    return place if isinstance(place, int) else 0


def _vector(row: Mapping[str, Any]) -> tuple[float, ...]:
    """Read one vector and bring it to length 1.

    Raises:
        ModelError: `malformed`, for anything but a direction of sane numbers.
    """
    numbers = a_list(row, "embedding")
    if not 0 < len(numbers) <= MAX_NUMBERS or not all(map(_is_number, numbers)):
        raise ModelError("malformed", "an embedding in the reply is no vector")
    length = math.hypot(*numbers)
    if not length or not math.isfinite(length):
        raise ModelError("malformed", "an embedding in the reply has no direction")
    return tuple(number / length for number in numbers)


def _is_number(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) < MOST

"""The interface of dialects: write a request, and read a reply."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import httpx2

from verifyhub.common import strict_json
from verifyhub.egress.client import MAX_REPLY_BYTES
from verifyhub.engine.llm.messages import ChatRequest, RawReply
from verifyhub.engine.ports import ModelError

MAX_TOKENS_COUNTED = 10**15
MAX_CALLS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class WireReply:
    """An endpoint's HTTP response, of any status."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Wire(Protocol):
    """One dialect, bound to one endpoint.

    Attributes:
        optional: Parameters that some models refuse, in favour of their own choice or
            of another name, and that can be left out.
    """

    optional: frozenset[str]

    def send(
        self, client: httpx2.Client, request: ChatRequest, omitted: frozenset[str]
    ) -> WireReply:
        """Send one request.

        Args:
            client: The way out; not kept.
            request: What to ask.
            omitted: Parameters this endpoint has refused, to be left out.
        """

    def read(self, body: bytes) -> RawReply:
        """Convert a reply of status 200 from the dialect.

        Raises:
            ModelError: `malformed`.
        """


def load_object(body: bytes) -> dict[str, Any]:
    """Parse a reply's envelope strictly.

    Raises:
        ModelError: `malformed`, with the fault and none of the text.
    """
    try:
        data = strict_json.loads(body, max_bytes=MAX_REPLY_BYTES)
    except strict_json.StrictJSONError as error:
        raise ModelError("malformed", "the reply is no usable JSON") from error
    if not isinstance(data, dict):
        raise ModelError("malformed", "the reply is no JSON object")
    return data


def a_list(data: Mapping[str, Any], name: str) -> list[Any]:
    """Read a list that may be absent or null.

    Raises:
        ModelError: `malformed`.
    """
    value = data.get(name)
    if value is None:
        return []
    if not isinstance(value, list):
        raise ModelError("malformed", f"{name} in the reply is no list")
    return value


def an_object(value: object, name: str) -> dict[str, Any]:
    """Return a value that must be a JSON object.

    Raises:
        ModelError: `malformed`.
    """
    if not isinstance(value, dict):
        raise ModelError("malformed", f"{name} in the reply is no object")
    return value


def a_text(data: Mapping[str, Any], name: str) -> str:
    """Read a text that may be absent or null.

    Raises:
        ModelError: `malformed`.
    """
    value = data.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise ModelError("malformed", f"{name} in the reply is no text")
    return value


def a_count(data: object, name: str) -> int | None:
    """Read a count of tokens; None for anything but a number.

    A count is the endpoint's own word: one that no request can have is cut to the most
    that is read, which is still more than any was sent and asked for.
    """
    value = data.get(name) if isinstance(data, dict) else None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        return None
    return min(value, MAX_TOKENS_COUNTED)


def arguments_text(value: object) -> str:
    """Return the arguments of a call as JSON text; some endpoints send them parsed.

    Raises:
        ModelError: `malformed`, if they are neither text nor an object.
    """
    if isinstance(value, str):
        return value
    return json.dumps(an_object(value, "arguments"))


def unsendable() -> ModelError:
    """Return the error for a model name that cannot be written in a URL or in JSON."""
    return ModelError("not_configured", "the model's name cannot be sent")


def sendable(text: str) -> str:
    """Return text without lone surrogates, which no request can contain."""
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")

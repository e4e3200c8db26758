"""Models at the local server, as an operator would allow them."""

from typing import Any

from verifyhub.egress.policy import EgressPolicy, target_of
from verifyhub.engine.llm.endpoint import ChatEndpoint, ReplyMode
from verifyhub.engine.llm.models import WireModel, model_at

SECRET = "sk-not-to-be-shown-1"


def no_pause(_: float) -> None:
    """Retries need not wait in a test."""


def an_endpoint(base_url: str, **fields: Any) -> ChatEndpoint:
    values: dict[str, Any] = {
        "api_key": SECRET,
        "model": "m",
        "reply_mode": ReplyMode.FORCED_TOOL,
        "deadline_seconds": 5.0,
    }
    return ChatEndpoint(base_url=base_url, **(values | fields))


def allowing(base_url: str) -> EgressPolicy:
    target = target_of(base_url)
    return EgressPolicy(allowed=frozenset({(target.host, target.port)}))


def a_model_at(base_url: str, **fields: Any) -> WireModel:
    endpoint = an_endpoint(base_url, **fields)
    return model_at(endpoint, policy=allowing(base_url), pause=no_pause)

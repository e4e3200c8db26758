"""From an endpoint to something that can be asked."""

import time

from verifyhub.egress.policy import EgressPolicy
from verifyhub.engine.llm.chat import ChatModel
from verifyhub.engine.llm.endpoint import ChatEndpoint
from verifyhub.engine.llm.exchange import Connection, Pause
from verifyhub.engine.llm.model import WireModel


def model_at(
    endpoint: ChatEndpoint, *, policy: EgressPolicy, pause: Pause = time.sleep
) -> WireModel:
    """Return the model at an endpoint as a `Model`; asks nothing yet."""
    return WireModel(Connection(endpoint=endpoint, policy=policy, pause=pause))


def chat_at(
    endpoint: ChatEndpoint, *, policy: EgressPolicy, pause: Pause = time.sleep
) -> ChatModel:
    """Return the model at an endpoint for a conversation with tools."""
    return ChatModel(Connection(endpoint=endpoint, policy=policy, pause=pause))

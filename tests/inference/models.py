"""Local models for these tests, as a project or the operator would set them."""

import time
from typing import Any

from django.db import connection

from tests.model_server import ModelServer, a_call, send_json
from verifyhub.egress.policy import target_of
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.configure import ModelSettings
from verifyhub.inference.models import ModelEndpoint, TierModel
from verifyhub.inference.services import save_endpoint, set_tier

SECRET = "sk-never-to-be-seen-again"
USAGE = {"prompt_tokens": 1000, "completion_tokens": 10}


def whatever_is_forced(handler: Any, request: dict[str, Any]) -> None:
    """Answer the probe's question, and every other one with an empty object."""
    name = request["tool_choice"]["function"]["name"]
    arguments = {"total": 5} if name == "report_total" else {"x": 1}
    send_json(handler, a_call(arguments, name=name) | {"usage": USAGE})


def prose(handler: Any, _request: dict[str, Any]) -> None:
    """Never call anything."""
    message = {"role": "assistant", "content": "I think it is five."}
    send_json(handler, {"choices": [{"message": message, "finish_reason": "stop"}]})


def permitting(server: ModelServer, **fields: Any) -> ModelSettings:
    """Settings of an operator who lets projects call this server."""
    target = target_of(server.base_url)
    return ModelSettings(
        allow_private=frozenset({(target.host, target.port)}), **fields
    )


def a_project_model(project: Any, server: ModelServer, tier: Tier = Tier.MEDIUM) -> Any:
    """Give a project an endpoint with a key, and a tier that uses it."""
    endpoint = save_endpoint(
        project=project,
        values=ModelEndpoint(name="ours", base_url=server.base_url),
        key=SECRET,
        actor=None,
    )
    return set_tier(
        project=project,
        tier=tier,
        second=False,
        choice=TierModel(
            endpoint=endpoint,
            model="our-model",
            input_microdollars=1_000_000,
            output_microdollars=2_000_000,
        ),
        actor=None,
    )


def connections_held() -> int:
    """Return how many connections the test's database has, this one among them."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        )
        return int(cursor.fetchone()[0])


def held_at_last(most: int) -> int:
    """Wait until no more than `most` are left; PostgreSQL sees a closed one later."""
    for _ in range(100):
        if connections_held() <= most:
            break
        time.sleep(0.1)
    return connections_held()

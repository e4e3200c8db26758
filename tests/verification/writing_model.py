"""A model server that checks honestly and writes what a test says."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.model_server import (
    ModelServer,
    a_call,
    a_text,
    an_honest_submission,
    send_json,
)
from tests.stored import configured_model


@contextmanager
def writing(settings: Any, *texts: str) -> Iterator[ModelServer]:
    """Serve a medium model that writes these texts in turn, the last for ever."""
    left = [*texts]

    def respond(handler: Any, request: dict[str, Any]) -> None:
        if request.get("tool_choice"):
            send_json(handler, a_call(an_honest_submission(request)))
        else:
            text = left.pop(0) if len(left) > 1 else left[0]
            send_json(handler, a_text(text))

    with configured_model(settings, respond) as server:
        yield server


def written_requests(server: ModelServer) -> list[dict[str, Any]]:
    """The requests for a text, in order."""
    return [one for one in server.requests if not one.get("tool_choice")]

"""A local server that speaks the chat-completions protocol, with moods."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Respond = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


class ModelServer:
    """Where it listens, and every request body it was sent."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.requests: list[dict[str, Any]] = []


@contextmanager
def model_server(respond: Respond) -> Iterator[ModelServer]:
    """Serve on a free loopback port until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            request = json.loads(self.rfile.read(length))
            served.requests.append(request)
            respond(self, request)

        def log_message(self, *_: object) -> None:
            """Keep the test's output quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    served = ModelServer(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    )
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def send_json(
    handler: BaseHTTPRequestHandler, data: object, *, status: int = 200
) -> None:
    body = json.dumps(data).encode()
    handler.send_response(status)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def a_call(arguments: object, *, name: str = "submit_verification") -> dict[str, Any]:
    """A completion whose message is one tool call."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    function = {"name": name, "arguments": text}
    call = {"id": "call_1", "type": "function", "function": function}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "local",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}],
    }


def the_material(request: dict[str, Any]) -> dict[str, Any]:
    """What the user message of a request holds, without its nonce."""
    (document,) = json.loads(request["messages"][1]["content"]).values()
    return document


def an_honest_submission(request: dict[str, Any], **changes: object) -> dict[str, Any]:
    """What a sound verifier would submit, with some fields changed."""
    material = the_material(request)
    real = {*material["files_listed"], *material["names_found_in_full_output"]}
    names = material["names_to_judge"]
    return {
        "mentions": names,
        "verified": [name for name in names if name in real],
        "unverified": [name for name in names if name not in real],
        "gaps": [],
        "warnings": [],
        "confidence": 0.9,
        "completeness": 0.8,
        "reasoning": "Read and compared.",
        **changes,
    }

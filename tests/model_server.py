"""A local server that speaks the chat-completions protocol, with moods."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Respond = Callable[[BaseHTTPRequestHandler, dict[str, Any]], None]


class ModelServer:
    """Where it listens, and every request body it was sent."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        self.paths: list[str] = []


@contextmanager
def model_server(respond: Respond) -> Iterator[ModelServer]:
    """Serve on a free loopback port until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            request = json.loads(self.rfile.read(length))
            served.requests.append(request)
            served.headers.append(
                {name.lower(): value for name, value in self.headers.items()}
            )
            served.paths.append(self.path)
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
    send(handler, json.dumps(data).encode(), status=status)


def a_call(arguments: object, *, name: str = "") -> dict[str, Any]:
    """A completion whose message is one tool call.

    Without a name it is the tool that takes such arguments.
    """
    of_goal = isinstance(arguments, Mapping) and "goalAchieved" in arguments
    name = name or ("submit_goal_verification" if of_goal else "submit_verification")
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


def a_text(text: str, *, finish: str = "stop") -> dict[str, Any]:
    """A completion whose message is text."""
    message = {"role": "assistant", "content": text}
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def a_tool_use(*arguments: object, name: str = "submit_verification") -> dict[str, Any]:
    """A message of Anthropic's with one tool use for each of the arguments."""
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "content": [
            {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": one}
            for number, one in enumerate(arguments, 1)
        ],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 10, "output_tokens": 5},
    }


def replies(*script: Respond | object) -> Respond:
    """Play a script, a step for each request; its last step goes on for ever.

    A step is a function of handler and request, or data to be sent as JSON.
    """
    steps = list(script)

    def respond(handler: BaseHTTPRequestHandler, request: dict[str, Any]) -> None:
        step = steps.pop(0) if len(steps) > 1 else steps[0]
        if callable(step):
            step(handler, request)
        else:
            send_json(handler, step)

    return respond


def send(
    handler: BaseHTTPRequestHandler,
    body: bytes,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Send bytes as they are."""
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def failing(status: int, body: bytes = b"{}", **headers: str) -> Respond:
    """A step that answers with a status; `retry_after="3"` becomes a header."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, _: send(handler, body, status=status, headers=named)


def break_off(handler: BaseHTTPRequestHandler, _: dict[str, Any]) -> None:
    """A step that ends the connection in the middle of a body."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{")
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)


def the_material(request: dict[str, Any]) -> dict[str, Any]:
    """What the user message of a request holds, without its nonce."""
    told = request["messages"][-1]["content"]
    text = told if isinstance(told, str) else told[0]["text"]
    (document,) = json.loads(text).values()
    return document


def an_honest_submission(request: dict[str, Any], **changes: object) -> dict[str, Any]:
    """What a sound verifier would submit, with some fields changed.

    A question for the goal is answered soundly, too, and unchanged.
    """
    material = the_material(request)
    if "names_to_sort" in material:
        return an_honest_goal(material)
    real = {*material["files_read"], *material["names_found_in_full_output"]}
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


def an_honest_goal(material: Mapping[str, Any]) -> dict[str, Any]:
    """What a sound judge submits of a goal that was reached."""
    listed = material["names_listed"]
    return {
        "goalAchieved": True,
        "confidence": 0.9,
        "issues": [],
        "suggestions": [],
        "present": listed,
        "absent": [name for name in material["names_to_sort"] if name not in listed],
    }

"""The OpenAPI description of sending a transcript."""

from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
)

from verifyhub.common.api_schema import reply
from verifyhub.common.contract import CONTROLS, MAX_ID
from verifyhub.ingest.formats.transcripts import AUTO, format_names
from verifyhub.verification.api.bodies import TranscriptReplyBody
from verifyhub.verification.api.schemas import (
    BODY_PROBLEMS,
    IDEMPOTENCY_KEY,
    problems,
)
from verifyhub.verification.services.transcripts import MOST_WRITTEN

JSON = "application/json"
REPLY = reply(TranscriptReplyBody)
TEXTS = ("application/x-ndjson", "application/jsonl", "text/plain")
TRANSCRIPT_EXAMPLE: dict[str, Any] = {
    "messages": [
        {"role": "user", "content": "Which module parses dates?"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "list", "arguments": '{"path": "."}'},
                }
            ],
        },
        {
            "role": "tool",
            "tool_call_id": "call_1",
            "content": "calendar.py\ndates.py\n",
        },
        {"role": "assistant", "content": "`dates.py` does."},
    ]
}
REPLY_EXAMPLE: dict[str, Any] = {
    "format": "openai_chat",
    "understood": {"turns": 1, "answers": 1, "calls": 1, "outputs": 1},
    "not_mapped": [],
    "unfinished": None,
    "remaining": 0,
    "results": [
        {
            "id": "openai_chat-4f1f0f5e6f0b4f57:1-9a2b0d7b",
            "uuid": "0c5f0f5e-6f0b-4f57-9a2b-0d7b8d7d1a10",
            "status": 201,
            "links": {
                "self": "https://hub.example/api/v1/interactions/0c5f0f5e…/",
                "verdict": "https://hub.example/api/v1/interactions/0c5f0f5e…/verdict/",
                "page": "https://hub.example/p/acme/answers/0c5f0f5e…/",
            },
            "error": None,
        }
    ],
}


def _query(name: str, kind: Any, description: str, **more: Any) -> OpenApiParameter:
    return OpenApiParameter(
        name, kind, OpenApiParameter.QUERY, description=description, **more
    )


post_transcript = extend_schema(
    operation_id="postTranscript",
    tags=["transcripts"],
    summary="Send an agent's transcript as it is (scope: ingest)",
    description="Every turn that ended in an answer becomes an interaction and is"
    " verified. Sending a transcript again changes nothing; a longer version of it adds"
    f" its new turns. One request writes {MOST_WRITTEN} turns at most. The body may be"
    " packed with gzip; unpacked it must fit the limit of bodies.",
    parameters=[
        _query(
            "format",
            str,
            "The transcript's format; `auto` tells it from the content.",
            enum=[AUTO, *format_names()],
        ),
        OpenApiParameter(
            "session",
            {"type": "string", "maxLength": MAX_ID, "pattern": f"^[^{CONTROLS}]*$"},
            description="Your name for the session, instead of its own.",
        ),
        _query(
            "final",
            bool,
            "Nothing will be added to it: its last turn is over too. Matters for files"
            " that are written line by line.",
        ),
        _query("dry_run", bool, "Say what would become of each turn; store nothing."),
        OpenApiParameter(
            "Content-Encoding", str, OpenApiParameter.HEADER, enum=["gzip", "identity"]
        ),
        IDEMPOTENCY_KEY,
    ],
    request={
        JSON: {},
        **{kind: {"type": "string"} for kind in TEXTS},
    },
    examples=[
        OpenApiExample(
            "OpenAI messages", TRANSCRIPT_EXAMPLE, request_only=True, media_type=JSON
        ),
        OpenApiExample(
            "Codex, a line each",
            '{"type":"session_meta","payload":{"id":"s-1"}}\n{"type":"response_item",…}',
            request_only=True,
            media_type=TEXTS[0],
        ),
    ],
    responses={
        200: OpenApiResponse(REPLY, description="The preview of `dry_run=true`."),
        207: OpenApiResponse(
            REPLY,
            description="A result for each finished turn.",
            examples=[OpenApiExample("One turn", REPLY_EXAMPLE)],
        ),
        **problems(
            **BODY_PROBLEMS
            | {
                "s400": "It is no transcript that can be read; `errors` says where, or"
                " which parameter is wrong.",
                "s413": "The body is over the limit, packed or unpacked.",
                "s415": "The type of the body is none of the above, or it is packed in"
                " another way than gzip.",
            }
        ),
    },
)

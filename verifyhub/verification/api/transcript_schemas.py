"""The OpenAPI description of sending a transcript."""

from dataclasses import dataclass
from typing import Any, Literal

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiParameter,
    OpenApiResponse,
)

from verifyhub.common.api_bodies import operation
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import ContractModel, Reference
from verifyhub.ingest.formats.transcripts import AUTO, format_names
from verifyhub.verification.api.bodies import TranscriptReplyBody
from verifyhub.verification.api.schemas import (
    IDEMPOTENCY_KEY,
)
from verifyhub.verification.services.transcripts import MOST_WRITTEN

JSON = "application/json"
REPLY = reply(TranscriptReplyBody)
TEXTS = ("application/x-ndjson", "application/jsonl", "text/plain")


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptQuery(ContractModel):
    """How a transcript is read."""

    format: Literal[(AUTO, *format_names())] = AUTO  # type: ignore[valid-type]
    """Format of the transcript; `auto` detects it."""
    session: Reference = ""
    """Name of the session, instead of the one in the transcript."""
    final: bool = False
    """The transcript is complete, including its last turn. Set this for files that are
    written line by line."""
    dry_run: bool = False
    """Preview the result of each turn without storing anything."""


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


post_transcript = operation(
    "postTranscript",
    "Send an agent's transcript",
    scope="ingest",
    description="Each turn that ends in an answer becomes an interaction and is "
    "verified. Sending a transcript again changes nothing; a longer version adds its "
    f"new turns. One request stores at most {MOST_WRITTEN} turns. The body may be "
    "compressed with gzip; the size limit applies to the uncompressed body.",
    query=TranscriptQuery,
    parameters=[
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
    replies={
        200: OpenApiResponse(REPLY, description="The preview of `dry_run=true`."),
        207: OpenApiResponse(
            REPLY,
            description="A result for each finished turn.",
            examples=[OpenApiExample("One turn", REPLY_EXAMPLE)],
        ),
    },
    refusals={
        400: "The transcript or a parameter is invalid; `errors` says where.",
        413: "The body exceeds the size limit, compressed or uncompressed.",
        415: "The content type is not supported, or the compression is not gzip.",
    },
)

"""Endpoints of models: address, dialect and reply mode."""

from dataclasses import dataclass, field
from enum import StrEnum


class Dialect(StrEnum):
    """The protocol of an endpoint."""

    OPENAI = "openai"
    AZURE = "azure"
    ANTHROPIC = "anthropic"


class ReplyMode(StrEnum):
    """How an endpoint is made to reply in a given schema.

    `auto` probes the endpoint with one small call, and remembers the mode for the
    lifetime of the process.
    """

    FORCED_TOOL = "forced_tool"
    JSON_SCHEMA = "json_schema"
    AUTO = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatEndpoint:
    """An endpoint of a model.

    Attributes:
        base_url: For `openai` up to and without `/chat/completions`; for `azure` the
            resource, up to and without `/openai`; for `anthropic` up to and without
            `/v1/messages`.
        api_key: Sent in the dialect's own header; never logged, never in an error.
        model: The model's name there; for `azure` the deployment.
        deadline_seconds: For the whole exchange with all its repetitions, from asking
            for the host's address to the last byte.
        dialect: The protocol.
        api_version: `azure`: the query parameter; `anthropic`: the header. Empty: the
            adapter's default.
        reply_mode: How to ask for a structured reply.
        max_output_tokens: Most the model may write in one reply.
        input_microdollars_per_mtok: Price of a million tokens of input, in millionths
            of a US dollar; None where no price is known.
        output_microdollars_per_mtok: Likewise for output.
    """

    base_url: str
    api_key: str = field(default="", repr=False)
    model: str
    deadline_seconds: float = 60.0
    dialect: Dialect | str = Dialect.OPENAI
    api_version: str = ""
    reply_mode: ReplyMode | str = ReplyMode.AUTO
    max_output_tokens: int = 4096
    input_microdollars_per_mtok: int | None = None
    output_microdollars_per_mtok: int | None = None

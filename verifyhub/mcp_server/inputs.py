"""What the tools take; the hub looks at every field again."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

STRICT = ConfigDict(extra="forbid")


class ToolCall(BaseModel):
    """One call that the agent made, and everything it returned."""

    model_config = STRICT

    tool: str = Field(description="Its name.")
    input: dict[str, Any] = Field(default_factory=dict, description="Its arguments.")
    output: str = Field(default="", description="All it returned, whole and unchanged.")
    status: Literal["ok", "error", "refused", "unknown"] | None = None
    is_error: bool | None = Field(default=None, description="Short for a status.")
    id: str | None = None
    started_at: str | None = Field(default=None, description="ISO 8601.")
    duration_ms: float | None = None


class Agent(BaseModel):
    """Who answered."""

    model_config = STRICT

    name: str | None = None
    tier: Literal["small", "medium", "large"] | None = None
    role: str | None = None


class Source(BaseModel):
    """A text that the answer was written from."""

    model_config = STRICT

    text: str
    title: str | None = None
    url: str | None = None


Task = Annotated[str, Field(description="What the agent was asked.")]
Answer = Annotated[str, Field(description="What it answered, whole.")]
ToolCalls = Annotated[
    list[ToolCall],
    Field(
        description="Every tool call of the run, in order, with its whole output: the"
        " answer is held against these."
    ),
]
Session = Annotated[
    str,
    Field(description="Your name for this conversation or job; it keeps a memory."),
]

"""What the tools take; the hub looks at every field again."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from verifyhub.common.contract import Strict
from verifyhub.engine import types


class _Source(TypedDict):
    """A text that the answer was written from."""

    text: str
    title: NotRequired[str]
    url: NotRequired[str]


Source = Annotated[_Source, Strict()]
Task = Annotated[str, Field(description="The task of the agent.")]
Answer = Annotated[str, Field(description="What it answered, whole.")]
ToolCalls = Annotated[
    list[types.ToolCall],
    Field(
        description="Every tool call of the run, in order, with its whole output: the"
        " answer is held against these."
    ),
]
Session = Annotated[
    str,
    Field(description="Your name for this conversation or job; it keeps a memory."),
]

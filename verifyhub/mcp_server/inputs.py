"""Inputs of the tools; the hub validates every field again."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from verifyhub.common.contract import Strict
from verifyhub.engine import types


class _Source(TypedDict):
    """A source text of the answer."""

    text: str
    title: NotRequired[str]
    url: NotRequired[str]


Source = Annotated[_Source, Strict()]
Task = Annotated[str, Field(description="The task of the agent.")]
Answer = Annotated[str, Field(description="The complete answer.")]
ToolCalls = Annotated[
    list[types.ToolCall],
    Field(
        description="Every tool call of the run, in order, with its complete output. "
        "The answer is checked against these outputs."
    ),
]
Session = Annotated[
    str,
    Field(
        description="Your name of this conversation or job; memory is kept per session."
    ),
]

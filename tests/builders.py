"""Engine values with dull defaults: a test states only what matters to it."""

from typing import Any

from verifyhub.engine import pipeline
from verifyhub.engine.pipeline import Judges, VerificationRequest
from verifyhub.engine.ports import Model
from verifyhub.engine.types import CallStatus, Interaction, ToolCall
from verifyhub.engine.verdicts import VerificationReport


def a_tool_call(
    tool: str = "bash",
    data: dict[str, Any] | None = None,
    output: str = "",
    *,
    status: CallStatus = CallStatus.UNKNOWN,
    index: int = 0,
) -> ToolCall:
    """Return one tool call; `an_interaction` numbers the calls it is given."""
    return ToolCall(
        index=index, tool=tool, input=data or {}, output=output, status=status
    )


def a_read(path: str = "src/app.py", content: str = "x = 1\n") -> ToolCall:
    """Return a successful read that shows the path and the content."""
    return a_tool_call("Read", {"file_path": path}, f"{path}\n{content}")


def a_command(command: str = "ls", output: str = "") -> ToolCall:
    """Return a shell call with what it printed."""
    return a_tool_call("Bash", {"command": command}, output)


def an_interaction(
    answer: str = "Done.",
    *calls: ToolCall,
    task: str = "Look at the project.",
    **more: Any,
) -> Interaction:
    """Return an interaction whose calls are numbered in their order."""
    numbered = tuple(
        ToolCall(
            index=index,
            tool=call.tool,
            input=call.input,
            output=call.output,
            status=call.status,
        )
        for index, call in enumerate(calls)
    )
    return Interaction(task=task, answer=answer, tool_calls=numbered, **more)


def verify(
    interaction: Interaction, *, model: Model | None = None, **request: Any
) -> VerificationReport:
    """Verify a run with fields of `VerificationRequest`; `model` is the only judge."""
    if model is not None:
        request["judges"] = Judges(model=model)
    return pipeline.verify(VerificationRequest(interaction, **request))

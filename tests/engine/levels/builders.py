"""Runs that write files, and what was claimed of them."""

import hashlib
from typing import Any

from tests.builders import a_tool_call, an_interaction, verify
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.reports import CheckResult
from verifyhub.engine.types import CallStatus, ToolCall
from verifyhub.engine.verdicts import VerificationReport

OK = CallStatus.OK


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def a_write(path: str, content: str, *, status: CallStatus = OK) -> ToolCall:
    data = {"file_path": path, "content": content}
    return a_tool_call("Write", data, "Wrote the file.", status=status)


def an_edit(path: str, old: str, new: str) -> ToolCall:
    data = {"file_path": path, "old_string": old, "new_string": new}
    return a_tool_call("Edit", data, "Edited the file.", status=OK)


def a_deletion(path: str) -> ToolCall:
    return a_tool_call("delete_file", {"path": path}, "Deleted.", status=OK)


def a_shell_call(command: str, output: str = "") -> ToolCall:
    return a_tool_call("Bash", {"command": command}, output, status=OK)


def wrote(path: str, content: str) -> dict[str, Any]:
    return {"type": "file-write", "path": path, "sha256": sha256(content)}


def a_block(*claims: Any, **more: Any) -> dict[str, Any]:
    """Return a block whose structure is right, unless `more` spoils it."""
    return {"summary": "Did it.", "traceRef": "trace:1", "claims": [*claims], **more}


def report_of(
    *calls: ToolCall, block: Any = None, inputs: LevelInputs | None = None, **more: Any
) -> VerificationReport:
    run = an_interaction("Done.", *calls, structured_output=block, **more)
    return verify(run, level_inputs=inputs or LevelInputs())


def level(report: VerificationReport, number: int) -> CheckResult:
    start = f"level_{number}_"
    return next(check for check in report.checks if check.name.startswith(start))


def ruling(claim: dict[str, Any], *calls: ToolCall, **more: Any) -> dict[str, Any]:
    """Return what level 3 said of a single claim."""
    found = level(report_of(*calls, block=a_block(claim), **more), 3)
    return dict(found.details["claims"][0])

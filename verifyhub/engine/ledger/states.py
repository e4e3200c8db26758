"""How a call ended: from its status, and from what its output says of itself."""

import re
from enum import StrEnum

from verifyhub.engine.ledger.registry import ToolKind
from verifyhub.engine.types import CallStatus, ToolCall


class CallState(StrEnum):
    """How a call ended.

    `failed` ran to its end and returned an exit status other than 0: what it printed
    is still an observation. `error` never did its work, `refused` was not allowed to.
    """

    OK = "ok"
    FAILED = "failed"
    ERROR = "error"
    REFUSED = "refused"
    UNKNOWN = "unknown"


_HEAD = 400
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed|take this action)"
    r"|The tool use was rejected"
    r"|Permission to use [\w-]{1,60} with [^\n]{0,2000}has been denied"
    r"|Permission (?:to use [\w-]{1,60} )?(?:has been )?denied by"
    r"|\[Request interrupted by user"
    r"|(?:User|Operator) (?:rejected|refused|denied|declined)"
    r"|(?:rejected|denied|declined|aborted) by (?:the )?user"
    r"|command (?:was )?(?:not approved|rejected)"
)
_ERROR = re.compile(
    r"\s*(?:<tool_use_error>|<error>"
    r"|(?:Tool )?(?:Error|ERROR)(?: executing| calling| reading| running)?\b"
    r"[^\n]{0,80}:"
    r"|(?:ENOENT|EACCES|EISDIR|ENOTDIR|EPERM)\b|File (?:does not exist|not found)"
    r"|No such file or directory|Traceback \(most recent call last\)"
    r"|(?:Unknown|Invalid|No such) (?:tool|skill|function)\b"
    r"|File has not been read yet|String to replace not found"
    r"|InputValidationError\b|\[?Error\]?:)"
)
_EXIT = re.compile(
    r"(?:[Ee]xit(?:ed)?(?: with)?[ _-]?(?:code|status)|Process exited with code"
    r"|exit_code\"?|returncode\"?)[ =:]{0,3}(-?\d{1,5})"
)


def exit_status(output: str) -> int | None:
    """Return the exit status that the tool's own frame states, if it does."""
    for part in (output[:_HEAD], output[-_HEAD:]):
        match = _EXIT.search(part)
        if match:
            return int(match.group(1))
    return None


def call_state(call: ToolCall, kind: ToolKind) -> CallState:
    """Say how a call ended."""
    head = call.output[:_HEAD]
    if call.status is CallStatus.REFUSED or _REFUSED.search(head):
        return CallState.REFUSED
    ran = kind is ToolKind.SHELL or kind is ToolKind.OTHER
    status = exit_status(call.output) if ran else None
    if call.status is CallStatus.ERROR:
        spoke = status is not None or not _ERROR.match(head)
        return CallState.FAILED if ran and spoke else CallState.ERROR
    if status:
        return CallState.FAILED
    if call.status is CallStatus.OK or status == 0:
        return CallState.OK
    if kind is not ToolKind.SHELL and _ERROR.match(head):
        return CallState.ERROR
    return CallState.UNKNOWN

"""How a call ended: by its status, and by its output."""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from verifyhub.engine.calls.inputs import json_object
from verifyhub.engine.calls.tools import CHANGERS, ToolKind
from verifyhub.engine.types import CallStatus, ToolCall


class CallState(StrEnum):
    """How a call ended.

    `failed` ran to its end and returned an exit status other than 0: its output is
    still an observation. `error` did not do its work, `refused` was not allowed to.
    """

    OK = "ok"
    FAILED = "failed"
    ERROR = "error"
    REFUSED = "refused"
    UNKNOWN = "unknown"


_HEAD = 400
_REFUSED = re.compile(
    r"The user doesn['’]t want to (?:proceed|take this action)"
    r"|The tool use was rejected"
    r"|Permission to use [\w-]{1,60} with [^\n]{0,2000}has been denied"
    r"|Permission (?:to use [\w-]{1,60} )?(?:has been )?denied by"
    r"|\[Request interrupted by user"
    r"|(?:User|Operator) (?:rejected|refused|denied|declined)"
    r"|(?:rejected|denied|declined|aborted) by (?:the )?user"
    r"|command (?:was )?(?:not approved|rejected)"
)
# Other wordings only count at the beginning of the output.
_REFUSED_AT_START = re.compile(
    r"\s*+(?:the )?(?:user (?:doesn['’]t want|rejected|denied|refused|declined)"
    r"|tool (?:use|call) (?:was )?(?:rejected|denied)|permission to use"
    r"|command (?:was )?(?:rejected|denied))",
    re.IGNORECASE,
)
# The expressions only match texts with one of these.
_REFUSAL_CUES = (
    "reject", "denied", "refused", "declined", "aborted", "interrupted by", "doesn",
    "approved", "permission to",
)  # fmt: skip
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
# Messages about a failed change of a file are at the beginning.
_NOT_CHANGED = re.compile(
    r"\s*+(?:error\b|failed\b|SearchReplace\w+:|permission denied|no replacement"
    r"|old_str(?:ing)? |string to replace|file has not been read|no such file"
    r"|invalid |\(?no changes\b)",
    re.IGNORECASE,
)
# The same inside the first line, if it is a sentence and not code: "apply_patch
# verification failed", "Could not find the text in a.py", "The patch does not apply".
_NOT_CHANGED_WITHIN = re.compile(
    r"\s*+(?!\d|[-+@]{2,3} |(?:the )?(?:file|edit|patch|changes?)?[^\n]{0,200}?"
    r"\b(?:has been|have been|was|were|is now) (?:successfully )?"
    r"(?:updated|edited|created|applied|written|modified|saved))"
    r"(?=[\[(]?[A-Za-z])[^\n(){};=]{0,200}?\b(?:(?:verification|validation) failed"
    r"|failed(?::| to\b| with\b)|patch failed"
    r"|(?:could|can|did|do(?:es)?)(?:n['’]t| ?not) (?:be )?(?:find|found|match|apply"
    r"|applied|appear|exist|locate|edit|write|open|modif|update|parse)"
    r"|unable to|(?:was |were )?not (?:found|applied|unique|modified|changed|allowed)"
    r"|no (?:match(?:es)?|changes?|occurrences?) (?:was |were )?(?:found|made|for|of)"
    r"|permission denied|read-only)",
    re.IGNORECASE,
)
# A status with one of these is the call's own; "cancelled" may be that of an order.
_REFUSING_STATUS = frozenset({"error", "fail", "failed", "failure", "rejected"})
# The fields of a reply that only reports errors (GraphQL, REST).
_ERROR_KEYS = frozenset({"errors", "data", "message", "status", "code", "extensions"})
_ANSWERING = CHANGERS | {ToolKind.OTHER, ToolKind.NOTE}
_JSON_LIMIT = 100_000
# The exit status of a command in agents' frames, each on a separate line; the message
# of a task runner about a failed script is not the status of the call.
_EXITS = tuple(
    re.compile(text, re.IGNORECASE | re.MULTILINE)
    for text in (
        r"^<?exit(?:ed)?(?: with)?(?: exit)?[ _](?:code|status):? {0,2}(-?\d{1,5})>?$",
        r"^(?:command|process) (?:failed|exited|finished|completed)"
        r"(?: with)? (?:exit )?(?:code|status):? ?(-?\d{1,5})",
        r"^\[?(?:the )?command (?:completed|finished|failed) with exit"
        r" (?:code|status) (-?\d{1,5})",
        r"<(?:returncode|exit_code|exit-code)>(-?\d{1,5})</",
        r"\"?(?:exit_code|exitCode|returncode|return_code)\"?[:=] ?(-?\d{1,5})\b",
    )
)
_EXIT_WINDOW = 600


def exit_status(output: str) -> int | None:
    """Return the exit status in the tool's own frame, if there is one."""
    windows = [output[:_EXIT_WINDOW]]
    if len(output) > _EXIT_WINDOW:
        windows.append(output[-_EXIT_WINDOW:])
    for text in windows:
        lowered = text.lower()
        if "code" not in lowered and "status" not in lowered:
            continue  # Without one of these words none of the expressions can match.
        for pattern in _EXITS:
            match = pattern.search(text)
            if match:
                return int(match[1])
    return None


def says_refused(head: str) -> bool:
    """Return whether the beginning of an output says that the call was not allowed."""
    lowered = head.lower()
    if not any(cue in lowered for cue in _REFUSAL_CUES):
        return False
    return bool(_REFUSED.search(head) or _REFUSED_AT_START.match(head))


def _says_undone(output: str, kind: ToolKind) -> bool:
    """Return whether a tool that changes something says that it did not.

    Tools that read, run or fetch may return the same words as data.
    """
    fields: Mapping[str, Any] = {}
    if kind in _ANSWERING and len(output) <= _JSON_LIMIT:
        fields = json_object(output) or {}
    if _is_refusal(fields):
        return True
    head = str(fields.get("output", output))[:_HEAD]
    if kind not in CHANGERS or "success" in head:
        return False
    return bool(_NOT_CHANGED.match(head) or _NOT_CHANGED_WITHIN.match(head))


def _is_refusal(data: Mapping[str, Any]) -> bool:
    """Return whether a JSON answer says that the request was not carried out."""
    if any(data.get(key) is False for key in ("success", "ok", "succeeded")):
        return True
    if data.get("isError") is True or data.get("is_error") is True:
        return True
    if data.get("success") is True or data.get("ok") is True:
        return False
    if data.get("error") and isinstance(data["error"], str | dict):
        return True
    if data.get("errors") and not data.keys() - _ERROR_KEYS:
        return not data.get("data")
    status = data.get("status")
    if isinstance(status, int) and not isinstance(status, bool):
        return 400 <= status < 600
    return isinstance(status, str) and status.lower() in _REFUSING_STATUS


def call_state(
    call: ToolCall, kind: ToolKind, status: int | None, *, runs: bool
) -> CallState:
    """Return how a call ended.

    Args:
        call: The call.
        kind: The kind of its tool.
        status: The exit status in its output (`exit_status`), if any.
        runs: Whether it ran a command, or a tool with unknown effects.
    """
    head = call.output[:_HEAD]
    if call.status is CallStatus.REFUSED or says_refused(head):
        return CallState.REFUSED
    if call.status is CallStatus.ERROR:
        spoke = status is not None or not _ERROR.match(head)
        return CallState.FAILED if runs and spoke else CallState.ERROR
    if status:
        return CallState.FAILED
    if _says_undone(call.output, kind):
        # A long answer contains more than the reason: it reports what was tried.
        long = kind is ToolKind.OTHER and len(call.output) > _HEAD
        return CallState.FAILED if long else CallState.ERROR
    if call.status is CallStatus.OK or status == 0:
        return CallState.OK
    if kind is not ToolKind.SHELL and _ERROR.match(head):
        return CallState.ERROR
    return CallState.UNKNOWN

"""Settle what a whole call ran: printed result first, then exit status, then silence.

The name of the tool decides nothing (amd/gaia #3732 judged by it and accused honest
runs); only tools that show stored text are left out, because a README that says
"5 passed" ran nothing.
"""

import json
import re
from dataclasses import replace

from verifyhub.engine.ledger.outcomes.model import Exit, Outcome, Result, RunKind
from verifyhub.engine.ledger.outcomes.printed import printed_outcomes
from verifyhub.engine.ledger.outcomes.tasks import Part, command_kinds, split_command
from verifyhub.engine.types import CallStatus, ToolCall

# How agents print the exit status of a command they ran.
_EXITS = tuple(
    re.compile(text, re.IGNORECASE | re.MULTILINE)
    for text in (
        r"^exit (?:code|status):? {0,2}(-?\d{1,5})$",
        r"^(?:command|process) (?:failed|exited|finished|completed)"
        r"(?: with)? (?:exit )?(?:code|status):? ?(-?\d{1,5})",
        r"^\[?(?:the )?command (?:completed|finished|failed) with exit"
        r" (?:code|status) (-?\d{1,5})",
        r"<(?:returncode|exit_code|exit-code)>(-?\d{1,5})</",
        r"\"?(?:exit_code|exitCode|returncode|return_code)\"?[:=] ?(-?\d{1,5})\b",
    )
)
# Without one of these words none of the expressions can match.
_EXIT_CUES = ("code", "status")
_EXIT_WINDOW = 600
_BACKGROUND = re.compile(
    r"running in (?:the )?background|started in (?:the )?background"
    r"|background (?:job|process|task|command) (?:started|id)",
    re.IGNORECASE,
)
_READERS = frozenset(
    [
        "read",
        "view",
        "cat",
        "open",
        "grep",
        "glob",
        "search",
        "find",
        "list",
        "ls",
        "fetch",
        "webfetch",
        "websearch",
        "todo",
        "todowrite",
        "skill",
        "lsp",
        "editor",
        "edit",
        "write",
        "multiedit",
        "str_replace",
        "create",
    ]
)
_NAME_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_LOG_PATH = re.compile(r"\.(?:log|out|output|txt)$|/tmp/|/tasks/", re.IGNORECASE)
_SHOWING = frozenset(
    [
        "cat",
        "head",
        "tail",
        "grep",
        "rg",
        "egrep",
        "sed",
        "awk",
        "less",
        "more",
        "git",
        "gh",
        "find",
        "ls",
        "wc",
        "jq",
        "diff",
    ]
)
_TROUBLE = re.compile(
    r"^[^\n]{0,200}\b(?:error|failed|failure|fatal|panic|traceback)\b",
    re.IGNORECASE | re.MULTILINE,
)
# `$ tsc --noEmit` (bun, yarn, mise), `> tsc --noEmit` (npm, pnpm).
_ECHO = re.compile(r"^(?:\[[\w:.-]{1,40}\] )?[$>] ([a-z][^\n]{2,200})$", re.MULTILINE)
_ECHO_LIMIT = 50
_REFUSAL = re.compile(
    r"\s*(?:the )?(?:user (?:doesn['’]t want|rejected|denied|refused|declined)"
    r"|tool (?:use|call) (?:was )?(?:rejected|denied)|permission (?:to use|denied)"
    r"|command (?:was )?(?:rejected|denied))",
    re.IGNORECASE,
)
_TO_FILE = re.compile(r"(?<![0-9&])(?:1|&)?>{1,2}\s*(?!&)\S|&>")


def read_exit(call: ToolCall) -> Exit:
    """Return the exit status of a call, from its status or from what it printed."""
    if call.status in {CallStatus.ERROR, CallStatus.REFUSED}:
        return Exit.NONZERO
    for text in (call.output[:_EXIT_WINDOW], call.output[-_EXIT_WINDOW:]):
        lowered = text.lower()
        for pattern in _EXITS if any(cue in lowered for cue in _EXIT_CUES) else ():
            match = pattern.search(text)
            if match:
                return Exit.ZERO if int(match[1]) == 0 else Exit.NONZERO
    return Exit.ZERO if call.status is CallStatus.OK else Exit.UNKNOWN


def _is_editor_verb(value: str, call: ToolCall) -> bool:
    """Return whether `command` is a verb of a file editor: `create` with a `path`."""
    single = value.replace("_", "").isalpha()
    return single and bool({"path", "file_path"} & call.input.keys())


def command_of(call: ToolCall) -> str:
    """Return the command line a call ran, or "" if it ran none."""
    for key in ("command", "cmd", "script", "code"):
        value = call.input.get(key)
        if isinstance(value, str):
            return "" if _is_editor_verb(value, call) else value
        if isinstance(value, list):
            words = [word for word in value if isinstance(word, str)]
            shell = len(words) > 2 and words[1] in {"-c", "-lc"}
            return words[2] if shell else " ".join(words)
    return ""


def is_background(call: ToolCall) -> bool:
    """Return whether a call only started something and did not wait for it."""
    if call.input.get("run_in_background") is True:
        return True
    return len(call.output) < _EXIT_WINDOW and bool(_BACKGROUND.search(call.output))


def was_refused(call: ToolCall) -> bool:
    """Return whether somebody refused the call, so that nothing ran."""
    return call.status is CallStatus.REFUSED or bool(_REFUSAL.match(call.output))


def shows_stored_text(call: ToolCall) -> bool:
    """Return whether a call shows what is stored, not what ran.

    A log is the record of a run and counts as one.
    """
    command = command_of(call)
    if command:
        programs = {part.words[0].rsplit("/", 1)[-1] for part in split_command(command)}
        stored = programs <= {*_SHOWING, "cd", "echo"} and "commit" not in command
        return stored and not _LOG_PATH.search(command)
    path = call.input.get("file_path") or call.input.get("path") or ""
    if isinstance(path, str) and _LOG_PATH.search(path):
        return False
    words = {word.lower() for word in _NAME_PARTS.findall(call.tool)}
    return bool(words & _READERS)


def call_outcomes(call: ToolCall) -> tuple[Outcome, ...]:
    """Return how every kind of run in a call ended; empty if it ran nothing known."""
    if shows_stored_text(call) or was_refused(call):
        return ()
    printed = {} if is_background(call) else _printed(call)
    parts = split_command(command_of(call))
    asked: dict[RunKind, int] = {}
    for position, part in enumerate(parts):
        for kind in command_kinds(part.words):
            asked[kind] = position
    settled = dict(printed)
    for kind, position in asked.items():
        if kind not in settled:
            settled[kind] = _silent(call, kind, parts, position, printed)
    for kind in _echoed(call):
        # A script that shows its commands and goes on: this one ended well.
        if kind not in settled and read_exit(call) is not Exit.NONZERO:
            settled[kind] = Outcome(kind=kind, result=Result.PASSED)
    return tuple(_by_exit(call, item, asked) for item in settled.values())


def _echoed(call: ToolCall) -> tuple[RunKind, ...]:
    """Return the kinds of the commands that a task runner shows as it runs them."""
    kinds: dict[RunKind, None] = {}
    for count, match in enumerate(_ECHO.finditer(call.output)):
        if count == _ECHO_LIMIT:
            break
        for part in split_command(match[1]):
            kinds.update(dict.fromkeys(command_kinds(part.words)))
    return tuple(kinds)


def _printed(call: ToolCall) -> dict[RunKind, Outcome]:
    text = call.output
    inner = _inner(text) if text.startswith("{") else text
    found = printed_outcomes(inner)
    if inner is not text:  # Places in the unwrapped text are not places in the output.
        found = tuple(replace(outcome, span=None) for outcome in found)
    return {outcome.kind: outcome for outcome in found}


def _inner(text: str) -> str:
    """Take the printed text out of a JSON envelope (Codex, MCP servers)."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for key in ("output", "stdout", "result", "text"):
        if isinstance(data, dict) and isinstance(data.get(key), str):
            return str(data[key])
    return text


def _by_exit(call: ToolCall, outcome: Outcome, asked: dict[RunKind, int]) -> Outcome:
    """Let a non-zero exit overrule a pass when nothing else ran in the call."""
    if outcome.result is not Result.PASSED or read_exit(call) is not Exit.NONZERO:
        return outcome
    if set(asked) - {outcome.kind} or len(split_command(command_of(call))) > 1:
        return outcome
    return Outcome(kind=outcome.kind, result=Result.FAILED, tool=outcome.tool)


def _silent(
    call: ToolCall,
    kind: RunKind,
    parts: tuple[Part, ...],
    position: int,
    printed: dict[RunKind, Outcome],
) -> Outcome:
    """Settle a run whose output has no known wording."""
    result = _silent_result(call, parts, position, printed)
    return Outcome(kind=kind, result=result, tool=parts[position].words[0])


def _silent_result(
    call: ToolCall,
    parts: tuple[Part, ...],
    position: int,
    printed: dict[RunKind, Outcome],
) -> Result:
    if is_background(call):
        return Result.UNSEEN
    part = parts[position]
    hidden = part.joined in {"|", "||", ";"} and position < len(parts) - 1
    redirected = bool(_TO_FILE.search(part.text.replace("2>&1", "")))
    if redirected and hidden:
        return Result.UNSEEN
    code = read_exit(call)
    later_ran = any(item.result is not Result.FAILED for item in printed.values())
    if code is Exit.NONZERO and not hidden:
        return Result.PASSED if part.joined == "&&" and later_ran else Result.FAILED
    if code is Exit.NONZERO or (hidden and _TROUBLE.search(call.output)):
        return Result.UNCLEAR
    return Result.PASSED

"""Whether a call that claims nothing of its end failed, by its program's own words."""

import re

from verifyhub.engine.calls.call import LedgerCall
from verifyhub.engine.calls.outcomes import Exit, exit_of
from verifyhub.engine.text.tokens import word_set

# What goes before the work itself, and says nothing of how it ended.
_PREPARES = word_set("cd export source set mkdir pushd sleep")
# Notes that programs put behind their last word.
_NOTE = re.compile(r"^(?:\[notice\]|npm notice|WARNING\b|\s*$|npm (?:ERR!|error)\s*$)")
_OWN_WORDS = re.compile(
    r"^(?:fatal|error|ERROR|Error|E|npm ERR!|npm error|pip)(?::|\s(?=Missing|code"
    r"|[A-Z\d]))\s*\S"
    r"|^(?:[A-Za-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception)(?:: |$)"
    r"|^npm (?:ERR!|error) "
    r"|^nothing (?:to commit|added to commit)|^no changes added to commit"
)
_REFUSAL = re.compile(
    r"\b(?:cannot|can['’]t|could not|couldn['’]t|no such file|permission denied"
    r"|not found|failed|unable to|not permitted)\b",
    re.IGNORECASE,
)
_TAIL = 4_000


def failed(entry: LedgerCall) -> bool:
    """Return whether a call did not do its work.

    Either its exit says so, or the last line it printed is its program's own error:
    frames of agents often drop the exit status of a shell. A line of several commands
    may end in the error of another one; there only the exit counts.
    """
    return exit_of(entry) is Exit.NONZERO or _says_failed(entry)


def _says_failed(entry: LedgerCall) -> bool:
    fed = [False, *(part.joined == "|" for part in entry.parts)]
    parts = [
        part
        for part, filters in zip(entry.parts, fed, strict=False)
        if not filters and part.words[0] not in _PREPARES
    ]
    parts = [part for part in parts if part.program != "git add"] or parts
    if len(parts) != 1 or entry.exit_status == 0:
        return False
    last = _last_line(entry.call.output)
    if _OWN_WORDS.search(last):
        return True
    program = parts[0].program.split(" ")[0]
    own = last.startswith(f"{program}: ") or f"/{program}: " in last[:200]
    return own and bool(_REFUSAL.search(last))


def _last_line(output: str) -> str:
    lines = output[-_TAIL:].rstrip().splitlines()
    for line in reversed(lines[-20:]):
        if not _NOTE.match(line):
            return line.strip()[:1_000]
    return ""

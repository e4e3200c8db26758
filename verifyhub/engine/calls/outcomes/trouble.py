"""Signs in an output of a run without a result: never started, aborted, truncated.

Only read if no tool's own wording of a result was found. Every expression is anchored
at the beginning of a line or reads limited pieces, in linear time.
"""

import re

from verifyhub.engine.calls.programs import RunKind

# The last words of a run are near the ends of its output.
_WINDOW = 8_000
_LAST_LINES = 10
# Messages of a shell, an interpreter or a task runner about a command that it could not
# run, or a process that crashed: each on a separate line.
_BROKEN = re.compile(
    r"^(?:"
    r"(?:[\w./-]{1,60}: ){0,3}(?:line )?(?:\d{1,6}: )?[\w@./-]{1,80}: (?:command )?"
    r"not found$"
    r"|(?:zsh: )?command not found: \S"
    r"|(?:[\w./-]{1,60}: ){1,4}(?:No such file or directory|Permission denied"
    r"|cannot execute\b)"
    r"|(?:\S{1,200}: )?No module named \S"
    r"|(?:\S{1,200}: )?can't open file \S"
    r"|'[^'\n]{1,80}' is not recognized as an? "
    r"|(?:Error: )?Cannot find module '"
    r"|ImportError while loading conftest\b|INTERNALERROR> "
    r"|(?:ERROR: )?(?:file or directory not found|usage): \S{0,80}(?: \[options\])?"
    r"|(?:\S{1,60}: )?error: (?:unrecognized arguments|could not compile\b"
    r"|no such (?:sub)?command\b|could not find `)"
    r"|npm (?:ERR!|error) |\s{0,4}ELIFECYCLE\b|ERR_PNPM_"
    r"|error Command failed with |error Command \"[^\"\n]{1,80}\" not found"
    r"|error: (?:Script not found|Missing script|script) \"|error: Recipe `"
    r"|g?make(?:\[\d{1,3}\])?: \*\*\* "
    r"|go: (?:cannot find|no such tool|go\.mod file not found|\S{1,80}: no )"
    r"|panic: |fatal error: |fatal: "
    r"|(?:[\w./-]{0,80}: ){0,2}(?:line \d{1,6}: )?(?:\d{1,7} )?"
    r"(?:Segmentation fault|Bus error|Aborted"
    r"|Illegal instruction|Floating point exception|Killed)"
    r"(?:: \d{1,3})?(?: \(core dumped\))?(?:[ \t]{1,40}\S.{0,200})?$"
    r"|(?:Fatal Python error|FATAL ERROR): "
    r"|(?:[\w.]{1,100}\.)?[A-Z]\w{0,60}(?:Error|Exception)(?:: .{0,300})?\Z"
    r")",
    re.MULTILINE,
)
# A page of help that was asked for begins as a wrong use does, and lists its options.
_HELP = re.compile(r"^ {1,8}(?:-h, )?--help {2,40}\S", re.MULTILINE)
_USAGE = re.compile(r"^usage: ", re.MULTILINE)
# Node prints the place in its own code, a line of it, and what was thrown.
_CRASHED = re.compile(
    r"^(?:node:)?internal/[\w/.-]{1,80}:\d{1,6}\n[^\n]{0,200}\n {0,80}\^$", re.MULTILINE
)
# Messages of a program about itself, on a separate line or as a count.
_SAYS_FAILED = re.compile(
    r"^\W{0,6}(?:(?:fatal|error|failed)(?:\[\w{1,20}\])?: {1,4}(?!0\b|pip['’]s)\S"
    r"|failed\b|not ok\b(?!.{0,300}# (?:TODO|SKIP)))"
    r"|\b[1-9]\d{0,6} (?:(?!of |out )[a-z]{1,20} ){0,2}?"
    r"(?:failed|failures?|errors?|failing|mismatch(?:es)?|violations?)\b"
    r"|\b(?:errors?|failed|failures?|fail|mismatch(?:es)?|violations?|unreachable)"
    r"[=:] ?[1-9]"
    # The verdict of a program of any kind, in capitals.
    r"|(?-i:\bFAIL(?:ED|URE)?\b)(?![\w-]|\W{1,3}0\b)"
    r"|\b(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull|OOMKilled|\(unhealthy\))"
    r"|\b[45]\d\d (?:Bad Gateway|Internal Server Error|Not Found|Forbidden|Unauthorized"
    r"|Service Unavailable|Gateway Time-?out)\b"
    r"|\bcompleted with (?:errors|failures)\b|\bexit(?:ed with)? (?:code|status) [1-9]",
    re.IGNORECASE | re.MULTILINE,
)
# The end was not awaited.
_LATE = re.compile(
    r"^\W{0,4}(?:The |Your |Error: )?(?:command|process|tool|execution|operation)"
    r"[^\n]{0,60} timed? ?out\b"
    r"|^\W{0,4}(?:timed out|timeout) after \d"
    r"|^[^\n]{0,40}\b(?:terminated|killed|stopped) (?:the )?command after exceeding\b"
    r"|^(?:Terminated|\^C|KeyboardInterrupt)\s*\Z",
    re.IGNORECASE | re.MULTILINE,
)
# A part was not stored.
_CUT = re.compile(
    r"^[^\w\n]{0,8}(?:output|result|response|\d{1,9} (?:more )?(?:lines?|characters?"
    r"|chars?|bytes?|tokens?))[^\w\n]{1,4}(?:was |were )?"
    r"(?:truncated|omitted|clipped)\b"
    r"|^[^\w\n]{0,8}(?:truncated|omitted)\b[^\n]{0,80}$",
    re.IGNORECASE | re.MULTILINE,
)
# Wordings of agents for an empty output.
_SILENT = re.compile(
    r"\W{0,4}(?:[\w ]{0,60}\b(?:no|without(?: any)?) (?:std)?(?:output|content)"
    r"|no output|done|empty)\W{0,4}",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\b(?:errors?|failed|failures?|fatal|panic|traceback|exception|abort(?:ed)?"
    r"|cannot|denied|unable)\b",
    re.IGNORECASE,
)
_NO_TROUBLE = re.compile(
    r"(?<![=:])\b(?:0|no|without(?: any)?) (?:\w{1,20} )?(?:errors?|failures?|failed)\b"
    r"(?![=:])"
    r"|\b(?:errors?|failures?|failed)[:=] ?0\b",
    re.IGNORECASE,
)
_SUCCESS_WORDS = (
    r"\b(?:success\w*|succeeded|ok|done|passed|clean|valid|complete[d]?|finished|built"
    r"|compiled|generated|installed|created|bundled|unchanged|formatted"
    r"|up[- ]to[- ]date)\b"
)
_SUCCESS_WORD = re.compile(_SUCCESS_WORDS, re.IGNORECASE)
_SUCCESS = re.compile(
    _SUCCESS_WORDS
    + r"|[✓✔✅]|\b(?:no|0) (?:\w{1,20} )?(?:issues|problems|warnings|errors"
    r"|findings)\b",
    re.IGNORECASE,
)
# The echo of a task runner before its command.
_ECHOED = re.compile(r"^[^\S\n]{0,8}[$>+] [^\n]*", re.MULTILINE)
# A dot or a letter per test (pytest, unittest, minitest, rspec, phpunit).
_PROGRESS = re.compile(
    r"^(?:[\w./-]{1,200} )?([.FEsSxXPRWUI*]{2,400})(?: {1,80}\[ {0,2}\d{1,3}%\])?$",
    re.MULTILINE,
)
_FAILED_MARK = re.compile(r"^(?=[^FE\n]{0,400}[FE])(?=[^.\n]{0,400}\.)")
# Messages of a linter, type checker or compiler about a place in a file.
_FINDING = re.compile(
    r"^(?:\./)?[\w@./\\-]{1,200}\.\w{1,8}:\d{1,6}(?::\d{1,6})?:? (?![^\n]{0,20}"
    r"(?:warning|note|info)\b)\S",
    re.IGNORECASE | re.MULTILINE,
)


def _ends(text: str) -> str:
    if len(text) <= 2 * _WINDOW:
        return text
    return f"{text[:_WINDOW]}\n{text[-_WINDOW:]}"


def broke_off(text: str, kind: RunKind | None) -> bool:
    """Return whether an output without a result says that a run failed.

    Args:
        text: The output of the run.
        kind: The kind of run; None for an unknown program.
    """
    text = _ends(text.rstrip())
    # An abort is at the end; the run may have survived earlier messages.
    last = "\n".join(text.splitlines()[-_LAST_LINES:])
    if _HELP.search(last):
        last = _USAGE.sub("", last)
    if _BROKEN.search(last) or _CRASHED.search(text):
        return True
    if kind is None:
        plain = _NO_TROUBLE.sub("", last)
        ends = [match.end() for match in _SAYS_FAILED.finditer(plain)]
        # A success after it means that the run continued.
        return bool(ends) and not _SUCCESS_WORD.search(plain, ends[-1])
    if kind is RunKind.TESTS:
        return any(_FAILED_MARK.match(line[1]) for line in _PROGRESS.finditer(text))
    finds = {RunKind.LINT, RunKind.TYPECHECK, RunKind.BUILD}
    match = kind in finds and _FINDING.search(text)
    return bool(match)


def is_silent(text: str) -> bool:
    """Return whether an output is empty, or only says so."""
    text = text.strip()
    return not text or (len(text) < 100 and _SILENT.fullmatch(text) is not None)


def ended_late(text: str) -> bool:
    """Return whether an output says that the end of its run was not awaited."""
    return bool(_LATE.search(_ends(text)))


def is_cut(text: str) -> bool:
    """Return whether an output is known to be truncated."""
    return ended_late(text) or bool(_CUT.search(_ends(text)))


def speaks_of_success(text: str) -> bool:
    """Return whether the end of an output reports a success."""
    return bool(_SUCCESS.search(text[-_WINDOW:]))


def speaks_of_trouble(text: str) -> bool:
    """Return whether an output contains a word for an error anywhere."""
    ends = _ends(text)
    if _BROKEN.search(ends):
        return True
    if not _TROUBLE.search(ends):
        return False  # What is left out next is whole words and lines.
    plain = _NO_TROUBLE.sub("", _ECHOED.sub("", ends))
    return bool(_TROUBLE.search(plain))

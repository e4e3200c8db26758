"""Command lines: words that they only print, and files that they show."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifyhub.engine.calls.programs import CHECKS_FILES, ProgramRole, names_with
from verifyhub.engine.calls.shell import (
    SimpleCommand,
    heredocs,
    part_spans,
    redirections,
)
from verifyhub.engine.types import Span

_COMMAND_KEYS = ("command", "cmd", "commands", "script", "code", "input", "query")
# An unknown tool only runs a command if a field says so explicitly.
_PLAIN_KEYS = ("command", "cmd", "script", "code")
# The parts of a command that print words: its beginning, or a script in it.
_SPEAKS = re.compile(
    rf"(?:^|[;&|\n({{\"'`])[ \t]*+(?i:{'|'.join(names_with(ProgramRole.SPEAKS))})\s"
)
_PRINTS = re.compile(
    r"(?:print|console\.log|puts|printf|fmt\.Print\w*|write|echo)\s*+\(([^\n]{1,2000})"
)
# `code` may be that of a course, a voucher or a country.
_CODE_OF_RECORD = re.compile(r"[\w #-]{1,40}")
_PATH_WORD = re.compile(r"[\w@~+%-]*+[./\\][\w.@~+%/\\-]++")


def is_command_field(name: str) -> bool:
    """Return whether a dotted field (`input.command.2`) contains a command line."""
    _, _, path = name.partition(".")
    return path.split(".")[0] in _COMMAND_KEYS


def command_text(data: Mapping[str, Any], *, shell: bool = True) -> str:
    """Return the command line of a call's input; "" if it has none.

    Codex passes a list (`["bash", "-lc", "ls"]`): the script after `-c` is the command.

    Args:
        data: The call's input.
        shell: Whether the tool is a known shell; of others only fields named after a
            command count, without verbs of editors (`create`).
    """
    for key in _COMMAND_KEYS if shell else _PLAIN_KEYS:
        value = data.get(key)
        if isinstance(value, str):
            if not shell and (
                _is_editor_verb(value, data)
                or (key == "code" and _CODE_OF_RECORD.fullmatch(value))
            ):
                return ""
            return value
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            if len(value) > 2 and value[1] in {"-c", "-lc", "-ic"}:
                return str(value[2])
            return " ".join(value)
    return ""


def _is_editor_verb(value: str, data: Mapping[str, Any]) -> bool:
    """Return whether `command` is a verb of a file editor: `create` with a `path`."""
    single = value.replace("_", "").isalpha()
    return single and bool({"path", "file_path"} & data.keys())


def shown_paths(parts: Sequence[SimpleCommand]) -> list[Span]:
    """Return the places of the files that a command line prints if it succeeds.

    A list with `||` or `;` may succeed without its first part; then it has none.
    """
    if any(part.joined in {"||", ";"} for part in parts):
        return []
    return [span for part in parts for span in _shown(part)]


def _shown(part: SimpleCommand) -> Iterator[Span]:
    prints = ProgramRole.SHOWS in part.role or part.argv[:2] == ("sed", "-n")
    if not prints or ">" in part.text or "<<" in part.text:
        return
    for word in _PATH_WORD.finditer(part.text):
        if word.start() > 0 and not part.text[word.start()].isdigit():
            yield part.start + word.start(), part.start + word.end()


def made_paths(parts: Sequence[SimpleCommand]) -> list[Span]:
    """Return the paths that exist after a command line succeeded, which created them.

    These are the targets of redirections, copies, moves and removals, of changes in
    place, `touch` and staging, the folder that it changed to, the script that it ran
    and the files it tested. A list with `||` or `;` may succeed without some parts.
    """
    if any(part.joined in {"||", ";"} for part in parts):
        return []
    return [
        span for part in parts for path in _written(part) for span in _place(part, path)
    ]


# Operands of these exist after a success, or existed before.
_NAMES_REAL = (
    ProgramRole.TOUCHES
    | ProgramRole.MAKES_FOLDERS
    | ProgramRole.DELETES
    | ProgramRole.MOVES
    | ProgramRole.COPIES
) | ProgramRole.ENTERS


def _written(part: SimpleCommand) -> tuple[str, ...]:
    role, operands = part.role, part.operands
    redirected = tuple(path for path, _ in redirections(part.text))
    if part.words[:1] in _TESTS and part.joined == "&&" and not part.start:
        return _tested(part)
    if role & _NAMES_REAL or (part.program, part.verb) == ("git", "add"):
        return redirected + operands
    if role & ProgramRole.LINKS and len(operands) > 1:
        return (*redirected, operands[-1])
    if part.edits_in_place:
        return redirected + part.edited
    if role & CHECKS_FILES:
        files = (word.partition("::")[0] for word in operands)
        return redirected + tuple(path for path in files if "." in path or "/" in path)
    if role & ProgramRole.INTERPRETS and not part.runs_inline:
        return redirected + operands[:1]
    return redirected


_TESTS = (("test",), ("[",), ("[[",))
_IS_THERE = frozenset({"-f", "-e", "-d", "-s", "-r", "-x", "-L"})


def _tested(part: SimpleCommand) -> tuple[str, ...]:
    """Return the file of `test -f a.py && …`, which exists if the rest was run."""
    words = [word for word in part.argv[1:] if word not in {"]", "]]"}]
    return (words[1],) if len(words) == 2 and words[0] in _IS_THERE else ()


def runs_silently(parts: Sequence[SimpleCommand]) -> bool:
    """Whether a successful command line prints nothing, and a failed one a reason.

    `rm a.py && git add b.py`; false if an option or redirection suppresses output.
    """
    return bool(parts) and all(
        (part.role & _NAMES_REAL or (part.program, part.verb) in _SILENT_GIT)
        and part.joined not in {"||", ";", "&", "|"}
        and not _QUIET.search(part.text)
        for part in parts
    )


_SILENT_GIT = frozenset({("git", "add"), ("git", "mv")})
_QUIET = re.compile(r"2>|&>|\s-\w{0,8}f|\s--(?:force|quiet|ignore)|\s-\w{0,8}q")


def _place(part: SimpleCommand, path: str) -> list[Span]:
    at = part.text.rfind(path) if _PATH_CHARS.match(path) else -1
    return [] if at < 0 else [(part.start + at, part.start + at + len(path))]


_PATH_CHARS = re.compile(r"[\w@.~/+%:\\-]++$")


def written_text(command: str) -> tuple[tuple[str, ...], str]:
    """Return the files that a command writes by redirection, and the text."""
    targets = tuple(path for path, _ in redirections(command))
    targets += tuple(match.group(1) for match in _TEE.finditer(command))
    return targets, "\n".join(spoken_words(command)) if targets else ""


_TEE = re.compile(r"\btee(?: -a)? ++([\w.@~+/-]{1,400})")


def spoken_words(command: str) -> list[str]:
    """Return the parts of a command that it would only print.

    Arguments of echo and printf, here-documents, and what an inline script prints: in
    the output they are only the agent's own words.
    """
    echoed = [match.group(1) for match in _PRINTS.finditer(command)]
    if _SPEAKS.search(command):
        for start, end in part_spans(command):
            match = _SPEAKS.search(command[start:end])
            if match:
                echoed.append(command[start + match.start() : end])
    echoed += [command[heredoc.start : heredoc.end] for heredoc in heredocs(command)]
    return echoed

"""What command lines say and show: words they only speak, files they print."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub.engine.calls.shell import (
    Part,
    heredocs,
    part_spans,
    redirections,
)
from verifyhub.engine.text.tokens import word_set

_COMMAND_KEYS = ("command", "cmd", "commands", "script", "code", "input", "query")
# A tool that is no known shell runs a command only where a field says so plainly.
_PLAIN_KEYS = ("command", "cmd", "script", "code")
# Where a command speaks: at its beginning, or inside a script that it is given.
_SPEAKS = re.compile(
    r"(?:^|[;&|\n({\"'`])[ \t]*+(?:echo|printf|print|say|Write-Output|Write-Host)\s"
)
_PRINTS = re.compile(
    r"(?:print|console\.log|puts|printf|fmt\.Print\w*|write|echo)\s*+\(([^\n]{1,2000})"
)
_READS = word_set("cat head tail nl bat less more wc xxd stat file md5sum sha256sum")
_PATH_WORD = re.compile(r"[\w@~+%-]*+[./\\][\w.@~+%/\\-]++")


def is_command_field(name: str) -> bool:
    """Say whether an input's dotted name (`input.command.2`) is its command line."""
    return name.split(".")[1:2] != [] and name.split(".")[1] in _COMMAND_KEYS


def command_text(data: Mapping[str, Any], *, shell: bool = True) -> str:
    """Return the command line of a call's input; "" if it has none.

    Codex gives a list (`["bash", "-lc", "ls"]`): the script after `-c` is the command.

    Args:
        data: The call's input.
        shell: Whether the tool is known as a shell; of others only fields that are
            named after a command count, and no verb of an editor (`create`).
    """
    for key in _COMMAND_KEYS if shell else _PLAIN_KEYS:
        value = data.get(key)
        if isinstance(value, str):
            return "" if not shell and _is_editor_verb(value, data) else value
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            if len(value) > 2 and value[1] in {"-c", "-lc", "-ic"}:
                return str(value[2])
            return " ".join(value)
    return ""


def _is_editor_verb(value: str, data: Mapping[str, Any]) -> bool:
    """Return whether `command` is a verb of a file editor: `create` with a `path`."""
    single = value.replace("_", "").isalpha()
    return single and bool({"path", "file_path"} & data.keys())


def shown_paths(command: str, parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Return the places of the files that a command prints, if it succeeds.

    A list with `||` or `;` may succeed without its first part: nothing is returned.
    """
    if any(part.joined in {"||", ";"} for part in parts):
        return []
    spans: list[tuple[int, int]] = []
    for part in parts:
        reads = part.words[0] in _READS or part.words[:2] == ("sed", "-n")
        if reads and ">" not in part.text and "<<" not in part.text:
            spans += [
                (part.start + word.start(), part.start + word.end())
                for word in _PATH_WORD.finditer(part.text)
                if word.start() > 0 and not part.text[word.start()].isdigit()
            ]
    return spans


# What these name is there after they succeeded, or was there before.
_NAMES_REAL = word_set("touch tee mkdir rm unlink rmdir mv cp cd")
_COPIERS = word_set("ln install")
# These fail where a file that they are given is not there.
_CHECKERS = word_set(
    "pytest py.test rspec mocha phpunit ruff mypy eslint black flake8 pylint prettier"
)
_INTERPRETERS = word_set("python python3 node deno bun ruby php perl bash sh zsh tsx")


def made_paths(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Return the places of what is there after a command succeeded: it made it.

    That is what it redirects to, copies, moves, removes, changes in place, touches
    and stages, the folder it went to, the script that it ran and the files it tested.
    A list with `||` or `;` may succeed without
    all of its parts.
    """
    if any(part.joined in {"||", ";"} for part in parts):
        return []
    return [
        span for part in parts for path in _made(part) for span in _place(part, path)
    ]


def _made(part: Part) -> tuple[str, ...]:
    program, named = part.program, part.operands
    written = tuple(path for _, path, _ in redirections(part.text))
    if program in _NAMES_REAL or program in {"git add", "git rm", "git mv"}:
        return written + named
    if program in _COPIERS and len(named) > 1:
        return (*written, named[-1])
    if program in {"sed", "perl"} and _IN_PLACE.search(part.text):
        return written + named[0 if " -e" in part.text else 1 :]
    if part.argv[1:2] == ("-m",) and part.argv[2:3] and part.argv[2] in _CHECKERS:
        named, program = named[1:], part.argv[2]
    if program in _CHECKERS:
        files = (word.partition("::")[0] for word in named)
        return written + tuple(path for path in files if "." in path or "/" in path)
    if program in _INTERPRETERS and not _INLINE.search(part.text):
        return written + named[:1]
    return written


_IN_PLACE = re.compile(r"\s-\w{0,8}i")
_INLINE = re.compile(r"\s-\w*c\b|\s-e\b|\s-m\b|<<")


def _place(part: Part, path: str) -> list[tuple[int, int]]:
    at = part.text.rfind(path) if _PATH_CHARS.match(path) else -1
    return [] if at < 0 else [(part.start + at, part.start + at + len(path))]


_PATH_CHARS = re.compile(r"[\w@.~/+%:\\-]++$")


def written_text(command: str) -> tuple[tuple[str, ...], str]:
    """Return the files that a command writes by redirection, and what it says."""
    targets = tuple(path for _, path, _ in redirections(command))
    targets += tuple(match.group(1) for match in _TEE.finditer(command))
    return targets, "\n".join(spoken_words(command)) if targets else ""


_TEE = re.compile(r"\btee(?: -a)? ++([\w.@~+/-]{1,400})")


def spoken_words(command: str) -> list[str]:
    """Return the parts of a command that it would only say back.

    Arguments of echo and printf, bodies of here-documents, what an inline script
    prints: seeing them in the output shows nothing but the agent's own words.
    """
    spoken = [match.group(1) for match in _PRINTS.finditer(command)]
    if _SPEAKS.search(command):
        for start, end in part_spans(command):
            match = _SPEAKS.search(command[start:end])
            if match:
                spoken.append(command[start + match.start() : end])
    spoken += [command[one.start : one.end] for one in heredocs(command)]
    return spoken

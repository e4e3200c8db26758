"""Command lines: what they run, and the words they only speak."""

import re
from collections.abc import Mapping
from typing import Any

_COMMAND_KEYS = ("command", "cmd", "commands", "script", "code", "input", "query")
_SEPARATOR = re.compile(r"&&|\|\|?|;|\n")
_SPEAKS = re.compile(r"\s*+(?:echo|printf|print|say|Write-Output|Write-Host)\s")
_PRINTS = re.compile(
    r"(?:print|console\.log|puts|printf|fmt\.Print\w*|write|echo)\s*+\(([^\n]{1,2000})"
)
_HEREDOC = re.compile(r"<<-?\s*+['\"]?(\w{1,40})['\"]?")
_MOST_HEREDOCS = 20
_REDIRECT = re.compile(r"(?:>>?|\btee(?: -a)?)\s*+([\w.@~+/-]{1,400})")


def is_command_field(name: str) -> bool:
    """Say whether an input's dotted name (`input.command.2`) is its command line."""
    return name.split(".")[1:2] != [] and name.split(".")[1] in _COMMAND_KEYS


def command_text(data: Mapping[str, Any]) -> str:
    """Return the command line of a shell call's input; "" if it has none.

    Codex gives a list (`["bash", "-lc", "ls"]`): the script after `-c` is the command.
    """
    for key in _COMMAND_KEYS:
        value = data.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            if len(value) > 2 and value[1] in {"-c", "-lc", "-ic"}:
                return str(value[2])
            return " ".join(value)
    return ""


_READS = re.compile(
    r"\s*+(?:cat|head|tail|nl|bat|less|more|wc|sed\s+-n|xxd|stat|file|md5sum|sha256sum)\s"
)
_PATH_WORD = re.compile(r"[\w.@~+%/\\-]*+[./][\w.@~+%/\\-]++")


def shown_paths(command: str) -> list[tuple[int, int]]:
    """Return the places of the files that a command prints, if it succeeds.

    A list with `||` or `;` may succeed without its first part: nothing is returned.
    """
    if "||" in command or ";" in command:
        return []
    spans: list[tuple[int, int]] = []
    start = 0
    for part in _SEPARATOR.split(command):
        start = command.find(part, start)
        if _READS.match(part + " ") and ">" not in part and "<<" not in part:
            spans += [
                (start + word.start(), start + word.end())
                for word in _PATH_WORD.finditer(part)
                if word.start() > 0 and not part[word.start()].isdigit()
            ]
        start += len(part)
    return spans


def written_text(command: str) -> tuple[tuple[str, ...], str]:
    """Return the files that a command writes by redirection, and what it says."""
    targets = tuple(match.group(1) for match in _REDIRECT.finditer(command))
    return targets, "\n".join(spoken_words(command)) if targets else ""


def spoken_words(command: str) -> list[str]:
    """Return the parts of a command that it would only say back.

    Arguments of echo and printf, bodies of here-documents, what an inline script
    prints: seeing them in the output shows nothing but the agent's own words.
    """
    spoken = [part for part in _SEPARATOR.split(command) if _SPEAKS.match(part + " ")]
    spoken += [match.group(1) for match in _PRINTS.finditer(command)]
    for _, match in zip(
        range(_MOST_HEREDOCS), _HEREDOC.finditer(command), strict=False
    ):
        end = command.find("\n" + match.group(1), match.end())
        spoken.append(command[match.end() : end if end > 0 else len(command)])
    return spoken

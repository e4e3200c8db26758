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

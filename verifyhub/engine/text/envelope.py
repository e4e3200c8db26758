"""Decode tool outputs that are JSON strings, keeping positions.

Codex returns `{"output": "a.py\\nb.py\\n", "metadata": {…}}` on one line; MCP servers
and traced functions do alike. What is replaced keeps its length, so that every other
position stays true.
"""

import re

_PAYLOAD = re.compile(
    r'"(?:aggregated_output|content|error|message|observation|output|response|result'
    r'|stderr|stdout|text)"\s{0,4}:\s{0,4}"((?:[^"\\]|\\.)*+)"'
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_BLANKS = {"n": " \n", "r": " \n", "t": " \t", "b": "  ", "f": "  ", '"': ' "'}


# Gemini CLI repeats the command before its output, and names what it did not print.
_FRAME = "Command: "
_OUTPUT = "\nOutput: "
_ERROR, _EXIT = "\nError: ", "\nExit Code: "
_EMPTY, _NONE = "(empty)", "(none)"


def opened(text: str) -> str:
    """Undo the escapes of the strings in which a one-line JSON document has text.

    The quotes around such a string become line ends. A backslash that stands for
    itself stays doubled, as in a path of Windows. The frame of Gemini CLI becomes
    blanks.
    """
    if text.startswith(_FRAME):
        return _unframed(text)
    if text[:1] not in "{[" or "\n" in text.strip():
        return text
    return _PAYLOAD.sub(_opened_payload, text)


def _unframed(text: str) -> str:
    begin, end = text.find(_OUTPUT), text.rfind(_ERROR)
    behind = text.find(_EXIT, max(end, 0))
    if not 0 <= begin <= end < behind:
        return text
    start, error = begin + len(_OUTPUT), end + len(_ERROR)
    if text.startswith(_EMPTY, start):
        start += len(_EMPTY)
    if text.startswith(_NONE, error):
        error = behind
    head, middle = _blank(text[: start - 1]), _blank(text[end:error])
    return (
        f"{head}\n{text[start:end]}{middle}{text[error:behind]}{_blank(text[behind:])}"
    )


def _blank(text: str) -> str:
    return "".join("\n" if char == "\n" else " " for char in text)


def _opened_payload(match: re.Match[str]) -> str:
    head = match.group()[: match.start(1) - match.start() - 1]
    return f"{head}\n{_ESCAPE.sub(_plain, match.group(1))}\n"


def _plain(match: re.Match[str]) -> str:
    escape = match.group()
    code = match.group(1)
    if code is None:
        return _BLANKS.get(match.group(2), escape)
    if code.lower() == "001b":
        return "     \x1b"
    # A letter is left as it is written: it may be inside a name.
    return escape if chr(int(code, 16)).isalnum() else " " * len(escape)

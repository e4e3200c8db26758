"""Commands that went on after their call returned, and the calls that saw their end.

An agent starts a long command, gets a session's id, and polls the session until it
ends. The last poll says how the command ended.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.inputs import folded
from verifyhub.engine.text.tokens import word_set

_SESSION_FIELDS = word_set(
    "sessionid shellid bashid taskid processid pid jobid terminalid cellid"
)
_GIVEN_ID = re.compile(
    r"\b(?:session|process|shell|task|command|job|terminal|cell|background)\b"
    r"[^\n]{0,60}?\bID\b:?\s{0,2}[`\"'(]?([\w-]{1,64})",
    re.IGNORECASE,
)
_FRAME = 1_000


def last_polls(calls: Sequence[Call]) -> Mapping[int, int]:
    """Return, for each call that left a command running, the last call that polled it.

    Args:
        calls: The calls of a run, in order.
    """
    started: dict[str, int] = {}
    polled: dict[int, int] = {}
    for entry in calls:
        given = set(_sessions_given(entry))
        begun = [started[one] for one in given if one in started]
        if begun and not entry.commands:
            polled[begun[0]] = entry.index
            continue
        if entry.is_background and entry.command is not None:
            for one in (*given, *_session_ids(entry)):
                started[one] = entry.index
    return polled


def _sessions_given(entry: Call) -> Iterator[str]:
    for field, value in entry.call.input.items():
        if folded(field) in _SESSION_FIELDS and isinstance(value, str | int):
            yield str(value)


def _session_ids(entry: Call) -> Iterator[str]:
    for match in _GIVEN_ID.finditer(entry.call.output[:_FRAME]):
        yield match[1]

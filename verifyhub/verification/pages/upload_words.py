"""What a page calls what was left out of a transcript."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

# By the words of the formats; names that a format itself gives stay as they are.
NOTES: Final[Mapping[str, Promise]] = {
    "reasoning": pgettext_lazy("left out", "reasoning"),
    "thinking": pgettext_lazy("left out", "thinking"),
    "field beside the messages": pgettext_lazy("left out", "field beside the messages"),
    "field beside the history": pgettext_lazy("left out", "field beside the history"),
    "field beside the steps": pgettext_lazy("left out", "field beside the steps"),
    "field beside the items": pgettext_lazy("left out", "field beside the items"),
    "turn without an answer": pgettext_lazy("left out", "turn without an answer"),
    "text of the shell, no request": pgettext_lazy(
        "left out", "text of the shell, no request"
    ),
    "text of the program, no request": pgettext_lazy(
        "left out", "text of the program, no request"
    ),
    "text before any request": pgettext_lazy("left out", "text before any request"),
    "text before a tool call": pgettext_lazy("left out", "text before a tool call"),
    "system message": pgettext_lazy("left out", "system message"),
    "summary of what came before": pgettext_lazy(
        "left out", "summary of what came before"
    ),
    "step that the history tells too": pgettext_lazy(
        "left out", "step that the history tells too"
    ),
    "result without a call": pgettext_lazy("left out", "result without a call"),
    "second result of a call": pgettext_lazy("left out", "second result of a call"),
    "request during a turn, added to it": pgettext_lazy(
        "left out", "request during a turn, added to it"
    ),
    "pause by the user": pgettext_lazy("left out", "pause by the user"),
    "line of another session, read with this one": pgettext_lazy(
        "left out", "line of another session, read with this one"
    ),
    "line that stands twice": pgettext_lazy("left out", "duplicate line"),
    "interruption by the user": pgettext_lazy("left out", "interruption by the user"),
    "event of a sub-agent": pgettext_lazy("left out", "event of a sub-agent"),
    "trajectory of a sub-agent, not in this file": pgettext_lazy(
        "left out", "trajectory of a sub-agent, not in this file"
    ),
    "empty request": pgettext_lazy("left out", "empty request"),
    "demonstration": pgettext_lazy("left out", "demonstration"),
    "command of the shell": pgettext_lazy("left out", "command of the shell"),
    "call that was asked for and never started": pgettext_lazy(
        "left out", "call that was asked for and never started"
    ),
    "attachment": pgettext_lazy("left out", "attachment"),
    "artifact of a tool": pgettext_lazy("left out", "artifact of a tool"),
}

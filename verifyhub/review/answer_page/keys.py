"""Keyboard shortcuts of the review pages, for the help and the script."""

from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.html import json_script
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import KeyMode, User


@dataclass(frozen=True, slots=True)
class Key:
    """One key, the action of `review.js` or of a control, and its description."""

    key: str
    action: str
    words: Promise


# Controls have their action as `data-action`; others are functions of the script.
KEYS = (
    Key(
        "j",
        "next-flagged",
        _("next flagged name or claim; in the queue, the next answer"),
    ),
    Key(
        "k",
        "previous-flagged",
        _("previous flagged name or claim; in the queue, the previous answer"),
    ),
    Key("J", "next-any", _("next name or claim, flagged or not")),
    Key("K", "previous-any", _("previous name or claim, flagged or not")),
    Key("v", "verify", _("mark the name as correct, or the work as done")),
    Key("u", "unverify", _("mark the name as wrong, or the work as not done")),
    Key("a", "agree", _("agree with the verdict")),
    Key("o", "override", _("override the verdict")),
    Key("m", "missed", _("add a missed name or claim; the selected text is filled in")),
    Key("c", "correct", _("correct the answer")),
    Key("t", "note", _("add a note")),
    Key("z", "undo", _("undo the last decision, then the one before it")),
    Key("l", "like-this", _("apply this decision to all similar answers")),
    Key("1–9", "pick-reason", _("choose a reason, while the field for yours is empty")),
    Key("x", "tick", _("select this answer in the queue")),
    Key("p", "peek", _("open this answer beside the queue; ↑ ↓ go through the list")),
    Key("n", "next", _("next answer in the queue")),
    Key("?", "keys", _("show the keyboard shortcuts")),
    Key("Ctrl-K", "palette", _("go to a page, answer, session or constraint")),
    Key("Esc", "leave", _("leave a field")),
)
_KEY_MAP = json_script(
    {key.key: key.action for key in KEYS if len(key.key) == 1}, "key-map"
)
BY_ACTION = {key.action: key.key for key in KEYS}


def keys_context(user: User) -> dict[str, Any]:
    """Return the context of pages with keys: the table, and the viewer's setting."""
    return {
        "key_mode": user.key_mode,
        "key_modes": KeyMode.choices,
        "key_map": _KEY_MAP,
    }

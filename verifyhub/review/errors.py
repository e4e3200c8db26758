"""Errors of decisions.

ReviewError
├── DecisionInvalidError   a part of it cannot be: no such name, no such text
│   ├── ReasonMissingError     what goes against the machine needs a reason
│   └── UnchangedError         the machine or a person says so already
├── HeldByOtherError       somebody else has the item
├── ItemChangedError       somebody else was faster, or the page is old
│   └── JudgedAlreadyError     the reviewer has judged it, or may no longer
├── NotAReviewerError      the person who is to have it may not judge
├── OwnAnswerError         a key sent the answer it wants to judge
├── OwnProposalError       nobody confirms what they proposed themselves
├── SeveralPeopleError     one person, or a key, cannot decide it alone
└── OverrideUndoneError    it has been taken back before
"""

from datetime import datetime
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

FIELDS: Final = {
    "answer": _("answer"),
    "answers": _("answers"),
    "claim": _("claim"),
    "colleague": _("colleague"),
    "correction": _("correction"),
    "decision": _("decision"),
    "fact": _("claim"),
    "value": _("value"),
    "gold": _("gold"),
    "index": _("index"),
    "item": _("item"),
    "kind": _("kind"),
    "mention": _("mention"),
    "note": _("note"),
    "proposal": _("proposal"),
    "reason": _("reason"),
    "reason_codes": _("reasons"),
    "reply": _("reply"),
    "status": _("status"),
    "text": _("text"),
    "verdict": _("verdict"),
}


class ReviewError(Exception):
    """A decision that was not carried out; nothing has changed.

    Attributes:
        field: The part of the decision that is in the way; empty where none is.
    """

    def __init__(
        self, message: str | Promise = "", *, field: str = "", **params: object
    ) -> None:
        super().__init__(message)
        self.field, self._message, self._params = field, message, params

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message

    @property
    def message(self) -> str:
        """Why it was not carried out, in the reader's language."""
        return str(self._message) % self._params if self._params else str(self._message)

    @property
    def sentence(self) -> str:
        """The message with its field, as a sentence in the reader's language."""
        text = self.message
        if self.field:
            text = f"{FIELDS[self.field]}: {text}"
        return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


class HeldByOtherError(ReviewError):
    """Somebody else has taken the item.

    Attributes:
        name: Who has it.
        until: When their lease ends, unless they go on.
    """

    def __init__(self, name: str, until: datetime) -> None:
        super().__init__(f"{name} has this item until {until:%H:%M} UTC")
        self.name, self.until = name, until


class ItemChangedError(ReviewError):
    """The item is no longer as the reviewer saw it."""


class JudgedAlreadyError(ItemChangedError):
    """The reviewer has judged the item, or it takes no more judgements."""


class OwnProposalError(ReviewError):
    """The person who proposed a decision cannot also approve it."""


class SeveralPeopleError(ReviewError):
    """The project asks more people than the one who decides."""


class NotAReviewerError(ReviewError):
    """The person may not judge in this project."""


class OwnAnswerError(ReviewError):
    """The key that decides is the one that sent the answer."""


class OverrideUndoneError(ReviewError):
    """The override has been undone before."""


class DecisionInvalidError(ReviewError):
    """A part of the decision cannot be."""


class ReasonMissingError(DecisionInvalidError):
    """The field `reason` is empty or too long."""


class UnchangedError(DecisionInvalidError):
    """The override would leave everything as it is."""

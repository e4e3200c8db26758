"""Errors of decisions.

ReviewError
├── DecisionInvalidError   a part is invalid: no such name, no such text
│   ├── ReasonMissingError     a decision against the verification needs a reason
│   └── UnchangedError         the decision changes nothing
├── HeldByOtherError       another reviewer holds the item
├── ItemChangedError       the item has changed since the page was loaded
│   └── JudgedAlreadyError     the reviewer has judged it, or no longer may
├── NotAReviewerError      the assignee is not allowed to judge
├── OwnAnswerError         the key sent the answer itself
├── OwnProposalError       a proposal needs another person's approval
├── SeveralPeopleError     one person, or a key, cannot decide alone
└── OverrideUndoneError    the override was undone before
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
    """A refused decision; nothing was changed.

    Attributes:
        field: The part of the decision that is the reason; may be empty.
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
        """Why it was refused, in the reader's language."""
        return str(self._message) % self._params if self._params else str(self._message)

    @property
    def sentence(self) -> str:
        """The message with its field, as a sentence in the reader's language."""
        text = self.message
        if self.field:
            text = f"{FIELDS[self.field]}: {text}"
        return f"{text[:1].upper()}{text[1:].removesuffix('.')}."


class HeldByOtherError(ReviewError):
    """Another reviewer holds the item.

    Attributes:
        name: Who holds it.
        until: When their lease ends, unless it is renewed.
    """

    def __init__(self, name: str, until: datetime) -> None:
        super().__init__(f"{name} has this item until {until:%H:%M} UTC")
        self.name, self.until = name, until


class ItemChangedError(ReviewError):
    """The item has changed since the reviewer loaded it."""


class JudgedAlreadyError(ItemChangedError):
    """The reviewer has judged the item, or it accepts no more judgements."""


class OwnProposalError(ReviewError):
    """The person who proposed a decision cannot also approve it."""


class SeveralPeopleError(ReviewError):
    """The project requires more than one person's judgement."""


class NotAReviewerError(ReviewError):
    """The person may not judge in this project."""


class OwnAnswerError(ReviewError):
    """The key has sent the answer itself."""


class OverrideUndoneError(ReviewError):
    """The override was undone before."""


class DecisionInvalidError(ReviewError):
    """A part of the decision is invalid."""


class ReasonMissingError(DecisionInvalidError):
    """The field `reason` is empty or too long."""


class UnchangedError(DecisionInvalidError):
    """The override would change nothing."""

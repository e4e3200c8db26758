"""What can stand in the way of a decision.

ReviewError
├── ItemChangedError       somebody else was faster, or the page is old
├── OverrideUndoneError    it has been taken back before
├── ReasonMissingError     an override needs a reason
└── UnchangedError         the machine or a person says so already
"""


class ReviewError(Exception):
    """A decision that was not carried out; nothing has changed."""


class ItemChangedError(ReviewError):
    """The item is no longer as the reviewer saw it."""


class OverrideUndoneError(ReviewError):
    """The override has been undone before."""


class ReasonMissingError(ReviewError):
    """The field `reason` is empty or too long."""


class UnchangedError(ReviewError):
    """The override would leave everything as it is."""

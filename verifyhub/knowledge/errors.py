"""What goes wrong when knowledge is written."""

from verifyhub.common.contract import FieldError


class KnowledgeError(FieldError):
    """A document cannot be stored as it was sent."""

"""Errors of writing documents."""

from verifyhub.common.contract import FieldError


class KnowledgeError(FieldError):
    """A document cannot be stored as it was sent."""

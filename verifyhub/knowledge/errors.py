"""Errors of writing documents."""

from verifyhub.common.contract import FieldError


class KnowledgeError(FieldError):
    """A document is invalid."""

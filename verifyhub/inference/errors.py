"""Errors of a project's model settings."""

from verifyhub.common.contract import FieldError


class ModelSettingError(FieldError):
    """A setting of models is invalid."""

"""Errors of exports, schedules and destinations."""

from verifyhub.common.contract import FieldError


class ExportError(FieldError):
    """An export, a schedule or a destination is invalid."""


class DeliveryError(Exception):
    """Files could not be delivered; the failure may be temporary."""

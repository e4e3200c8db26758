"""Errors of exports, schedules and destinations."""

from verifyhub.common.contract import FieldError


class ExportError(FieldError):
    """An export, a schedule or a destination cannot be as it was asked for."""


class DeliveryError(Exception):
    """Files could not be delivered; the failure may be temporary."""

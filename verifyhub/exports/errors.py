"""What can be wrong with what somebody asks for."""


class ExportError(ValueError):
    """An export, a schedule or a destination cannot be as it was asked for.

    Attributes:
        field: Which part of the request; empty where it is the whole.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class DeliveryError(Exception):
    """Files could not be brought to where they are to go; it may pass by itself."""

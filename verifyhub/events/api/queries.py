"""Parameters that the endpoints of events share."""

from drf_spectacular.utils import OpenApiParameter

from verifyhub.common.api import ApiProblem
from verifyhub.events.catalogue import ALIASES, EventType, event_type

# Positions are 64 bits wide.
MAX_DIGITS = 18
TYPE = OpenApiParameter(
    "type",
    str,
    many=True,
    enum=[*EventType.values, *ALIASES],
    description="Only events of this type; may be repeated.",
)


def whole_number(text: str, name: str) -> int:
    """Read a number from a query or a header.

    Raises:
        ApiProblem: 400 if it is none.
    """
    if text.isascii() and text.isdecimal() and len(text) <= MAX_DIGITS:
        return int(text)
    raise unusable(name, "must be a whole number of at least 0")


def chosen_types(names: list[str]) -> list[EventType]:
    """Read types by either of their names.

    Raises:
        ApiProblem: 400 if there is no such type.
    """
    types = [event_type(name) for name in names]
    if None in types:
        raise unusable("type", f"must be one of {', '.join(EventType.values)}")
    return [kind for kind in types if kind is not None]


def unusable(name: str, message: str) -> ApiProblem:
    """The refusal of a parameter."""
    return ApiProblem(400, "The events cannot be listed.", errors=((name, message),))

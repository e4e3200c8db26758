"""Fields of request bodies that choose a preset."""

from typing import Any

from verifyhub.common.api import ApiProblem
from verifyhub.engine.presets.strictness import Strictness


def strictness_in(body: Any, *others: str) -> Strictness | None:
    """Read `strictness` of a body; None where it is left to the project.

    Args:
        body: The parsed JSON; an empty body chooses nothing.
        others: Fields that the caller reads itself.

    Raises:
        ApiProblem: 400 with the field that cannot be used.
    """
    given = object_in(body, "strictness", *others).get("strictness")
    if given is None:
        return None
    if not isinstance(given, str) or given not in set(Strictness):
        raise refused("strictness", f"must be one of {', '.join(Strictness)}.")
    return Strictness(given)


def object_in(body: Any, *known: str) -> dict[str, Any]:
    """Read a body that is an object with no other members; an empty one holds none.

    Raises:
        ApiProblem: 400 with the first member that is unknown.
    """
    if not isinstance(body, dict):
        raise refused("", "must be an object.")
    for name in body:
        if name not in known:
            raise refused(name[:100], "is unknown.")
    return body


def flag_in(body: Any, name: str) -> bool:
    """Read a field that is true or false; false where it is not there.

    Args:
        body: An object that `strictness_in` has read; empty for none.
        name: The field.

    Raises:
        ApiProblem: 400 if it is neither.
    """
    given = (body or {}).get(name)
    if given is not None and not isinstance(given, bool):
        raise refused(name, "must be true or false.")
    return bool(given)


def refused(field: str, message: str) -> ApiProblem:
    """Return the refusal of one field of a body."""
    return ApiProblem(
        400, f"The request is refused: {field} {message}", errors=((field, message),)
    )

"""Restrictions of every operation, written into the OpenAPI document.

Requests that satisfy the document are not refused with a 400 for their form.
"""

import copy
from collections.abc import Mapping
from typing import Any

from verifyhub.common.contract import ANY_TEXT

# The form of a cursor: base64.
CURSOR_SHAPE: dict[str, Any] = {"minLength": 4, "pattern": "^[A-Za-z0-9+/_-]+={0,2}$"}
KEY_SHAPE: dict[str, Any] = {
    "minLength": 1,
    "maxLength": 255,
    "pattern": "^[!-~]([ -~]*[!-~])?$",
}
IDEMPOTENCY_KEY = "Idempotency-Key"
JSON = "application/json"
RESTRICTIONS = frozenset({"enum", "format", "pattern"})


def narrow(operation: dict[str, Any], *, free: Mapping[str, bool]) -> None:
    """Add the restrictions of every operation to an operation's parameters.

    Args:
        operation: The operation in the document, changed in place.
        free: Whether a query parameter may be empty, by name.
    """
    for parameter in operation.get("parameters", ()):
        # Operations share the object.
        shape = parameter["schema"] = copy.deepcopy(parameter["schema"])
        name = parameter["name"]
        if name == IDEMPOTENCY_KEY:
            shape |= KEY_SHAPE
        elif parameter["in"] == "query":
            _narrow_query(name, shape, is_free=free.get(name, False))


def _narrow_query(name: str, shape: dict[str, Any], *, is_free: bool) -> None:
    text = shape.get("items", shape)
    if name == "limit":
        shape.setdefault("minimum", 1)
    if text.get("type") != "string" or RESTRICTIONS & text.keys():
        return
    if name == "cursor":
        text |= CURSOR_SHAPE
        return
    text["pattern"] = ANY_TEXT
    if not is_free:
        text.setdefault("minLength", 1)


def without_nul(shape: Any) -> None:
    """Exclude U+0000 from all free texts of a body."""
    if isinstance(shape, list):
        for inner in shape:
            without_nul(inner)
    elif isinstance(shape, dict):
        if "string" in shape.get("type", ()) and not RESTRICTIONS & shape.keys():
            shape["pattern"] = ANY_TEXT
        for inner in shape.values():
            without_nul(inner)


def require_bodies(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Mark the body as required where an empty object is refused."""
    schemas = result.get("components", {}).get("schemas", {})
    for operations in result["paths"].values():
        for operation in operations.values():
            body = operation.get("requestBody")
            if body is not None and _is_needed(body["content"], schemas):
                body["required"] = True
    return result


def _is_needed(content: Mapping[str, Any], schemas: Mapping[str, Any]) -> bool:
    if set(content) != {JSON}:
        return True
    shape = content[JSON].get("schema", {})
    name = shape.get("$ref", "").rpartition("/")[2]
    shape = schemas.get(name, shape)
    return bool(shape.get("required") or shape.get("anyOf"))

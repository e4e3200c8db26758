"""Refuse query parameters that an operation does not describe."""

from typing import TYPE_CHECKING, Any

from django.utils.dateparse import parse_date
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.settings import api_settings

from verifyhub.common.api import ApiProblem

if TYPE_CHECKING:
    # At run time the import would read the settings, which name this module.
    from rest_framework.views import APIView

MAX_SHOWN = 100
_described: dict[tuple[type, str], dict[str, Any]] = {}


class KnownParameters(BasePermission):
    """Refuses query parameters that an operation does not describe.

    Otherwise a misspelt, empty or repeated filter would be ignored silently, and the
    client would take the whole list for the filtered one. It runs after the check of
    the scope, so that parameters are not revealed without a key.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Return True if all parameters are known and valid.

        Raises:
            ApiProblem: 400 with the invalid parameters.
        """
        handler = getattr(view, (request.method or "").lower(), None)
        if handler is None:
            return True  # No such method: the view answers 405 by itself.
        described = parameters(view, handler, request.method or "")
        wrong = tuple(
            (name[:MAX_SHOWN], problem)
            for name in request.query_params
            if (problem := _wrong(name, request.query_params.getlist(name), described))
        )
        if wrong:
            name, problem = wrong[0]
            raise ApiProblem(400, f"The parameter {name} {problem}", errors=wrong)
        return True


def parameters(view: Any, handler: Any, method: str) -> dict[str, Any]:
    """Return the query parameters that an operation describes, by name."""
    place = (type(view), method)
    if place not in _described:
        described = getattr(handler, "kwargs", {}).get("schema")
        kind: Any = described or api_settings.DEFAULT_SCHEMA_CLASS
        schema = kind()
        schema.view, schema.method = view, method
        _described[place] = {
            parameter.name: parameter for parameter in schema.parameters()
        }
    return _described[place]


def _is_day(text: str) -> bool:
    try:
        return parse_date(text) is not None
    except ValueError:
        return False


def _wrong(name: str, values: list[str], described: dict[str, Any]) -> str:
    """Return what is wrong with a parameter; empty if nothing is."""
    if name not in described:
        allowed = (
            f"known are {', '.join(sorted(described))}" if described else "none are"
        )
        return f"is unknown; {allowed}."
    parameter = described[name]
    if len(values) > 1 and not parameter.is_many:
        return "is given more than once."
    if parameter.choices and not parameter.choices.issuperset(values):
        return f"must be one of {', '.join(sorted(parameter.choices))}."
    if not parameter.is_free and "" in values:
        return "is empty; leave it out."
    if parameter.is_day and not all(map(_is_day, values)):
        return "must be a day, as 2026-11-21."
    return ""

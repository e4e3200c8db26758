"""The OpenAPI document as the tests of this folder use it: with ids that there are."""

import copy
import functools
from collections.abc import Collection
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from tests.api.rows import ids_of

# Its replies end when their reader goes; it has tests of its own.
ENDLESS = ("/api/v1/events/stream/",)


@functools.cache
def document() -> dict[str, Any]:
    """What `/api/openapi.json` answers."""
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return made


def operations(without: Collection[str] = ()) -> list[tuple[str, str]]:
    """Every operation as path and method."""
    return [
        (path, method)
        for path, methods in document()["paths"].items()
        for method in methods
        if path not in without
    ]


def parameters_of(path: str, project: str) -> dict[str, str]:
    """What stands in an address that leads to a row of the project."""
    ids = ids_of(project)
    work = ids["mitigation" if "mitigations" in path else "deliberation"]
    known = {**ids, "work_id": work}
    if "exports" in path:
        known["what"] = "mentions"
    if "layers" in path:
        known["name"] = "consistency"
    return {name: value for name, value in known.items() if f"{{{name}}}" in path}


def with_known_ids(project: str) -> dict[str, Any]:
    """The document, whose addresses may also name the rows of a project.

    Ids that are made up lead nowhere; with these a request comes further than 404.
    """
    made = copy.deepcopy(document())
    for path in ENDLESS:
        del made["paths"][path]
    for path, methods in made["paths"].items():
        known = parameters_of(path, project)
        for operation in methods.values():
            # Whoever waits for a worker that is not there waits in vain.
            operation["parameters"] = [
                one
                for one in operation.get("parameters", ())
                if one["name"] != "Prefer"
            ]
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path" and parameter["name"] in known:
                    schema = parameter["schema"]
                    const = {"const": known[parameter["name"]]}
                    parameter["schema"] = {"anyOf": [const, schema]}
    return made

"""Check JSON Schemas before they are registered: draft 2020-12, safe keywords only.

A registered schema is data from outside: it reaches no network, runs no pattern that
backtracks, and refers to nothing but itself and its project's other schemas.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import re2

from verifyhub.engine.errors import ToolSchemaError
from verifyhub.engine.text.tokens import word_set

MAX_SCHEMA_BYTES = 64 * 1024
MAX_DEPTH = 32
MAX_PATTERN = 500
MAX_REFERENCE = 300
DIALECT = "https://json-schema.org/draft/2020-12/schema"
# `package/schema#Name`, as in `@acme/search-contracts/schema#QueryResult`.
REFERENCE = re.compile(r"[\w@][\w@./~+-]{0,199}#[A-Za-z_][\w.-]{0,99}")

_ONE = word_set("items contains additionalProperties propertyNames not if then else")
_LISTS = word_set("allOf anyOf oneOf prefixItems")
_MAPS = word_set("properties patternProperties dependentSchemas $defs")
_VALUES = word_set(
    """
    type enum const required minProperties maxProperties minItems maxItems minContains
    maxContains uniqueItems minLength maxLength minimum maximum exclusiveMinimum
    exclusiveMaximum multipleOf dependentRequired pattern $ref
    """
)
_NOTES = word_set(
    """
    title description default examples deprecated readOnly writeOnly format $comment
    $schema contentMediaType contentEncoding
    """
)
KEYWORDS = _ONE | _LISTS | _MAPS | _VALUES | _NOTES


def check_schema(schema: object) -> None:
    """Refuse a schema that is invalid or uses forbidden keywords.

    Raises:
        ToolSchemaError: With the place in the schema and what is wrong there.
    """
    if not isinstance(schema, Mapping):
        raise ToolSchemaError("", "must be an object.")
    if len(json.dumps(schema).encode()) > MAX_SCHEMA_BYTES:
        raise ToolSchemaError("", f"has more than {MAX_SCHEMA_BYTES} bytes.")
    for path, part in _parts(schema):
        for keyword, value in part.items():
            _keyword(path, keyword, value)
    _is_valid(schema)


def references(schema: Mapping[str, Any]) -> set[str]:
    """Return the other schemas that a checked schema refers to."""
    names = {part.get("$ref", "#") for _, part in _parts(schema)}
    return {name for name in names if not name.startswith("#")}


def _parts(schema: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield a schema and every schema inside it, with their paths."""
    stack: list[tuple[str, Any, int]] = [("", schema, 0)]
    while stack:
        path, part, depth = stack.pop()
        if isinstance(part, bool):
            continue
        if not isinstance(part, Mapping):
            raise ToolSchemaError(path, "must be a schema: an object or a boolean.")
        if depth > MAX_DEPTH:
            raise ToolSchemaError(path, f"lies deeper than {MAX_DEPTH} schemas.")
        yield path, part
        for name, inner in _inside(path, part):
            stack.append((name, inner, depth + 1))


def _inside(path: str, part: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for keyword, value in part.items():
        name = f"{path}.{keyword}" if path else keyword
        if keyword in _ONE:
            yield name, value
        elif keyword in _LISTS and isinstance(value, list):
            for index, inner in enumerate(value):
                yield f"{name}[{index}]", inner
        elif keyword in _MAPS and isinstance(value, Mapping):
            for key, inner in value.items():
                yield f"{name}.{key}", inner


def _keyword(path: str, keyword: str, value: object) -> None:
    place = f"{path}.{keyword}" if path else keyword
    if keyword not in KEYWORDS:
        raise ToolSchemaError(place, "is a keyword that is not supported.")
    if keyword == "$schema" and value != DIALECT:
        raise ToolSchemaError(place, f"must be {DIALECT}.")
    if keyword == "$ref":
        if not isinstance(value, str) or len(value) > MAX_REFERENCE:
            raise ToolSchemaError(place, "must be a string.")
        is_local = value == "#" or value.startswith("#/$defs/")
        if not is_local and not (REFERENCE.fullmatch(value) and "://" not in value):
            raise ToolSchemaError(
                place,
                "must be #, #/$defs/… or package/schema#Name of a registered schema;"
                " nothing is fetched.",
            )
    if keyword == "pattern":
        compiled(place, value)
    if keyword == "patternProperties" and isinstance(value, Mapping):
        for pattern in value:
            compiled(place, pattern)


def compiled(place: str, pattern: object) -> Any:
    """Compile a pattern with an engine of linear time.

    Raises:
        ToolSchemaError: If it is too long, or uses what that engine lacks
            (look-around and back-references).
    """
    if not isinstance(pattern, str) or len(pattern) > MAX_PATTERN:
        raise ToolSchemaError(
            place, f"must be a pattern of at most {MAX_PATTERN} characters."
        )
    options = re2.Options()
    options.log_errors = False
    options.max_mem = 1 << 20
    try:
        return re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        raise ToolSchemaError(
            place, "is no pattern without look-around and back-references."
        ) from error


def _is_valid(schema: Mapping[str, Any]) -> None:
    # Imported here: it takes longer to load than most verifications take.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    try:
        Draft202012Validator.check_schema(dict(schema))
    except SchemaError as error:
        path = ".".join(str(step) for step in error.absolute_path)
        raise ToolSchemaError(path, "is not what JSON Schema allows there.") from error
    except RecursionError as error:
        raise ToolSchemaError("", "is nested too deeply.") from error

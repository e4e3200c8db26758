"""Level 2: validate the outputs of registered tools against their JSON Schemas.

Work is counted and bounded: however a schema and an output are made, a check ends, and
one that ends early says that it could not be made.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from verifyhub.engine.errors import EngineError, ToolSchemaError
from verifyhub.engine.levels.categories import Category, Problem
from verifyhub.engine.levels.schema_rules import compiled, references
from verifyhub.engine.text.tokens import encodable
from verifyhub.engine.types import CallStatus, ToolCall

MAX_OUTPUT = 1024 * 1024
MAX_OUTPUT_DEPTH = 64
MAX_ERRORS = 20
# Steps of one output's check; a step is about a microsecond.
STEP_BUDGET = 300_000
# Steps of all outputs of one run.
RUN_BUDGET = 3_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelSchema:
    """A registered JSON Schema.

    `reference` is its name in the registry, `package/schema#Name`; `tool` the tool
    whose outputs it describes, empty for one that others only refer to. `schema` was
    taken by `schema_rules.check_schema`.
    """

    reference: str
    tool: str
    schema: Mapping[str, Any]


class _TooMuchError(EngineError):
    """A check took all the steps it was given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputResult:
    """One output's check; `reason` tells why it was not possible."""

    call: int
    tool: str
    reference: str
    problems: tuple[Problem, ...] = ()
    reason: str = ""

    def as_dict(self) -> dict[str, Any]:
        status = "unknown" if self.reason else ("false" if self.problems else "ok")
        return {
            "tool_call": self.call,
            "tool": self.tool,
            "schema": self.reference,
            "status": status,
            "reason": self.reason,
        }


def check_outputs(
    calls: Iterable[ToolCall], schemas: Sequence[LevelSchema]
) -> list[OutputResult]:
    """Check the output of every successful call of a tool that has a schema."""
    by_tool = {schema.tool: schema for schema in schemas if schema.tool}
    failed = {CallStatus.ERROR, CallStatus.REFUSED}
    registered = [
        (call, by_tool[call.tool])
        for call in calls
        if call.tool in by_tool and call.status not in failed
    ]
    if not registered:
        return []
    checker = _SchemaChecker({schema.reference: schema for schema in schemas})
    return [checker.check(call, schema) for call, schema in registered]


class _SchemaChecker:
    """One run's check: its registry and the steps that are left."""

    def __init__(self, registry: Mapping[str, LevelSchema]) -> None:
        # Imported here: it takes longer to load than most verifications take.
        from jsonschema import Draft202012Validator
        from jsonschema.validators import extend
        from referencing import Registry
        from referencing.jsonschema import DRAFT202012

        self.registry = registry
        self.addresses = {name: f"schema:{i}" for i, name in enumerate(registry)}
        self.resources = Registry().with_resources(
            (
                self.addresses[name],
                DRAFT202012.create_resource(self._bound(entry.schema)),
            )
            for name, entry in registry.items()
        )
        self.run_left = RUN_BUDGET
        self.left = 0
        self.sizes: dict[int, int] = {}
        own_keywords = {
            "pattern": _pattern,
            "patternProperties": _pattern_properties,
            "additionalProperties": _additional_properties,
            "uniqueItems": _unique_items,
        }
        keywords = {**Draft202012Validator.VALIDATORS, **own_keywords}
        self.validator = extend(
            Draft202012Validator,
            validators={name: self._counted(rule) for name, rule in keywords.items()},
        )

    def check(self, call: ToolCall, schema: LevelSchema) -> OutputResult:
        about: dict[str, Any] = {
            "call": call.index,
            "tool": call.tool,
            "reference": schema.reference,
        }
        if len(call.output) > MAX_OUTPUT:
            return OutputResult(**about, reason="too_large")
        if self._misses(schema.reference):
            return OutputResult(**about, reason="schema_incomplete")
        self.left = min(STEP_BUDGET, self.run_left)
        try:
            value = _value(call.output)
            self.sizes = _sizes(value)
            problems = tuple(self._problems(call, schema, value))
        except (_TooMuchError, RecursionError):
            return OutputResult(**about, reason="too_much_work")
        except (ArithmeticError, ToolSchemaError):
            return OutputResult(**about, reason="schema_unusable")
        finally:
            self.run_left -= min(STEP_BUDGET, self.run_left) - self.left
            self.sizes = {}
        return OutputResult(**about, problems=problems)

    def _problems(
        self, call: ToolCall, schema: LevelSchema, value: Any
    ) -> Iterator[Problem]:
        rules = self.validator(
            {"$ref": self.addresses[schema.reference]}, registry=self.resources
        )
        for error in islice(rules.iter_errors(value), MAX_ERRORS):
            place = f"tool_calls[{call.index}].output" + _steps(error.absolute_path)
            yield Problem(
                path=place,
                category=Category.SCHEMA_MISMATCH,
                message=_message(error.validator, error.validator_value),
            )

    def _misses(self, reference: str) -> bool:
        """Whether a schema refers, over any number of steps, to none that is there."""
        seen: set[str] = set()
        open_names = [reference]
        while open_names:
            name = open_names.pop()
            if name in seen:
                continue
            if name not in self.registry:
                return True
            seen.add(name)
            open_names += references(self.registry[name].schema)
        return False

    def _bound(self, schema: Any) -> Any:
        """Copy a schema with references to others as addresses of this registry."""
        if isinstance(schema, Mapping):
            return {
                key: self.addresses.get(value, value)
                if key == "$ref" and isinstance(value, str)
                else self._bound(value)
                for key, value in schema.items()
            }
        if isinstance(schema, list):
            return [self._bound(item) for item in schema]
        return schema

    def _counted(self, rule: Any) -> Any:
        """Make a keyword pay for its work: steps of its own, and errors by size."""

        def checked(
            validator: Any, value: Any, instance: Any, schema: Any
        ) -> Iterator[Any]:
            self._spend(1 + _length(value) + _length(instance) // 8)
            for error in rule(validator, value, instance, schema) or ():
                # The library writes the whole value into its message.
                self._spend(self.sizes.get(id(instance), 1) // 20)
                yield error

        return checked

    def _spend(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            self.left = 0
            raise _TooMuchError


def _value(output: str) -> Any:
    """Read an output as JSON; one that is none counts as the string it is."""

    def refuse(name: str) -> Any:
        raise ValueError(name)

    try:
        value = json.loads(output, parse_constant=refuse)
    except (ValueError, RecursionError):
        return output
    return value if _is_shallow(value) else output


def _is_shallow(value: Any) -> bool:
    level = [value]
    for _ in range(MAX_OUTPUT_DEPTH):
        level = [child for item in level for child in _children(item)]
        if not level:
            return True
    return False


def _children(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _sizes(value: Any) -> dict[int, int]:
    """Return how much every container and string holds, by identity."""
    sizes: dict[int, int] = {}

    def size(item: Any) -> int:
        if isinstance(item, str):
            total = 1 + len(item)
        elif isinstance(item, dict):
            total = 1 + sum(len(key) + size(child) for key, child in item.items())
        elif isinstance(item, list):
            total = 1 + sum(map(size, item))
        else:
            return 1
        sizes[id(item)] = total
        return total

    size(value)
    return sizes


def _length(value: object) -> int:
    return len(value) if isinstance(value, (dict, list, str)) else 0


def _steps(path: Iterable[str | int]) -> str:
    return "".join(
        f"[{step}]" if isinstance(step, int) else f".{step[:200]}" for step in path
    )


def _message(keyword: str | None, value: Any) -> str:
    """Return what the schema asks for; the schema is the project's, not an agent's."""
    shown_value = json.dumps(value, ensure_ascii=False, default=str)
    if keyword is None or len(shown_value) > 200:
        return f"does not satisfy {keyword or 'its schema'}."
    return f"does not satisfy {keyword}: {shown_value}."


def _pattern(validator: Any, value: str, instance: Any, _schema: Any) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, str):
        return
    if compiled("pattern", value).search(encodable(instance)) is None:
        yield ValidationError("pattern")


def _matching(patterns: Iterable[str], keys: Iterable[str]) -> dict[str, list[str]]:
    names = list(keys)
    return {
        pattern: [name for name in names if rule.search(encodable(name))]
        for pattern in patterns
        for rule in [compiled("patternProperties", pattern)]
    }


def _pattern_properties(
    validator: Any, value: Mapping[str, Any], instance: Any, _schema: Any
) -> Iterator[Any]:
    if isinstance(instance, dict):
        for pattern, names in _matching(value, instance).items():
            for name in names:
                yield from validator.descend(
                    instance[name], value[pattern], path=name, schema_path=pattern
                )


def _additional_properties(
    validator: Any, value: Any, instance: Any, schema: Mapping[str, Any]
) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if not isinstance(instance, dict):
        return
    known = set(schema.get("properties", ()))
    for names in _matching(schema.get("patternProperties", ()), instance).values():
        known.update(names)
    for name in instance:
        if name not in known:
            if value is False:
                yield ValidationError("additionalProperties", path=[name])
            else:
                yield from validator.descend(instance[name], value, path=name)


def _unique_items(
    validator: Any, value: bool, instance: Any, _schema: Any
) -> Iterator[Any]:
    from jsonschema.exceptions import ValidationError

    if value and isinstance(instance, list):
        distinct = {json.dumps(_canonical(item), sort_keys=True) for item in instance}
        if len(distinct) < len(instance):
            yield ValidationError("uniqueItems")


def _canonical(value: Any) -> Any:
    """Write equal JSON values the same: 1.0 is 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items()}
    return value

"""Profiles of risk levels: layers, floor, time and money (requirement E6)."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from verifyhub.engine.errors import ProfileError
from verifyhub.engine.faults import Fault
from verifyhub.engine.layer_results import LayerName, RiskLevel

MAX_LATENCY_SECONDS = 600
MAX_MICRODOLLARS = 100_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The layers and floor that texts of one level must pass, with their limits.

    Attributes:
        level: The level of risk.
        layers: What runs, in the order of requirement E.
        floor: Confidence, 0..1, that the text must reach.
        latency_seconds: Cap on the whole run, more than 0.
        microdollars: Cap on what its calls cost, in millionths of a US dollar.
    """

    level: RiskLevel
    layers: tuple[LayerName, ...]
    floor: float
    latency_seconds: float
    microdollars: int

    def as_dict(self) -> dict[str, Any]:
        """Return the profile as it is stored, without its level, which is its key."""
        return {
            "layers": [str(name) for name in self.layers],
            "floor": self.floor,
            "latency_seconds": self.latency_seconds,
            "microdollars": self.microdollars,
        }


_ORDER = tuple(LayerName)
PROFILES: Mapping[RiskLevel, Profile] = MappingProxyType(
    {
        level: Profile(
            level=level,
            layers=_ORDER[:count],
            floor=floor,
            latency_seconds=seconds,
            microdollars=microdollars,
        )
        for level, count, floor, seconds, microdollars in (
            (RiskLevel.LOW, 1, 0.7, 2.0, 1_000),
            (RiskLevel.MEDIUM, 2, 0.8, 5.0, 10_000),
            (RiskLevel.HIGH, 4, 0.9, 10.0, 50_000),
            (RiskLevel.CRITICAL, 5, 0.95, 30.0, 100_000),
        )
    }
)


# What `read_profiles` takes, as JSON Schema.
PROFILES_SHAPE: dict[str, Any] = {
    "additionalProperties": False,
    "properties": {
        str(level): {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "layers": {
                    "type": "array",
                    "items": {
                        "type": "string",
                        "enum": [str(layer) for layer in LayerName],
                    },
                    "minItems": 1,
                    "uniqueItems": True,
                },
                "floor": {"type": "number", "minimum": 0, "maximum": 1},
                "latency_seconds": {
                    "type": "number",
                    "exclusiveMinimum": 0,
                    "maximum": MAX_LATENCY_SECONDS,
                },
                "microdollars": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": MAX_MICRODOLLARS,
                },
            },
        }
        for level in RiskLevel
    },
}


def read_profiles(own: object) -> dict[RiskLevel, Profile]:
    """Return every level's profile: a project's own values, the rest as published.

    Args:
        own: `{"high": {"floor": 0.85, "layers": ["nli"]}, …}`; what is not named keeps
            its default.

    Raises:
        ProfileError: With every wrong field, as `high.floor`, and what is wrong.
    """
    if not isinstance(own, Mapping):
        raise ProfileError({"": Fault("levels_no_object")})
    errors = {
        str(level): Fault("no_level", list=", ".join(RiskLevel))
        for level in own
        if level not in set(RiskLevel)
    }
    profiles = {}
    for level, default in PROFILES.items():
        values = own.get(str(level), {})
        problems = _problems(values)
        errors |= {
            f"{level}.{name}" if name else str(level): problem
            for name, problem in problems.items()
        }
        if not problems:
            profiles[level] = replace(default, **_values(values))
    if errors:
        raise ProfileError(errors)
    return profiles


def _values(values: Mapping[str, Any]) -> dict[str, Any]:
    fields = dict(values)
    if "microdollars" in fields:
        fields["microdollars"] = int(fields["microdollars"])
    if "layers" in fields:
        # The order is the detector's, whatever order people name them in.
        fields["layers"] = tuple(name for name in _ORDER if name in fields["layers"])
    return fields


def _problems(values: object) -> dict[str, Fault]:
    if not isinstance(values, Mapping):
        return {"": Fault("no_object")}
    checks = {
        "layers": _layers_problem,
        "floor": lambda value: _number_problem(value, 1),
        "latency_seconds": lambda value: _number_problem(
            value, MAX_LATENCY_SECONDS, above=True
        ),
        "microdollars": _microdollars_problem,
    }
    return {
        str(name): fault
        for name, value in values.items()
        if (fault := checks[name](value) if name in checks else Fault("not_known"))
    }


def _layers_problem(value: object) -> Fault | None:
    names = ", ".join(LayerName)
    if not isinstance(value, list | tuple) or not value:
        return Fault("no_layers", list=names)
    if not all(isinstance(name, str) and name in set(LayerName) for name in value):
        return Fault("only_layers", list=names)
    return None if len(set(value)) == len(value) else Fault("layer_twice")


def _number_problem(value: object, most: float, *, above: bool = False) -> Fault | None:
    fault = Fault("above_to" if above else "from_to", least=0, most=most)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return fault
    if not math.isfinite(value) or not 0 <= value <= most:
        return fault
    return fault if above and value == 0 else None


def _microdollars_problem(value: object) -> Fault | None:
    is_whole = isinstance(value, int | float) and float(value).is_integer()
    if isinstance(value, bool) or not is_whole:
        return Fault("no_whole_microdollars")
    if not 0 <= cast(float, value) <= MAX_MICRODOLLARS:
        return Fault("microdollars_from_to", least=0, most=MAX_MICRODOLLARS)
    return None

"""Profiles of risk levels: layers, floor, time and money (requirement E6)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Annotated, Any

from pydantic import Field, ValidationError
from pydantic_core import ErrorDetails
from typing_extensions import TypedDict

from verifyhub.common.contract import AS_WHOLE, KEY, Share, Strict, reader_of
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


class OwnProfile(TypedDict, total=False):
    """A project's changes to the published profile of a level."""

    layers: Annotated[list[LayerName], Field(min_length=1)]
    """They run in the order of requirement E."""
    floor: Annotated[Share, Field(allow_inf_nan=False)]
    latency_seconds: Annotated[
        float,
        Field(strict=True, gt=0, le=MAX_LATENCY_SECONDS, allow_inf_nan=False),
    ]
    microdollars: Annotated[int, Field(ge=0, le=MAX_MICRODOLLARS), AS_WHOLE]


OwnProfiles = dict[RiskLevel, Annotated[OwnProfile, Strict()]]


def read_profiles(own: object) -> dict[RiskLevel, Profile]:
    """Return every level's profile: a project's own values, the rest as published.

    Raises:
        ProfileError: As `own_profiles` does.
    """
    changes = own_profiles(own)
    profiles = {}
    for level, default in PROFILES.items():
        fields: dict[str, Any] = {**changes.get(level, {})}
        if "layers" in fields:
            # The order is the detector's, whatever order people name them in.
            fields["layers"] = tuple(
                name for name in LayerName if name in fields["layers"]
            )
        profiles[level] = replace(default, **fields)
    return profiles


def own_profiles(own: object) -> OwnProfiles:
    """Read a project's changes to the published profiles.

    Args:
        own: `{"high": {"floor": 0.85, "layers": ["nli"]}, …}`.

    Raises:
        ProfileError: With every wrong field, as `high.floor`, and what is wrong.
    """
    try:
        return reader_of(OwnProfiles).adapter.validate_python(own)
    except ValidationError as error:
        raise ProfileError(dict(map(_fault, error.errors()))) from None


def _fault(details: ErrorDetails) -> tuple[str, Fault]:
    faults = {
        "": Fault("no_object"),
        KEY: Fault("no_level", list=", ".join(RiskLevel)),
        "layers": Fault("no_layers", list=", ".join(LayerName)),
        "floor": Fault("from_to", least=0, most=1),
        "latency_seconds": Fault("above_to", least=0, most=MAX_LATENCY_SECONDS),
        "microdollars": Fault("whole_from_to", least=0, most=MAX_MICRODOLLARS),
    }
    if not details["loc"]:
        return "", Fault("levels_no_object")
    # `Strict` gives the name of an unknown field apart.
    unknown = details.get("ctx", {}).get("field", "")
    level, name = [*map(str, details["loc"]), unknown][:2]
    field = level if name in {"", KEY} else f"{level}.{name}"
    return field, faults.get(name, Fault("not_known"))

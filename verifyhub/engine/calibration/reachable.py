"""Whether any text could pass a risk profile under the active calibrations."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import fsum
from typing import Protocol

from verifyhub.engine.calibration.calibrator import Calibrator
from verifyhub.engine.faults import Fault

# A mean this close to the floor differs from it by rounding alone.
_ROUNDING = 1e-9


class Floored(Protocol):
    """A profile with layers and a floor, as `engine.risk.profiles.Profile` is one."""

    @property
    def layers(self) -> Collection[str]:
        """The layers whose mean must reach the floor."""

    @property
    def floor(self) -> float:
        """The least mean that passes, 0..1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestScores:
    """The best that any text could do under a profile.

    Attributes:
        floor: The minimum confidence of the profile.
        layers: Highest reachable probability of each layer; 1 where it is uncalibrated.
    """

    floor: float
    layers: Mapping[str, float]

    @property
    def mean(self) -> float:
        """The highest mean that any text reaches; 1 without layers."""
        return fsum(self.layers.values()) / len(self.layers) if self.layers else 1.0

    @property
    def is_impossible(self) -> bool:
        """Whether even a text that every layer scores 1 stays below the floor."""
        return self.mean < self.floor - _ROUNDING

    @property
    def objection(self) -> Fault | None:
        """Return why no text can pass, with the arithmetic; None if one can."""
        if not self.is_impossible:
            return None
        parts = ", ".join(
            f"{name.replace('_', ' ')} {cut(value)}"
            for name, value in self.layers.items()
        )
        return Fault(
            "unreachable_floor",
            list=parts,
            share=cut(self.mean),
            floor=f"{self.floor:g}",
        )


def reach(profile: Floored, calibrators: Mapping[str, Calibrator]) -> BestScores:
    """Return the best that any text could do.

    Args:
        profile: Its layers all count: a text that is checked by every one of them
            must be able to pass.
        calibrators: The active ones, by the name of the layer.
    """
    return BestScores(
        floor=profile.floor,
        layers={
            str(name): calibrators[str(name)].highest if str(name) in calibrators else 1
            for name in profile.layers
        },
    )


def cut(value: float) -> str:
    """Write a number with four decimals, cut: 0.89999 must not read as 0.9."""
    return f"{int(value * 10_000) / 10_000:g}"

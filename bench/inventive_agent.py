"""A scripted agent that invents names, and the repository that it works in."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

POOL = 60
_AREAS = ("billing", "orders", "stock", "search", "mail", "users")
_THINGS = ("client", "cache", "queue", "parser", "report", "policy", "schema", "worker")


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature of the repository: its name, and an invented one."""

    words: str
    real: str
    invented: str

    @property
    def is_package(self) -> bool:
        """Whether it is a package of the uploaded lock file; otherwise a file."""
        return "/" not in self.real


def features() -> list[Feature]:
    """Return as many features as the pool has invented names."""
    found = []
    for number in range(POOL):
        area = _AREAS[number % len(_AREAS)]
        thing = _THINGS[number // len(_AREAS) % len(_THINGS)]
        real = f"shop/{area}/{thing}_{number}.py"
        invented = f"shop/{area}/{thing}_service_{number}.py"
        if number % 2:
            real, invented = f"{area}-{thing}-{number}", f"{area}-{thing}-{number}-kit"
        found.append(Feature(f"the {area} {thing} {number}", real, invented))
    return found


@dataclass(frozen=True, slots=True)
class Agent:
    """Invents names at one rate and follows advice at another."""

    seed: int
    invents: float
    obeys: float

    def draft(self, subtask: str, asked: Sequence[Feature]) -> list[str]:
        """Name some features; at most one of the names is invented."""
        chance = random.Random(f"{self.seed} {subtask} draft")
        names = [feature.real for feature in asked]
        if chance.random() < self.invents:
            slot = chance.randrange(len(asked))
            names[slot] = asked[slot].invented
        return names

    def revised(
        self, occasion: str, asked: Sequence[Feature], names: Sequence[str], told: str
    ) -> list[str]:
        """Correct the names that are reported as wrong, if the agent complies."""
        chance = random.Random(f"{self.seed} {occasion}")
        obeys = chance.random() < self.obeys
        return [
            feature.real if name == feature.invented in told and obeys else name
            for feature, name in zip(asked, names, strict=True)
        ]


def answer_of(asked: Sequence[Feature], names: Sequence[str]) -> str:
    """Return an answer with the name of each feature."""
    first, second = (
        f"in the package `{name}`" if feature.is_package else f"in `{name}`"
        for feature, name in zip(asked, names, strict=True)
    )
    return f"The first is {first}, the second {second}."

"""Choose the tier that verifies a tier (requirement A1)."""

from enum import StrEnum


class Tier(StrEnum):
    """Size class of a model."""

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


def verifier_tier(executor: str) -> Tier:
    """Return the tier that checks an answer of `executor`: the next one up.

    A small executor, and one of unknown tier, is checked by medium; medium and large
    by large.
    """
    return Tier.LARGE if executor in {Tier.MEDIUM, Tier.LARGE} else Tier.MEDIUM

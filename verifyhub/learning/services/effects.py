"""What learning changed."""

from verifyhub.common.effects import Effect
from verifyhub.engine.text.quoting import quoted
from verifyhub.learning.models import LabelledExample, PreferencePair

EXAMPLE, SAMPLES, PAIR = "example", "calibration_sample", "preference_pair"


def example_effect(example: LabelledExample, *, active: bool) -> Effect:
    """Say that verifiers may be shown a decision from now on, or no longer."""
    code = "example" if example.subject else "example_of_answer"
    return Effect(
        type=EXAMPLE,
        id=str(example.id),
        before={"active": not active},
        after={
            "active": active,
            "target": example.target,
            "machine": example.machine,
            "person": example.person,
        },
        code=code if active else f"{code}_undone",
        params={"name": quoted(example.subject[:80])} if example.subject else {},
    )


def samples_effect(example: LabelledExample, count: int, *, active: bool) -> Effect:
    """Return how many scores a decision labels, or no longer labels."""
    return Effect(
        type=SAMPLES,
        id=str(example.id),
        before={"active": not active, "count": count},
        after={"active": active, "count": count},
        code="samples" if active else "samples_undone",
        params={"count": count},
    )


def pair_effect(pair: PreferencePair, *, active: bool) -> Effect:
    """Say that two answers can be learned from as a pair, or no longer."""
    return Effect(
        type=PAIR,
        id=str(pair.id),
        before={"active": not active},
        after={"active": active},
        code="pair" if active else "pair_undone",
        params={},
    )

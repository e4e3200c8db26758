"""What the run says of one value at one place."""

from dataclasses import dataclass

from verifyhub.engine.value_results import ValueEvidence, ValueNote, ValueStatus
from verifyhub.engine.values.evidence import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """The status of a value, why, and what decided.

    Attributes:
        status: Where it comes from.
        reason: How that came about.
        places: Where it stands, or what stands there instead.
        terms: What it was calculated from.
        note: The calculation, or what the tools say instead.
    """

    status: ValueStatus
    reason: ValueNote
    places: tuple[Place, ...] = ()
    terms: tuple[ValueEvidence, ...] = ()
    note: str = ""

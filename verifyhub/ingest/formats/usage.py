"""Token usage and cost, as transcripts and traces report them."""

from dataclasses import dataclass
from decimal import Decimal

from verifyhub.common.contract import MAX_WHOLE
from verifyhub.common.env import MAX_DOLLARS, MICRODOLLARS
from verifyhub.engine.types import RunUsage
from verifyhub.ingest.formats.entries import TranscriptEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedUsage:
    """The total usage of requests to models; None where none is reported."""

    input_tokens: float | None = None
    output_tokens: float | None = None
    dollars: float | None = None

    @classmethod
    def of(
        cls, entry: TranscriptEntry, input_name: str, output_name: str, cost: str = ""
    ) -> "ReportedUsage":
        """Read the usage from the members with these names."""
        return cls(
            input_tokens=entry.number(input_name),
            output_tokens=entry.number(output_name),
            dollars=entry.number(cost) if cost else None,
        )

    def __add__(self, other: "ReportedUsage") -> "ReportedUsage":
        return ReportedUsage(
            input_tokens=total(self.input_tokens, other.input_tokens),
            output_tokens=total(self.output_tokens, other.output_tokens),
            dollars=total(self.dollars, other.dollars),
        )

    def since(self, before: "ReportedUsage") -> "ReportedUsage":
        """Return the usage since an earlier reading of the same counter."""
        return ReportedUsage(
            input_tokens=_difference(self.input_tokens, before.input_tokens),
            output_tokens=_difference(self.output_tokens, before.output_tokens),
            dollars=_difference(self.dollars, before.dollars),
        )

    def usage(self) -> RunUsage | None:
        """Return the usage of a run, without impossible values."""
        tokens = [_counted(self.input_tokens), _counted(self.output_tokens)]
        cost = None
        if self.dollars is not None and 0 <= self.dollars <= MAX_DOLLARS:
            cost = round(Decimal(str(self.dollars)) * MICRODOLLARS)
        if tokens == [None, None] and cost is None:
            return None
        return RunUsage(
            input_tokens=tokens[0], output_tokens=tokens[1], cost_microdollars=cost
        )


def total(*parts: float | None) -> float | None:
    """Return the sum of the known counts; None if none is known."""
    counts = [part for part in parts if part is not None]
    return sum(counts) if counts else None


def _difference(now: float | None, before: float | None) -> float | None:
    # A lower count than before has restarted from zero.
    if now is None or before is None or now < before:
        return now
    return now - before


def _counted(value: float | None) -> int | None:
    if value is None or not 0 <= value <= MAX_WHOLE:
        return None
    return int(value)

"""The cost of verification by models, and its share of the runs' cost."""

from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.inference.selectors import Spending, SpendingShare
from verifyhub.metrics.counting.other_calls import all_calls
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.tally import RowCounts, Tally
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class RunShare:
    """The cost of verification relative to the runs with a known cost.

    `runs` were verified by a model and sent with their cost; `run_microdollars` is
    their cost, `check_microdollars` that of their verification.
    """

    runs: int
    run_microdollars: int
    check_microdollars: int

    @property
    def value(self) -> float | None:
        """The cost of verification per cost of running; None if no run has a cost."""
        if not self.run_microdollars:
            return None
        return self.check_microdollars / self.run_microdollars


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """The cost of verification in a window, including re-verifications.

    Attributes:
        spending: All calls; for all agents also those without a stored answer, such as
            probes, embeddings and other texts.
        of_answers: The calls about these answers only.
        verdicts: Verifications with at least one call, also a cached one; calls that a
            cap prevented do not count.
        by_tier: Calls by the model's tier.
        by_purpose: Calls by the check.
        of_runs: The cost relative to the runs' own.
    """

    spending: Spending
    of_answers: Spending
    verdicts: int
    by_tier: list[SpendingShare]
    by_purpose: list[SpendingShare]
    of_runs: RunShare

    @property
    def per_verdict(self) -> int | None:
        """Micro-dollars per verdict with a model call; None if unknown."""
        cost = self.of_answers.cost_microdollars
        return None if cost is None or not self.verdicts else cost // self.verdicts


def costs(project: Project, window: Window) -> Costs:
    """Read the costs of a project in a window."""
    tally = read(project, window).total
    runs, calls = tally.sum("runs"), all_calls(project, window, tally)
    return Costs(
        spending=_spending(calls.sum("calls")),
        of_answers=_spending(tally.sum("calls")),
        verdicts=tally.sum("spending")["verdicts"],
        by_tier=_shares(calls, 0),
        by_purpose=_shares(calls, 1),
        of_runs=RunShare(
            runs=runs["runs"],
            run_microdollars=runs["run_cost"],
            check_microdollars=runs["check_cost"],
        ),
    )


def _shares(tally: Tally, place: int) -> list[SpendingShare]:
    rows = [
        SpendingShare(name, _spending(counts))
        for (name,), counts in tally.by("calls", place).items()
    ]
    return sorted(
        rows,
        key=lambda row: (
            -(row.spending.cost_microdollars or 0),
            -row.spending.tokens,
            row.name,
        ),
    )


def _spending(counts: RowCounts) -> Spending:
    # There were calls, but none with a price, so the cost is unknown.
    unknown = counts["calls"] and not counts["priced"]
    return Spending(
        calls=counts["calls"],
        failed=counts["failed"],
        cached=counts["cached"],
        held_back=counts["held_back"],
        tokens=counts["tokens"],
        cost_microdollars=None if unknown else counts["cost"],
        unpriced=counts["unpriced"],
        estimated=counts["estimated"],
        latency_ms=counts["latency_ms"],
    )

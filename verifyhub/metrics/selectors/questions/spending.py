"""The cost of verification: by verdict, by tier, and against the runs' cost."""

from dataclasses import dataclass

from verifyhub.accounts.models import Project
from verifyhub.metrics.counting.other_calls import all_calls
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.tally import RowCounts
from verifyhub.metrics.figures import Figure, Moments, counted, mean, ratio
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class CallCosts:
    """The calls of one tier, or for one purpose.

    `unpriced` calls have no known price, `cached` ones were not made, and `held_back`
    ones a cap did not let through.
    """

    name: str
    cost: Figure
    per_call: Figure
    unpriced: int
    cached: int
    held_back: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingFigures:
    """Money, in micro-dollars."""

    cost: Figure
    per_verdict: Figure
    share_of_run: Figure
    tiers: list[CallCosts]
    purposes: list[CallCosts]


def spending(project: Project, window: Window) -> SpendingFigures:
    """Sum up the cost of verification in a window, re-verifications included."""
    tally = read(project, window).total
    calls = all_calls(project, window, tally)
    verdicts, runs = tally.sum("spending"), tally.sum("runs")
    return SpendingFigures(
        cost=counted("cost", calls.sum("calls")["cost"]),
        per_verdict=mean(
            "cost_per_verdict",
            verdicts["priced"],
            verdicts["cost"],
            verdicts["cost_squared"],
        ),
        share_of_run=ratio(
            "share_of_run",
            Moments(
                n=runs["runs"],
                x=runs["check_cost"],
                y=runs["run_cost"],
                xx=runs["check_squared"],
                yy=runs["run_squared"],
                xy=runs["product"],
            ),
        ),
        tiers=_sorted(calls.by("calls", 0)),
        purposes=_sorted(calls.by("calls", 1)),
    )


def _sorted(rows: dict[tuple[str, ...], RowCounts]) -> list[CallCosts]:
    costs = [
        CallCosts(
            name=name,
            cost=counted("cost", counts["cost"]),
            per_call=mean(
                "cost_per_call",
                counts["priced"],
                counts["cost"],
                counts["cost_squared"],
            ),
            unpriced=counts["unpriced"],
            cached=counts["cached"],
            held_back=counts["held_back"],
        )
        for (name,), counts in rows.items()
    ]
    return sorted(costs, key=lambda row: (-(row.cost.value or 0), row.name))

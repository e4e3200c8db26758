"""What checking answers by models cost, and what that is beside the runs themselves."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Sum

from verifyhub.accounts.models import Project
from verifyhub.engine.ports import BUDGET
from verifyhub.inference.models import ModelCall
from verifyhub.inference.selectors import Share, Spending, shares, sum_of
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.windows import Window, within
from verifyhub.verification.models import Verification


@dataclass(frozen=True, slots=True, kw_only=True)
class RunShare:
    """Verification beside the runs whose own cost is known.

    `runs` were checked by a model and sent with their cost; `run_microdollars` is
    theirs, `check_microdollars` that of checking them.
    """

    runs: int
    run_microdollars: int
    check_microdollars: int

    @property
    def value(self) -> float | None:
        """The cost of checking per cost of running; None where no run has a cost."""
        if not self.run_microdollars:
            return None
        return self.check_microdollars / self.run_microdollars


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What the answers of a window cost to check, re-verifications included.

    Attributes:
        spending: All calls about these answers together.
        verdicts: Verifications that made or saved at least one call; one whose calls
            a cap held back asked no model.
        by_tier: The same, by the tier that was asked.
        by_purpose: The same, by the check that asked.
        of_runs: Beside what the runs themselves cost.
    """

    spending: Spending
    verdicts: int
    by_tier: list[Share]
    by_purpose: list[Share]
    of_runs: RunShare

    @property
    def per_verdict(self) -> int | None:
        """Micro-dollars a verdict that asked a model; None without price or verdict."""
        cost = self.spending.cost_microdollars
        return None if cost is None or not self.verdicts else cost // self.verdicts


def costs(project: Project, window: Window) -> Costs:
    """Read the costs of a project in a window, in a fixed number of queries."""
    calls = _calls(project, _verifications(project, window))
    asked = calls.exclude(outcome=BUDGET)
    verdicts = asked.aggregate(n=Count("verification_id", distinct=True))["n"]
    return Costs(
        spending=sum_of(calls),
        verdicts=verdicts,
        by_tier=shares(calls, "tier"),
        by_purpose=shares(calls, "purpose"),
        of_runs=_beside_runs(project, window),
    )


def _verifications(project: Project, window: Window) -> QuerySet[Verification]:
    return within(Verification.objects.filter(project=project), window)


def _calls(
    project: Project, verifications: QuerySet[Verification]
) -> QuerySet[ModelCall]:
    return ModelCall.objects.filter(
        project=project, verification_id__in=verifications.values("id")
    )


def _beside_runs(project: Project, window: Window) -> RunShare:
    priced = ModelCall.objects.filter(project=project).exclude(
        Q(cost_microdollars=None) | Q(outcome=BUDGET)
    )
    checked = _verifications(project, window).filter(
        Q(interaction__run_cost_microdollars__isnull=False),
        id__in=priced.exclude(verification_id=None).values("verification_id"),
    )
    runs = Interaction.objects.filter(
        project=project, id__in=checked.values("interaction_id")
    ).aggregate(n=Count("id"), cost=Sum("run_cost_microdollars", default=0))
    spent = _calls(project, checked).aggregate(cost=Sum("cost_microdollars", default=0))
    return RunShare(
        runs=runs["n"],
        run_microdollars=runs["cost"],
        check_microdollars=spent["cost"],
    )

"""Limits, spending and reservations of a project, cap by cap."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.conf import settings

from verifyhub.accounts.models import Project
from verifyhub.inference.caps import BY_NAME, CAPS, DAY, NOW, VERDICT, Cap, resumes_at
from verifyhub.inference.models import Budget


@dataclass(frozen=True, slots=True, kw_only=True)
class CapUse:
    """The current use of one cap; amounts in the cap's own unit.

    `limit` is None without a cap. `is_of_server` is true if the operator's ceiling
    applies, because it is lower.
    """

    cap: Cap
    limit: int | None
    is_of_server: bool
    spent: int
    reserved: int

    @property
    def used(self) -> int:
        """Return the amount that counts against the limit now."""
        return self.spent + self.reserved


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetState:
    """Whether calls of a project are waiting, for which cap, and until when."""

    uses: tuple[CapUse, ...]
    waiting_for: Cap | None = None
    waiting_since: datetime | None = None
    resumes_at: datetime | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether the last call was refused by a cap that still applies."""
        return self.waiting_for is not None


def limit_of(budget: Budget, cap: Cap) -> tuple[int | None, bool]:
    """Return the lower of the project's and operator's caps, and if the operator's."""
    own: int | None = getattr(budget, cap.name)
    ceiling: int | None = settings.BUDGET_CEILINGS.get(cap.name)
    if ceiling is None or (own is not None and own <= ceiling):
        return own, False
    return ceiling, True


def cap_use(budget: Budget, cap: Cap, today: date) -> CapUse:
    """Return the use of one cap on a day (UTC); a verdict's own has none here."""
    limit, is_of_server = limit_of(budget, cap)
    spent = reserved = 0
    if cap.period == NOW:
        spent = budget.calls_running
    elif cap.period != VERDICT:
        current = today if cap.period == DAY else today.replace(day=1)
        reserved = getattr(budget, f"reserved_{cap.counter}") // cap.scale
        if getattr(budget, cap.period) == current:
            counted = getattr(budget, f"{cap.period}_spent_{cap.counter}")
            spent = counted // cap.scale
    return CapUse(
        cap=cap,
        limit=limit,
        is_of_server=is_of_server,
        spent=spent,
        reserved=reserved,
    )


def budget_of(project: Project) -> Budget:
    """Return the project's caps and counters; an unsaved row if there is none."""
    return Budget.objects.filter(project=project).first() or Budget(project=project)


def budget_state(project: Project, now: datetime) -> BudgetState:
    """Return the use of a project's caps, and whether its calls wait for one.

    A refused call is recorded until another call is admitted, the period ends, or the
    caps are changed.
    """
    return _state_of(budget_of(project), now)


def waiting_projects(now: datetime) -> int:
    """Count the projects whose calls wait for a cap."""
    marked = Budget.objects.exclude(refused_by="")
    return sum(_state_of(budget, now).is_waiting for budget in marked)


def _state_of(budget: Budget, now: datetime) -> BudgetState:
    today = now.astimezone(UTC).date()
    uses = tuple(cap_use(budget, cap, today) for cap in CAPS)
    cap = BY_NAME.get(budget.refused_by)
    if cap is None or budget.refused_at is None:
        return BudgetState(uses=uses)
    until = resumes_at(cap, budget.refused_at)
    if until is not None and until <= now:
        return BudgetState(uses=uses)
    return BudgetState(
        uses=uses,
        waiting_for=cap,
        waiting_since=budget.refused_at,
        resumes_at=until,
    )

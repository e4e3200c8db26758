"""Links from figures and marks to the answers behind them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from django.urls import reverse

from verifyhub.accounts.models import Project
from verifyhub.metrics.windows import Window

# Before any answer: filters by whether it ever happened.
EVER = "2000-01-01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Links from one project's metrics in one window."""

    project: Project
    window: Window

    def answers(self, **filters: object) -> str:
        """Return the list of the window's answers with further filters."""
        window = self.window
        since, until = window.since, window.until
        values = {
            "since": _text(since),
            "until": _text(until),
            "agent": window.agent,
            "tier": window.tier,
            "model": window.model,
            **filters,
        }
        given = {name: value for name, value in values.items() if value}
        return reverse("review:answer-list", args=[self.project.slug], query=given)

    def day(self, day: date, **filters: object) -> str:
        """Return the answers that were received on one day (UTC)."""
        return self.days(day, day, **filters)

    def week(self, monday: date, **filters: object) -> str:
        """Return the answers of the week that begins on a Monday (UTC)."""
        return self.days(monday, monday + timedelta(days=6), **filters)

    def days(self, first: date, last: date, **filters: object) -> str:
        """Return the answers of some days within the window."""
        since, until = self._bounds(first, last)
        return self.answers(**{"since": since, "until": until, **filters})

    def by_decision(self, **filters: object) -> str:
        """Return answers by decisions in the window, whenever they arrived."""
        return self._by_act("decided", filters)

    def by_opening(self, **filters: object) -> str:
        """Return the answers with review items opened in the window."""
        return self._by_act("opened", filters)

    def _by_act(self, act: str, filters: Mapping[str, object]) -> str:
        return self.answers(
            **{
                "since": "",
                "until": "",
                f"{act}_since": _text(self.window.since, EVER),
                f"{act}_until": _text(self.window.until),
                **filters,
            }
        )

    def act_of_day(self, act: str, day: date) -> str:
        """Return the answers that were `opened` or `decided` on one day (UTC)."""
        since, until = self._bounds(day, day)
        return self._by_act(act, {f"{act}_since": since, f"{act}_until": until})

    def _bounds(self, first: date, last: date) -> tuple[object, object]:
        """Return the bounds of some days within the window."""
        since, until = self.window.since, self.window.until
        begins = since if since and since.date() == first else None
        ends = until if until and until.date() == last else None
        return _text(begins, first), _text(ends, last)

    def agreement(self) -> str:
        """Return the page of reviewers' agreement."""
        return reverse("review:agreement", args=[self.project.slug])

    def over(self, days: int, now: datetime) -> "Links":
        """Return the links from metrics of the last days, of all agents."""
        since = now - timedelta(days=days)
        return Links(
            project=self.project, window=Window(days=days, since=since, until=None)
        )

    def of_all(self, **filters: object) -> str:
        """Return answers of all agents, whenever they arrived."""
        everything = Links(project=self.project, window=Window(days=None, since=None))
        return everything.answers(**filters)

    def queue(self, **filters: str) -> str:
        """Return the review queue."""
        return reverse("review:queue", args=[self.project.slug], query=filters)

    def constraint(self, constraint_id: UUID) -> str:
        """Return the page of a constraint."""
        return reverse("memory:constraint", args=[self.project.slug, constraint_id])


def _text(moment: datetime | None, otherwise: object = "") -> object:
    return moment.isoformat(timespec="milliseconds") if moment else otherwise

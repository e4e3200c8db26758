"""Where figures and marks lead: the items behind them, by the filters of lists."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from verifyhub.accounts.models import Project
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Links:
    """Ways from one project's figures in one window."""

    project: Project
    window: Window

    def answers(self, **filters: object) -> str:
        """Return the list of answers of the window that pass more filters."""
        window = self.window
        since, until = window.since, window.until
        wanted = {
            "since": since.isoformat(timespec="milliseconds") if since else "",
            "until": until.isoformat(timespec="milliseconds") if until else "",
            "agent": window.agent,
            "tier": window.tier,
            "model": window.model,
            **filters,
        }
        query = urlencode({name: value for name, value in wanted.items() if value})
        path = reverse("review:answer-list", args=[self.project.slug])
        return f"{path}?{query}" if query else path

    def day(self, day: date, **filters: object) -> str:
        """Return the answers that were received on one day (UTC)."""
        return self.days(day, day, **filters)

    def week(self, monday: date, **filters: object) -> str:
        """Return the answers of the week that begins on a Monday (UTC)."""
        return self.days(monday, monday + timedelta(days=6), **filters)

    def days(self, first: date, last: date, **filters: object) -> str:
        """Return the answers of some days, as far as the window holds them."""
        since, until = self.window.since, self.window.until
        begins = since if since and since.date() == first else None
        ends = until if until and until.date() == last else None
        return self.answers(
            since=begins.isoformat(timespec="milliseconds") if begins else first,
            until=ends.isoformat(timespec="milliseconds") if ends else last,
            **filters,
        )

    def over(self, days: int, now: datetime) -> "Links":
        """Return the ways from figures of the last days, of all agents."""
        since = now - timedelta(days=days)
        return Links(
            project=self.project, window=Window(days=days, since=since, until=None)
        )

    def queue(self, **filters: str) -> str:
        """Return the review queue."""
        path = reverse("review:queue", args=[self.project.slug])
        return f"{path}?{urlencode(filters)}" if filters else path

    def constraint(self, constraint_id: UUID) -> str:
        """Return the page of a constraint."""
        return reverse("memory:constraint", args=[self.project.slug, constraint_id])

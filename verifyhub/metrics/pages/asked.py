"""The request of a metrics tab, and its response."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.utils.functional import Promise

from verifyhub.accounts.models import Project
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.plots.plot import Plot
from verifyhub.metrics.windows import Window, time_axis


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """One project in one window, now (aware)."""

    project: Project
    window: Window
    now: datetime

    @property
    def links(self) -> Links:
        return Links(project=self.project, window=self.window)

    def time_axis(self, days: Sequence[date], *, step: int = 1) -> list[str]:
        """Return the ticks of a time axis over the whole window."""
        return time_axis(self.window, days, now=self.now, step=step)


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure, and the links to its items.

    Attributes:
        href: The items that it counts; for a share, those that have the property.
        of: For a share, all items.
        note: What the lists contain, if it differs from what is counted.
    """

    figure: Figure
    href: str = ""
    of: str = ""
    note: str | Promise = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TabContent:
    """The content of a tab: figures, plots, and values for its own template."""

    tiles: list[Tile] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

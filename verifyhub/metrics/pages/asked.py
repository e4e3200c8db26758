"""The request of a metrics tab, and its answer."""

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
        """Return the places of a time axis over the whole window."""
        return time_axis(self.window, days, now=self.now, step=step)


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure, and where its items are.

    Attributes:
        href: Those that it counts; of a share, those for which it holds.
        of: Those of which it is a share.
        note: What the lists hold, where that is not quite what is counted.
    """

    figure: Figure
    href: str = ""
    of: str = ""
    note: str | Promise = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TabContent:
    """What a tab shows: figures, plots, and values for its own template."""

    tiles: list[Tile] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

"""What a tab is asked, and what it answers."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from verifyhub.accounts.models import Project
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.page.links import Links
from verifyhub.metrics.plots.plot import Plot
from verifyhub.metrics.windows import Window


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One project in one window, now (aware)."""

    project: Project
    window: Window
    now: datetime

    @property
    def links(self) -> Links:
        return Links(project=self.project, window=self.window)


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure, where its items are, and a way of saying it that is not a number."""

    figure: Figure
    href: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a tab shows: figures, plots, and values for its own template."""

    tiles: list[Tile] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)

"""A plot: its drawing, the table behind it, and the links of its marks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from verifyhub.common.drawing import WIDTH, Chart, PlotTheme
from verifyhub.common.shares import Share
from verifyhub.metrics.figures import Figure

MAX_LABEL = 32
# The prefix of a mark's number, which the renderer outputs as its label.
MARK = "vh-"

Drawing = Callable[[PlotTheme], Chart]


def label(text: str) -> str:
    """Sanitise and shorten an agent's text for a drawing.

    The renderer aborts the process on a character that XML forbids, and fails if it
    truncates a text within a surrogate pair. So only printable characters of the Basic
    Multilingual Plane are passed to it.
    """
    shown = "".join(
        char if char.isprintable() and char <= "\uffff" else "\N{REPLACEMENT CHARACTER}"
        for char in text
    )
    return shown[: MAX_LABEL - 1] + "…" if len(shown) > MAX_LABEL else shown


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotColumn:
    """A column of the table behind a plot.

    Attributes:
        key: Its name in a file.
        title: Its heading.
        kind: `text` (an agent's, never markup), `word` (ours), `day`, `count`, or
            `figure`.
    """

    key: str
    title: str
    kind: str = "count"


@dataclass(frozen=True, slots=True)
class PlotCell:
    """A value of the table, with a link to its answers, if any."""

    value: Any
    href: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """The link and the label of a mark in a drawing."""

    href: str
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """One plot.

    Attributes:
        name: Its name in the URL.
        heading: The question that it answers.
        definition: What is counted, and of what.
        columns, rows: Its table.
        marks: The marks by number, which `draw` passes to the renderer.
        draw: Returns the chart in a theme's colours.
        width, height: Size of the drawing without its axes, in CSS pixels.
        is_open: Whether its table is expanded.
        reach: Whether its marks are far enough apart for keyboard focus; otherwise only
            the table's links are focusable.
        leads: What its links lead to, if it differs from what is counted.
    """

    name: str
    heading: str
    definition: str
    columns: tuple[PlotColumn, ...]
    rows: Sequence[tuple[PlotCell, ...]]
    draw: Drawing
    height: int
    marks: list[Mark] = field(default_factory=list)
    width: int = WIDTH
    is_open: bool = False
    reach: bool = False
    leads: str = ""

    @property
    def is_empty(self) -> bool:
        return not self.rows

    @property
    def has_intervals(self) -> bool:
        """Whether its table contains figures with their uncertainty."""
        return any(column.kind == "figure" for column in self.columns)

    @property
    def table_rows(self) -> list[list[tuple[PlotColumn, PlotCell]]]:
        """Return each row's cells with their columns."""
        return [list(zip(self.columns, row, strict=True)) for row in self.rows]

    def table(self) -> tuple[tuple[str, ...], Iterator[Mapping[str, Any]]]:
        """Return columns and rows of its file: figures with n and interval."""
        names = [name for column in self.columns for name, _ in _flat(column, None)]
        return tuple(names), (
            {
                name: value
                for column, cell in zip(self.columns, row, strict=True)
                for name, value in _flat(column, cell.value)
            }
            for row in self.rows
        )


def _flat(column: PlotColumn, value: Any) -> list[tuple[str, Any]]:
    """Return a cell as one or more columns of a file."""
    if column.kind != "figure":
        plain = value.isoformat() if isinstance(value, date) else value
        return [(column.key, plain)]
    sure: tuple[float | None, ...] = (None, None, None, None)
    if isinstance(value, Figure):
        sure = (value.value, value.n, value.low, value.high)
    elif isinstance(value, Share):
        sure = (value.value, value.total, value.low, value.high)
    names = ("", "_n", "_low", "_high")
    return [(column.key + end, part) for end, part in zip(names, sure, strict=True)]

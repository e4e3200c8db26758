"""Row plots that several tabs use."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from verifyhub.metrics.figures import Figure
from verifyhub.metrics.plots.charts import WHOLE, Dot, intervals, rows_high
from verifyhub.metrics.plots.plot import Mark, Plot, PlotCell, PlotColumn, label

# Tables with more figures would be wider than their plot, and are collapsed.
MAX_OPEN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRow:
    """A row: its name (an agent's, or ours), its figures, and links to its items."""

    name: str
    figures: Sequence[Figure]
    href: str = ""
    hrefs: Sequence[str] = ()


def plot_of_rows(
    name: str,
    heading: str,
    first: str,
    rows: Sequence[NamedRow],
    *,
    definition: str = "",
    drawn: int = 1,
    leads: str = "",
) -> Plot:
    """Draw the first figures of rows as points with their intervals.

    Args:
        name: The plot's name in its URL.
        heading: The question that it answers.
        first: The heading of the table's first column.
        rows: Rows with the same figures each, at least the drawn ones.
        definition: The definition of the drawn figures; by default the first one's.
        drawn: How many figures of each row are drawn.
        leads: What its links lead to, if it differs from what is counted.
    """
    heads = rows[0].figures if rows else ()
    names = apart([label(row.name) or gettext("unnamed") for row in rows])
    dots, marks = [], []
    for row, at in zip(rows, names, strict=True):
        for place, figure in enumerate(row.figures[:drawn]):
            series = figure.label if drawn > 1 else ""
            dots.append(Dot.of(figure, at=at, series=series))
            marks.append(Mark(_href(row, place), f"{at}: {figure.label}"))
    title = gettext("%(figure)s, 95 %% interval") % {
        "figure": heads[0].label if drawn == 1 and heads else gettext("share")
    }
    return Plot(
        name=name,
        heading=heading,
        definition=definition or (heads[0].definition if heads else ""),
        columns=(
            PlotColumn(key="name", title=first, kind="text"),
            *(
                PlotColumn(key=figure.name, title=figure.label, kind="figure")
                for figure in heads
            ),
        ),
        rows=[
            (
                PlotCell(row.name, row.href),
                *(
                    PlotCell(figure, _href(row, place) if row.hrefs else "")
                    for place, figure in enumerate(row.figures)
                ),
            )
            for row in rows
        ],
        marks=marks,
        draw=intervals(dots, title, domain=WHOLE),
        height=rows_high(len(rows) * min(2, drawn)),
        is_open=len(heads) <= MAX_OPEN,
        reach=drawn == 1,
        leads=leads,
    )


def apart(names: Sequence[str]) -> list[str]:
    """Number names that are equal when shortened."""
    counts: dict[str, int] = {}
    unique = []
    for name in names:
        counts[name] = counts.get(name, 0) + 1
        unique.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
    return unique


def _href(row: NamedRow, place: int) -> str:
    return row.hrefs[place] if place < len(row.hrefs) else row.href

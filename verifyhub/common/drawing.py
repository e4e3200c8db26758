"""Plots as SVG, drawn on the server: no script, two themes, not by colour alone.

Altair and the renderer are imported by the functions that need them: a process that
never draws is 75 MiB smaller.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import altair as alt

WIDTH = 340


class PlotTheme(StrEnum):
    """Colours of a plot: fixed ones for a file, or those of the page's style sheet."""

    LIGHT = "light"
    DARK = "dark"
    PAGE = "page"


# Foreground, grid, then accept, uncertain and reject: light to dark by brightness
# too, so that the order survives a grey print.
COLOURS = {
    PlotTheme.LIGHT: ("#3a3a3e", "#dcd9d0", ("#9fd0b0", "#d99a2b", "#8f1d16")),
    PlotTheme.DARK: ("#d5d3ce", "#3a4049", ("#2f6b47", "#c98a24", "#ffb3aa")),
    PlotTheme.PAGE: (
        "var(--plot-ink)",
        "var(--plot-grid)",
        ("var(--plot-accept)", "var(--plot-uncertain)", "var(--plot-reject)"),
    ),
}
# Behind a picture that stands alone; on a page its own surface shows through.
PAPER = {PlotTheme.LIGHT: "#ffffff", PlotTheme.DARK: "#1c1f25"}


class Chart(Protocol):
    """Anything with a Vega-Lite specification: an Altair chart, or a form with rows."""

    def to_dict(self, *, validate: bool) -> dict[str, Any]:
        """Return the Vega-Lite specification."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A chart built once as a template, and the rows to fill it with.

    Putting a chart together takes as long as counting what it shows, and gives the
    same every time: `form` is its specification, with named sources of data.
    """

    form: Mapping[str, Any]
    rows: Mapping[str, Sequence[Mapping[str, Any]]]

    def to_dict(self, *, validate: bool) -> dict[str, Any]:
        """Return the specification; there is nothing to check that tests do not."""
        del validate
        return {**self.form, "datasets": dict(self.rows)}


def form(chart: "alt.TopLevelMixin") -> dict[str, Any]:
    """Return a chart's specification, to be kept and filled."""
    # Checking it against the schema takes longer than drawing it; tests draw each plot.
    fields: dict[str, Any] = chart.to_dict(validate=False)
    return fields


def named(source: str) -> "alt.NamedData":
    """Return a data source of this name, whose rows are filled in later."""
    import altair as alt

    return alt.NamedData(name=source)


def theme_from(text: str | None) -> PlotTheme:
    """Return the theme that a reader asks for; light unless it is dark."""
    return PlotTheme.DARK if text == PlotTheme.DARK else PlotTheme.LIGHT


def data(values: list[dict[str, Any]]) -> "alt.Data":
    """Return rows as the data of a chart."""
    import altair as alt

    return alt.Data(values=values)


def svg(chart: Chart, theme: PlotTheme, *, height: int, width: int = WIDTH) -> str:
    """Draw a chart as SVG; its texts must have been sanitised."""
    return _drawn(json.dumps(_spec(chart, theme, height, width)))


def png(chart: Chart, theme: PlotTheme, *, height: int, width: int = WIDTH) -> bytes:
    """Draw a chart in points, twice as many as a page would show."""
    import vl_convert

    spec = _spec(chart, theme, height, width) | {"background": PAPER[theme]}
    return vl_convert.vegalite_to_png(spec, scale=2)


@lru_cache(maxsize=256)
def _drawn(spec: str) -> str:
    """Draw a specification once: a page's figures seldom change between two looks."""
    import vl_convert

    return vl_convert.vegalite_to_svg(spec)


def _spec(chart: Chart, theme: PlotTheme, height: int, width: int) -> dict[str, Any]:
    ink, grid, _ = COLOURS[theme]
    text = {
        "labelColor": ink,
        "titleColor": ink,
        "labelFontSize": 13,
        "titleFontSize": 13,
        "titleFontWeight": "normal",
    }
    lines = {
        "gridColor": grid,
        "domainColor": grid,
        "tickColor": grid,
        "labelLimit": 0,
    }
    spec = chart.to_dict(validate=False)
    spec["width"], spec["height"] = width, height
    spec["background"] = None
    # Browsers may draw the text wider than the renderer has measured it.
    spec["padding"] = {"left": 24, "right": 16, "top": 5, "bottom": 5}
    spec["config"] = {
        "font": "Arial, Helvetica, Liberation Sans, sans-serif",
        "axis": text | lines,
        "legend": text | {"orient": "top", "symbolStrokeColor": ink},
        "view": {"stroke": None},
    }
    return spec

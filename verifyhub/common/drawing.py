"""Plots as SVG, drawn on the server: no script, two themes, no reliance on colour.

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


# Foreground, grid, then accept, uncertain and reject, ordered by brightness as well for
# prints in grey.
COLOURS = {
    PlotTheme.LIGHT: ("#3a3a3e", "#dcd9d0", ("#9fd0b0", "#d99a2b", "#8f1d16")),
    PlotTheme.DARK: ("#d5d3ce", "#3a4049", ("#2f6b47", "#c98a24", "#ffb3aa")),
    PlotTheme.PAGE: (
        "var(--plot-ink)",
        "var(--plot-grid)",
        ("var(--plot-accept)", "var(--plot-uncertain)", "var(--plot-reject)"),
    ),
}
# The background of an image file; on a page it is transparent.
PAPER = {PlotTheme.LIGHT: "#ffffff", PlotTheme.DARK: "#1c1f25"}


class Chart(Protocol):
    """A Vega-Lite specification: an Altair chart, or a `Filled` template."""

    def to_dict(self, *, validate: bool) -> dict[str, Any]:
        """Return the Vega-Lite specification."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A chart's template, built once, and the rows to fill it with.

    Building a chart takes as long as counting its rows, and yields the same each time:
    `form` is its specification, with named data sources.
    """

    form: Mapping[str, Any]
    rows: Mapping[str, Sequence[Mapping[str, Any]]]

    def to_dict(self, *, validate: bool) -> dict[str, Any]:
        """Return the specification, which tests have validated."""
        del validate
        return {**self.form, "datasets": dict(self.rows)}


def form(chart: "alt.TopLevelMixin") -> dict[str, Any]:
    """Return a chart's specification as a template."""
    # Validation takes longer than drawing; tests draw every plot.
    fields: dict[str, Any] = chart.to_dict(validate=False)
    return fields


def named(source: str) -> "alt.NamedData":
    """Return a data source of this name, whose rows are filled in later."""
    import altair as alt

    return alt.NamedData(name=source)


def theme_from(text: str | None) -> PlotTheme:
    """Return the requested theme; light by default."""
    return PlotTheme.DARK if text == PlotTheme.DARK else PlotTheme.LIGHT


def data(values: list[dict[str, Any]]) -> "alt.Data":
    """Return rows as the data of a chart."""
    import altair as alt

    return alt.Data(values=values)


def svg(chart: Chart, theme: PlotTheme, *, height: int, width: int = WIDTH) -> str:
    """Draw a chart as SVG; its texts must have been sanitised."""
    return _drawn(json.dumps(_spec(chart, theme, height, width)))


def png(chart: Chart, theme: PlotTheme, *, height: int, width: int = WIDTH) -> bytes:
    """Draw a chart as PNG, at twice the resolution of a page."""
    import vl_convert

    spec = _spec(chart, theme, height, width) | {"background": PAPER[theme]}
    return vl_convert.vegalite_to_png(spec, scale=2)


@lru_cache(maxsize=256)
def _drawn(spec: str) -> str:
    """Draw a specification, cached: a page's figures seldom change between requests."""
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

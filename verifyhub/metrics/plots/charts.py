"""Kinds of charts: intervals in rows, shares over time, stacks, bars.

None relies on colour: series differ by shape, dash or brightness, and are labelled.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from verifyhub.common.drawing import COLOURS, WIDTH, Filled, PlotTheme, form, named
from verifyhub.common.shares import Share
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.plots.plot import MARK, Drawing

ROW_HEIGHT = 26
HEIGHT = 180
MAX_BAR = 48
TEXT = 13
# Cached templates of one kind; titles, series and themes are few.
KEPT = 64
# Overlapping labels are left out.
DATES: dict[str, Any] = {"labelAngle": -45, "labelOverlap": True}
WHOLE = (0.0, 1.0)
PERCENT = "%"
SHAPES = ("circle", "square", "triangle-up", "diamond")
# Whole numbers on the axis; the minimum step alone does not ensure it for small counts.
COUNTS: Mapping[str, Any] = {
    "tickMinStep": 1,
    "labelExpr": "datum.value % 1 ? '' : format(datum.value, ',')",
}
DASHES = ([1, 0], [6, 3], [2, 2], [8, 2, 2, 2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """One value with its interval; `at` is its row or time."""

    at: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    series: str = ""

    @classmethod
    def of(cls, figure: Figure | Share, *, at: str, series: str) -> "Dot":
        """Return a figure as a dot."""
        n = figure.n if isinstance(figure, Figure) else figure.total
        return cls(
            at=at,
            value=figure.value,
            low=figure.low,
            high=figure.high,
            n=n,
            series=series,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BarSegment:
    """A part of a bar: its number, kind and bar."""

    at: str
    kind: str
    number: float
    order: int = 0


def intervals(
    dots: Sequence[Dot], title: str, *, domain: tuple[float, float] | None = WHOLE
) -> Drawing:
    """Draw a row for each value: a point, its 95 % interval, and its n."""
    values = _points(dots)
    series = tuple(dict.fromkeys(dot.series for dot in dots))
    return lambda theme: Filled(
        _intervals(theme, title, domain, series), {"rows": values}
    )


def _points(dots: Sequence[Dot]) -> list[dict[str, Any]]:
    """Return the values that can be drawn, as rows of a chart."""
    return [
        {
            "at": dot.at,
            "value": dot.value,
            "low": dot.value if dot.low is None else dot.low,
            "high": dot.value if dot.high is None else dot.high,
            "n": f"n={dot.n}",
            "series": dot.series,
            "mark": f"{MARK}{number}",
        }
        for number, dot in enumerate(dots)
        if dot.value is not None
    ]


@lru_cache(maxsize=KEPT)
def _intervals(
    theme: PlotTheme,
    title: str,
    domain: tuple[float, float] | None,
    series: tuple[str, ...],
) -> dict[str, Any]:
    import altair as alt

    ink = COLOURS[theme][0]
    scale = alt.Scale(domain=list(domain)) if domain else alt.Scale(zero=True)
    axis = alt.Axis(format=PERCENT) if domain else alt.Axis()
    y = alt.Y("at:N", title=None, sort=None)
    base = alt.Chart(named("rows")).encode(y=y, description="mark:N")
    shape: dict[str, Any] = {}
    if len(series) > 1:
        base = base.encode(yOffset=alt.YOffset("series:N", sort=list(series)))
        shapes = alt.Scale(domain=list(series), range=list(SHAPES[: len(series)]))
        shape["shape"] = alt.Shape("series:N", title=None, scale=shapes)
    chart = alt.layer(
        base.mark_rule(strokeWidth=2, color=ink).encode(
            x=alt.X("low:Q", title=title, scale=scale, axis=axis), x2="high:Q"
        ),
        base.mark_point(filled=True, size=90, opacity=1, color=ink).encode(
            x=alt.X("value:Q"), **shape
        ),
        base.mark_text(align="left", dx=6, color=ink, fontSize=TEXT).encode(
            x="high:Q", text="n:N"
        ),
    )
    return form(chart)


def over_time(
    dots: Sequence[Dot],
    title: str,
    when: str,
    *,
    as_share: bool = True,
    places: Sequence[str] = (),
) -> Drawing:
    """Draw values over time: a line and a shape for each series, with a legend above.

    `places` are all ticks of the axis, also those without a value.
    """
    values = _points(dots)
    series = tuple(dict.fromkeys(dot.series for dot in dots))
    return lambda theme: Filled(
        _over_time(theme, title, when, as_share, series, tuple(places)),
        {"rows": values},
    )


def _along(places: tuple[str, ...]) -> Any:
    """Return the scale of an axis with these ticks, or those of its values."""
    import altair as alt

    return alt.Scale(domain=list(places)) if places else alt.Scale()


@lru_cache(maxsize=KEPT)
def _over_time(
    theme: PlotTheme,
    title: str,
    when: str,
    as_share: bool,
    series: tuple[str, ...],
    places: tuple[str, ...],
) -> dict[str, Any]:
    import altair as alt

    ink = COLOURS[theme][0]
    x = alt.X("at:O", title=when, axis=alt.Axis(**DATES), scale=_along(places))
    y = alt.Y(
        "value:Q",
        title=title,
        scale=alt.Scale(domain=list(WHOLE)) if as_share else alt.Scale(zero=True),
        axis=alt.Axis(format=PERCENT, tickCount=5) if as_share else alt.Axis(**COUNTS),
    )
    legend = alt.Legend(orient="top") if len(series) > 1 else None
    base = alt.Chart(named("rows")).encode(x=x)
    shapes = alt.Scale(domain=list(series), range=list(SHAPES[: len(series)]))
    dashes = alt.Scale(domain=list(series), range=list(DASHES[: len(series)]))
    chart = alt.layer(
        base.mark_rule(strokeWidth=1, color=ink, opacity=0.6).encode(
            y=alt.Y("low:Q"), y2="high:Q"
        ),
        base.mark_line(color=ink, strokeWidth=1.5).encode(
            y=y,
            strokeDash=alt.StrokeDash(
                "series:N", title=None, scale=dashes, legend=legend
            ),
        ),
        base.mark_point(filled=True, size=80, opacity=1, color=ink).encode(
            y=y,
            shape=alt.Shape("series:N", title=None, scale=shapes, legend=legend),
            description="mark:N",
        ),
    )
    return form(chart)


def stacks(
    pieces: Sequence[BarSegment],
    kinds: Sequence[str],
    title: str,
    x_title: str,
    *,
    places: Sequence[str] = (),
) -> Drawing:
    """Draw a stacked bar for each position, its parts from light to dark.

    `places` are all ticks of the axis, also those without a bar.
    """
    values = [
        {
            "at": piece.at,
            "kind": piece.kind,
            "number": piece.number,
            "order": piece.order,
            "mark": f"{MARK}{number}",
        }
        for number, piece in enumerate(pieces)
    ]
    across = max(1, len(places) or len({piece.at for piece in pieces}))
    width = min(MAX_BAR, 0.8 * WIDTH / across)
    return lambda theme: Filled(
        _stacks(theme, tuple(kinds), title, x_title, width, tuple(places)),
        {"rows": values},
    )


@lru_cache(maxsize=KEPT)
def _stacks(
    theme: PlotTheme,
    kinds: tuple[str, ...],
    title: str,
    x_title: str,
    width: float,
    places: tuple[str, ...],
) -> dict[str, Any]:
    import altair as alt

    ink, _, (pale, middle, strong) = COLOURS[theme]
    inks = (pale, middle, strong) if len(kinds) > 2 else (pale, strong)
    bar = alt.Chart(named("rows")).mark_bar(stroke=ink, strokeWidth=1, size=width)
    chart = bar.encode(
        x=alt.X(
            "at:O",
            title=x_title,
            sort=None,
            axis=alt.Axis(**DATES),
            scale=_along(places),
        ),
        y=alt.Y("number:Q", title=title, axis=alt.Axis(**COUNTS)),
        color=alt.Color(
            "kind:N",
            title=None,
            scale=alt.Scale(domain=list(kinds), range=list(inks)),
        ),
        order=alt.Order("order:Q"),
        description="mark:N",
    )
    return form(chart)


def bars(pieces: Sequence[BarSegment], title: str, *, written: str = "") -> Drawing:
    """Draw a row for each number, with the number at its end."""
    values = [
        {
            "at": piece.at,
            "number": piece.number,
            "says": piece.kind,
            "mark": f"{MARK}{number}",
        }
        for number, piece in enumerate(pieces)
    ]
    return lambda theme: Filled(_bars(theme, title, written), {"rows": values})


@lru_cache(maxsize=KEPT)
def _bars(theme: PlotTheme, title: str, written: str) -> dict[str, Any]:
    import altair as alt

    ink, _, (pale, _, _) = COLOURS[theme]
    base = alt.Chart(named("rows")).encode(
        y=alt.Y("at:N", title=None, sort=None), description="mark:N"
    )
    axis = alt.Axis(format=written) if written else alt.Axis(**COUNTS)
    x = alt.X("number:Q", title=title, axis=axis)
    chart = alt.layer(
        base.mark_bar(stroke=ink, strokeWidth=1, color=pale).encode(x=x),
        base.mark_text(align="left", dx=6, color=ink, fontSize=TEXT).encode(
            x=x, text="says:N"
        ),
    )
    return form(chart)


def rows_high(count: int) -> int:
    """Return the height of a chart with so many rows, in CSS pixels."""
    return max(1, count) * ROW_HEIGHT

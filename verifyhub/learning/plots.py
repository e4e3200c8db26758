"""Reliability diagrams: predicted score against observed share."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext

from verifyhub.common.drawing import (
    COLOURS,
    WIDTH,
    Filled,
    PlotTheme,
    data,
    form,
    named,
    svg,
)
from verifyhub.engine.calibration.measures import Reliability


def reliability_diagram(measured: Reliability, theme: PlotTheme) -> str:
    """Draw the share of right samples over the score, with n, for each tenth."""
    points = [
        {
            "score": tenth.score,
            "right": tenth.right.value,
            "low": tenth.right.low,
            "high": tenth.right.high,
            "n": f"n={tenth.right.total}",
        }
        for tenth in measured.bins
    ]
    chart = reliability_chart(points, theme, gettext("predicted by the score"))
    return svg(chart, theme, height=WIDTH)


def reliability_chart(
    points: Sequence[dict[str, Any]],
    theme: PlotTheme,
    promised: str,
    *,
    has_marks: bool = False,
) -> Filled:
    """Draw points beside the diagonal of perfect calibration.

    Points below it are overconfident. A bar through a point is its 95 % interval.

    Args:
        points: `score`, `right`, `low` and `high` in 0..1, `n` as text, and `mark` if
            marks have links.
        theme: The theme.
        promised: The name of the score.
        has_marks: Whether each point has its `mark` as its label.
    """
    chart = _form(theme, promised, gettext("correct according to reviewers"), has_marks)
    return Filled(chart, {"points": points})


@lru_cache(maxsize=32)
def _form(
    theme: PlotTheme, promised: str, right: str, has_marks: bool
) -> dict[str, Any]:
    import altair as alt

    ink = COLOURS[theme][0]
    scale = alt.Scale(domain=[0, 1])
    ticks = alt.Axis(format="%", tickCount=5)
    x = alt.X("score:Q", title=promised, scale=scale, axis=ticks)
    base = alt.Chart(named("points")).encode(x=x)
    if has_marks:
        base = base.encode(description="mark:N")
    even = alt.Chart(data([{"score": end, "right": end} for end in (0, 1)]))
    chart = alt.layer(
        even.mark_line(strokeDash=[5, 4], color=ink, strokeWidth=1).encode(
            x=x, y=alt.Y("right:Q", title=right, scale=scale, axis=ticks)
        ),
        base.mark_rule(strokeWidth=2, color=ink).encode(y="low:Q", y2="high:Q"),
        base.mark_point(filled=True, size=90, opacity=1, color=ink).encode(y="right:Q"),
        base.mark_text(dy=-8, color=ink, fontSize=11).encode(y="high:Q", text="n:N"),
    )
    return form(chart)

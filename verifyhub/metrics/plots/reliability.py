"""Reliability: what confidence promised, against what people found."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
from django.utils.translation import gettext

from verifyhub.common.drawing import COLOURS, Filled, Theme, data, form, named
from verifyhub.metrics.plots.plot import MARK, Drawing
from verifyhub.metrics.selectors.questions.honesty import Tenth


def diagram(tenths: Sequence[Tenth]) -> Drawing:
    """Draw the share that is right over the mean confidence, tenth by tenth."""
    values = [
        {
            "promised": one.promised.value,
            "kept": one.kept.value,
            "low": one.kept.low,
            "high": one.kept.high,
            "n": f"n={one.kept.n}",
            "mark": f"{MARK}{number}",
        }
        for number, one in enumerate(tenths)
        if one.kept.value is not None
    ]

    def draw(theme: Theme) -> Filled:
        promised, kept = (
            gettext("promised by the confidence"),
            gettext("right, say people"),
        )
        return Filled(_diagram(theme, promised, kept), {"tenths": values})

    return draw


@lru_cache(maxsize=16)
def _diagram(theme: Theme, promised: str, kept: str) -> dict[str, Any]:
    ink = COLOURS[theme][0]
    whole = alt.Scale(domain=[0, 1])
    ticks = alt.Axis(format="%", tickCount=5)
    x = alt.X("promised:Q", title=promised, scale=whole, axis=ticks)
    base = alt.Chart(named("tenths")).encode(x=x, description="mark:N")
    even = alt.Chart(data([{"promised": end, "kept": end} for end in (0, 1)]))
    chart = alt.layer(
        even.mark_line(strokeDash=[5, 4], color=ink, strokeWidth=1).encode(
            x=x, y=alt.Y("kept:Q", title=kept, scale=whole, axis=ticks)
        ),
        base.mark_rule(strokeWidth=2, color=ink).encode(y="low:Q", y2="high:Q"),
        base.mark_point(filled=True, size=90, opacity=1, color=ink).encode(y="kept:Q"),
        base.mark_text(dy=-8, color=ink, fontSize=11).encode(y="high:Q", text="n:N"),
    )
    return form(chart)

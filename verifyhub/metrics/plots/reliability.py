"""The reliability diagram: predicted against observed accuracy."""

from collections.abc import Sequence

from django.utils.translation import gettext

from verifyhub.learning.plots import reliability_chart
from verifyhub.metrics.plots.plot import MARK, Drawing
from verifyhub.metrics.selectors.questions.honesty import Tenth


def diagram(tenths: Sequence[Tenth]) -> Drawing:
    """Draw the share of right answers over the mean confidence, for each tenth."""
    points = [
        {
            "score": tenth.promised.value,
            "right": tenth.kept.value,
            "low": tenth.kept.low,
            "high": tenth.kept.high,
            "n": f"n={tenth.kept.n}",
            "mark": f"{MARK}{number}",
        }
        for number, tenth in enumerate(tenths)
        if tenth.kept.value is not None
    ]
    return lambda theme: reliability_chart(
        points, theme, gettext("predicted by the confidence"), has_marks=True
    )

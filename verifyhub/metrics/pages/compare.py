"""The comparison: texts for sides and measures, and a plot of the shares."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from verifyhub.common.shares import Share
from verifyhub.learning.models import FeedbackKind
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.pages.rows import apart
from verifyhub.metrics.plots.charts import Dot, intervals, rows_high
from verifyhub.metrics.plots.plot import Mark, Plot, PlotCell, PlotColumn, label
from verifyhub.metrics.selectors.compare import MEASURES, Comparison
from verifyhub.metrics.selectors.sides import HELD_OUT, TOLD

MEASURE_WORDS: Final[Mapping[str, tuple[Promise, Promise]]] = {
    "flagged": (
        _("Flagged"),
        _("Checked answers that were uncertain or rejected."),
    ),
    "invented": (
        _("With an unsupported name"),
        _("Checked answers with at least one unsupported name."),
    ),
    "wrong": (_("Rejected by reviewers"), _("Rejected, of the answers they decided.")),
    "overridden": (
        _("Overridden by reviewers"),
        _("Verdicts they changed, of the answers they decided."),
    ),
    "firstAttempts": (
        _("First attempts accepted"),
        _("Of checked first attempts."),
    ),
    "retries": (_("Retries"), _("Later attempts, for each first one.")),
    "runCost": (_("Cost of a run"), _("Mean, of runs that reported their cost.")),
    "checkCost": (
        _("Cost of a check"),
        _("Mean, of checks that asked a model with a known price."),
    ),
    "checkTime": (_("Time of a check"), _("Mean, from start to verdict.")),
}
TEST_WORDS: Final[Mapping[str, Promise]] = {
    "score": _("score test (Miettinen and Nurminen)"),
    "fisher": _("Fisher's exact test"),
    "permutation": _("permutation test, bootstrap interval"),
    "welch": _("Welch's t test"),
}
BY_WORDS: Final[Mapping[str, Promise]] = {
    "agent": _("Agents"),
    "tier": _("Tiers"),
    "model": _("Models"),
    "prompt": _("Versions of the prompt"),
    "strictness": _("Strictness of the check"),
    "layers": _("With or without detection layers"),
    "engine": _("Versions of the engine"),
}
SIDE_WORDS: Final[Mapping[str, Promise]] = {
    TOLD: _("feedback"),
    HELD_OUT: _("holdout"),
    "strict": _("strict"),
    "balanced": _("balanced"),
    "lenient": _("lenient"),
    "layers": _("with layers"),
    "rules": _("rules alone"),
}


def by_words() -> list[tuple[str, str]]:
    """Return the dimensions of a comparison, with their labels."""
    experiments = [
        (
            f"told-{kind.value}",
            gettext("Feedback or holdout: %(kind)s") % {"kind": kind.label},
        )
        for kind in FeedbackKind
    ]
    return [*((name, str(word)) for name, word in BY_WORDS.items()), *experiments]


def side_name(by: str, value: str) -> str:
    """Return a side's label: agents' own names, and texts for codes."""
    if not value:
        return gettext("project default") if by == "strictness" else gettext("unnamed")
    is_code = by in ("strictness", "layers") or by.startswith("told-")
    return str(SIDE_WORDS.get(value, value)) if is_code else value


def href_of(by: str, value: str, links: Links) -> str:
    """Return the link to a side's answers; empty if no list has them alone."""
    if by in ("agent", "tier", "model") and value:
        return links.answers(**{by: value})
    if by.startswith("told-"):
        return links.answers(arm=f"{by.removeprefix('told-')}:{value}")
    if by == "prompt" and value:
        return links.answers(prompt=value)
    return links.answers(strictness=value) if by == "strictness" and value else ""


def plot_of(comparison: Comparison, links: Links) -> Plot:
    """Draw each side's shares, with their intervals, measure by measure."""
    shares = [entry for entry in MEASURES if entry.unit == "share"]
    names = apart(
        [label(side_name(comparison.by, entry.value)) for entry in comparison.sides]
    )
    dots, marks, rows = [], [], []
    for measure in shares:
        word = str(MEASURE_WORDS[measure.name][0])
        for side, name in zip(comparison.sides, names, strict=True):
            of = side.figure(measure)
            if not isinstance(of, Share):
                raise TypeError(measure.name)
            href = href_of(comparison.by, side.value, links)
            dots.append(Dot.of(of, at=word, series=name))
            marks.append(Mark(href, f"{word}, {name}"))
            rows.append((PlotCell(word), PlotCell(name, href), PlotCell(of)))
    return Plot(
        name="compare",
        heading=gettext("Shares side by side"),
        definition=gettext("A point, its 95 % Wilson interval, and the n behind it."),
        columns=(
            PlotColumn(key="measure", title=gettext("Measure"), kind="word"),
            PlotColumn(key="side", title=gettext("Side"), kind="text"),
            PlotColumn(key="share", title=gettext("Share"), kind="figure"),
        ),
        rows=rows,
        marks=marks,
        draw=intervals(dots, gettext("share, 95 % interval")),
        height=rows_high(len(dots)),
    )

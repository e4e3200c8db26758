"""Is confidence honest?"""

from django.utils.translation import gettext

from verifyhub.metrics.pages.asked import PageRequest, TabContent, Tile
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.plots.charts import HEIGHT, BarSegment, stacks
from verifyhub.metrics.plots.plot import Mark, Plot, PlotCell, PlotColumn
from verifyhub.metrics.plots.reliability import diagram
from verifyhub.metrics.selectors.answers import ConfidenceBin
from verifyhub.metrics.selectors.questions import honesty
from verifyhub.metrics.selectors.questions.honesty import Tenth


def honest_confidence(page: PageRequest) -> TabContent:
    """Show the distribution of confidence, and its calibration."""
    figures, links = honesty(page.project, page.window, page.now), page.links
    decided = links.of_all(calibrated="all")
    return TabContent(
        tiles=[
            Tile(figures.ece, decided),
            Tile(figures.brier, decided),
            Tile(figures.without, links.answers(confidence="none")),
        ],
        plots=[
            histogram(figures.histogram, links),
            reliability(figures.tenths, links),
        ],
    )


def histogram(bins: list[ConfidenceBin], links: Links) -> Plot:
    """Draw the distribution of confidence, with flagged answers separately."""
    accepted, flagged = gettext("accepted"), gettext("flagged")
    pieces, marks, rows = [], [], []
    for place, row in enumerate(bins):
        tenth = str(place)
        at = f"{row.low:.1f}–{row.high:.1f}"
        hrefs = [
            links.answers(confidence=tenth, verdict=verdict)
            for verdict in ("accept", "flagged")
        ]
        for order, (kind, count, href) in enumerate(
            zip((accepted, flagged), (row.accepted, row.flagged), hrefs, strict=True)
        ):
            pieces.append(BarSegment(at=at, kind=kind, number=count, order=order))
            marks.append(Mark(href, f"{at}, {kind}: {count}"))
        rows.append(
            (
                PlotCell(at, links.answers(confidence=tenth)),
                PlotCell(row.accepted, hrefs[0]),
                PlotCell(row.flagged, hrefs[1]),
            )
        )
    has_any = any(row.total for row in bins)
    return Plot(
        name="confidence",
        heading=gettext("Confidence of the checks"),
        definition=gettext(
            "Answers by confidence: the share of an answer's names that"
            " evidence supports, moved towards one half when there are few"
            " names. Answers with nothing to count are excluded."
        ),
        columns=(
            PlotColumn(key="confidence", title=gettext("Confidence"), kind="word"),
            PlotColumn(key="accepted", title=gettext("Accepted")),
            PlotColumn(key="flagged", title=gettext("Flagged")),
        ),
        rows=rows if has_any else [],
        marks=marks,
        draw=stacks(
            pieces, [accepted, flagged], gettext("answers"), gettext("confidence")
        ),
        height=HEIGHT,
    )


def reliability(tenths: list[Tenth], links: Links) -> Plot:
    """Draw predicted confidence against observed accuracy."""
    hrefs = [links.of_all(calibrated=str(int(row.low * 10 + 0.5))) for row in tenths]
    return Plot(
        name="reliability",
        heading=gettext("Is confidence calibrated?"),
        definition=gettext(
            "Decided answers of the last 90 days by tenths of their confidence: the"
            " share that reviewers call correct over the mean confidence. Points on"
            " the dashed line are calibrated; below it, confidence is too high. A bar"
            " is a 95 % interval."
        ),
        columns=(
            PlotColumn(key="tenth", title=gettext("Confidence"), kind="word"),
            PlotColumn(
                key="promised", title=gettext("Predicted accuracy"), kind="figure"
            ),
            PlotColumn(key="kept", title=gettext("Observed accuracy"), kind="figure"),
        ),
        rows=[
            (
                PlotCell(f"{row.low:.1f}–{row.high:.1f}", href),
                PlotCell(row.promised, href),
                PlotCell(row.kept),
            )
            for row, href in zip(tenths, hrefs, strict=True)
        ],
        marks=[
            Mark(href, f"{row.low:.1f}–{row.high:.1f}: n={row.kept.n}")
            for row, href in zip(tenths, hrefs, strict=True)
        ],
        draw=diagram(tenths),
        height=260,
        reach=False,
    )

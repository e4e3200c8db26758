"""How many answers were checked, flagged, wrong."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from verifyhub.common.badge_words import BADGE_WORDS
from verifyhub.metrics.pages.asked import PageRequest, TabContent, Tile
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.plots.charts import HEIGHT, BarSegment, stacks
from verifyhub.metrics.plots.plot import Mark, Plot, PlotCell, PlotColumn
from verifyhub.metrics.selectors.answers import DayRow, answers, by_day
from verifyhub.metrics.selectors.levels import levels
from verifyhub.metrics.selectors.mentions import by_kind, completion_claims
from verifyhub.metrics.selectors.questions import (
    By,
    OutcomeFigures,
    most_hallucinating,
    outcomes,
    progress,
)
from verifyhub.metrics.selectors.queue import queue
from verifyhub.metrics.selectors.reviews import reviews

GOLD = _(
    "Gold answers count here. The list shows them as gold to those who keep gold; to"
    " others they look like any other answer."
)
VERDICTS = ("accept", "uncertain", "reject")


def overview(page: PageRequest) -> TabContent:
    """Count answers by verdict and decision."""
    figures, links = outcomes(page.project, page.window), page.links
    checked = links.answers(checked="yes")
    days = by_day(page.project, page.window)
    return TabContent(
        tiles=[
            Tile(figures.received, links.answers()),
            Tile(figures.checked, checked, links.answers()),
            Tile(figures.flagged, links.answers(verdict="flagged"), checked),
            Tile(figures.accepted, links.answers(verdict="accept"), checked),
            Tile(figures.unsettled, links.answers(settled="no"), checked),
            *by_people(figures, links),
        ],
        plots=[verdicts_by_day(days, links, page.time_axis([row.day for row in days]))],
        more={
            "answers": answers(page.project, page.window),
            "claims": completion_claims(page.project, page.window),
            "levels": levels(page.project, page.window),
            "to": links,
            "everybody": next(iter(progress(page.project, page.window, By.ALL)), None),
            "worst": {
                str(by): most_hallucinating(page.project, page.window, by)
                for by in (By.AGENT, By.TOOL)
            },
            "kind": next(iter(by_kind(page.project, page.window)), None),
            "waiting": reviews(page.project, page.window).open,
            "queue_url": links.queue(),
            "queue": queue(page.project, page.now),
        },
    )


def by_people(figures: OutcomeFigures, links: Links) -> list[Tile]:
    """Return the accuracy of checks by people's decisions and gold."""
    flagged, accept = {"verdict": "flagged"}, {"verdict": "accept"}
    return [
        Tile(
            figures.wrong,
            links.answers(known="wrong"),
            links.answers(known="yes"),
            GOLD,
        ),
        Tile(
            figures.false_alarms,
            links.answers(known="right", **flagged),
            links.answers(known="yes", **flagged),
            GOLD,
        ),
        Tile(
            figures.missed,
            links.answers(known="wrong", **accept),
            links.answers(known="yes", **accept),
            GOLD,
        ),
    ]


def verdicts_by_day(days: list[DayRow], links: Links, places: list[str]) -> Plot:
    """Draw each day's verdicts, one bar a day."""
    words = [str(BADGE_WORDS[verdict]) for verdict in VERDICTS]
    pieces, marks, rows = [], [], []
    for row in days:
        counts = (row.accepted, row.uncertain, row.rejected)
        cells = [PlotCell(row.day, links.day(row.day))]
        for order, (verdict, word, count) in enumerate(
            zip(VERDICTS, words, counts, strict=True)
        ):
            href = links.day(row.day, verdict=verdict)
            day = row.day.isoformat()
            pieces.append(BarSegment(at=day, kind=word, number=count, order=order))
            marks.append(Mark(href, f"{day}, {word}: {count}"))
            cells.append(PlotCell(count, href))
        rows.append(tuple(cells))
    return Plot(
        name="verdicts-by-day",
        heading=gettext("Verdicts by day"),
        definition=gettext(
            "Checked answers by the day they were received and by verdict."
        ),
        columns=(
            PlotColumn(key="day", title=gettext("Day (UTC)"), kind="day"),
            *(
                PlotColumn(key=verdict, title=word)
                for verdict, word in zip(VERDICTS, words, strict=True)
            ),
        ),
        rows=rows,
        marks=marks,
        draw=stacks(
            pieces,
            words,
            gettext("answers"),
            gettext("day received (UTC)"),
            places=places,
        ),
        height=HEIGHT,
    )

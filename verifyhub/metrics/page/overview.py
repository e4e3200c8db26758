"""How many answers were checked, flagged, wrong."""

from django.utils.translation import gettext

from verifyhub.common.badge_words import BADGE_WORDS
from verifyhub.metrics.page.asked import Answer, Asked, Tile
from verifyhub.metrics.page.links import Links
from verifyhub.metrics.plots.charts import HEIGHT, Piece, stacks
from verifyhub.metrics.plots.plot import Cell, Column, Mark, Plot
from verifyhub.metrics.selectors.answers import DayRow, answers, by_day
from verifyhub.metrics.selectors.levels import levels
from verifyhub.metrics.selectors.mentions import completion_claims
from verifyhub.metrics.selectors.questions import outcomes
from verifyhub.metrics.selectors.queue import queue

VERDICTS = ("accept", "uncertain", "reject")


def overview(asked: Asked) -> Answer:
    """Count answers by what became of them."""
    found, links = outcomes(asked.project, asked.window), asked.links
    return Answer(
        tiles=[
            Tile(found.received, links.answers()),
            Tile(found.checked, links.answers(state="finished")),
            Tile(found.flagged, links.answers(verdict="flagged")),
            Tile(found.accepted, links.answers(verdict="accept")),
            Tile(found.unsettled, links.answers(settled="no")),
            Tile(found.wrong, links.answers(person="wrong")),
            Tile(found.false_alarms, links.answers(verdict="flagged", person="right")),
            Tile(found.missed, links.answers(verdict="accept", person="wrong")),
        ],
        plots=[verdicts_by_day(by_day(asked.project, asked.window), links)],
        more={
            "answers": answers(asked.project, asked.window),
            "claims": completion_claims(asked.project, asked.window),
            "levels": levels(asked.project, asked.window),
            "queue": queue(asked.project, asked.now),
        },
    )


def verdicts_by_day(days: list[DayRow], links: Links) -> Plot:
    """Draw each day's verdicts, one bar a day."""
    words = [str(BADGE_WORDS[verdict]) for verdict in VERDICTS]
    pieces, marks, rows = [], [], []
    for row in days:
        counts = (row.accepted, row.uncertain, row.rejected)
        cells = [Cell(row.day, links.day(row.day))]
        for order, (verdict, word, count) in enumerate(
            zip(VERDICTS, words, counts, strict=True)
        ):
            href = links.day(row.day, verdict=verdict)
            day = row.day.isoformat()
            pieces.append(Piece(at=day, kind=word, number=count, order=order))
            marks.append(Mark(href, f"{day}, {word}: {count}"))
            cells.append(Cell(count, href))
        rows.append(tuple(cells))
    return Plot(
        name="verdicts-by-day",
        heading=gettext("Verdicts by day"),
        definition=gettext(
            "Checked answers by the day they were received, by the machine's verdict."
        ),
        columns=(
            Column(key="day", title=gettext("Day (UTC)"), kind="day"),
            *(
                Column(key=verdict, title=word)
                for verdict, word in zip(VERDICTS, words, strict=True)
            ),
        ),
        rows=rows,
        marks=marks,
        draw=stacks(pieces, words, gettext("answers"), gettext("day received (UTC)")),
        height=HEIGHT,
    )

"""What does checking cost?"""

from collections.abc import Sequence

from django.utils.translation import gettext

from verifyhub.inference.templatetags.money import dollars
from verifyhub.metrics.page.asked import Answer, Asked, Tile
from verifyhub.metrics.page.rows import apart
from verifyhub.metrics.plots.charts import Piece, bars, rows_high
from verifyhub.metrics.plots.plot import Cell, Column, Mark, Plot, label
from verifyhub.metrics.selectors.costs import costs
from verifyhub.metrics.selectors.questions import spending
from verifyhub.metrics.selectors.questions.spending import CallCosts
from verifyhub.metrics.words import words_for


def cost(asked: Asked) -> Answer:
    """Sum up what models took, by tier and by what they were asked for."""
    found = spending(asked.project, asked.window)
    paid = asked.links.answers(paid="yes")
    return Answer(
        tiles=[
            Tile(found.cost, paid),
            Tile(found.per_verdict, paid),
            Tile(found.share_of_run, paid),
        ],
        plots=[
            _bars("cost-by-tier", gettext("By tier"), found.tiers, paid),
            _bars("cost-by-purpose", gettext("By purpose"), found.purposes, paid),
        ],
        more={"costs": costs(asked.project, asked.window)},
    )


def _bars(name: str, heading: str, rows: Sequence[CallCosts], href: str) -> Plot:
    shown = apart([label(words_for(row.name)) for row in rows])
    money = [dollars(round(row.cost.value or 0)) for row in rows]
    return Plot(
        name=name,
        heading=heading,
        definition=gettext(
            "What calls of models about these answers cost, where a price is known."
        ),
        columns=(
            Column(key="name", title=gettext("Part"), kind="word"),
            Column(key="cost", title=gettext("Cost"), kind="figure"),
            Column(key="per_call", title=gettext("Cost of a call"), kind="figure"),
            Column(key="unpriced", title=gettext("Without a price")),
            Column(key="cached", title=gettext("Remembered")),
            Column(key="held_back", title=gettext("Held back by a cap")),
        ),
        rows=[
            (
                Cell(words_for(row.name), href),
                Cell(row.cost),
                Cell(row.per_call),
                Cell(row.unpriced),
                Cell(row.cached),
                Cell(row.held_back),
            )
            for row in rows
        ],
        marks=[
            Mark(href, f"{at}: {said}") for at, said in zip(shown, money, strict=True)
        ],
        draw=bars(
            [
                Piece(at=at, kind=said, number=(row.cost.value or 0) / 1e6)
                for at, said, row in zip(shown, money, rows, strict=True)
            ],
            gettext("dollars"),
            form="$,.2~f",
        ),
        height=rows_high(len(rows)),
        is_open=True,
        reach=True,
    )

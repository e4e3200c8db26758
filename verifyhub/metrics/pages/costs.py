"""What does checking cost?"""

from collections.abc import Sequence

from django.utils.translation import gettext

from verifyhub.common.code_words import words_for
from verifyhub.inference.templatetags.money import dollars
from verifyhub.metrics.pages.asked import PageRequest, TabContent, Tile
from verifyhub.metrics.pages.rows import apart
from verifyhub.metrics.plots.charts import BarSegment, bars, rows_high
from verifyhub.metrics.plots.plot import Mark, Plot, PlotCell, PlotColumn, label
from verifyhub.metrics.selectors.costs import costs
from verifyhub.metrics.selectors.questions import spending
from verifyhub.metrics.selectors.questions.spending import CallCosts


def cost(page: PageRequest) -> TabContent:
    """Sum up models' usage, by tier and by purpose."""
    figures = spending(page.project, page.window)
    links = page.links
    paid = links.answers(paid="yes")
    note = gettext("The list has the answers whose checks called a model.")
    return TabContent(
        tiles=[
            Tile(figures.cost, paid, note=note),
            Tile(figures.per_verdict, links.answers(paid="verdict"), note=note),
            Tile(figures.share_of_run, links.answers(paid="run")),
        ],
        plots=[
            _bars(
                "cost-by-tier",
                gettext("By tier"),
                figures.tiers,
                [links.answers(asked_tier=row.name) for row in figures.tiers],
            ),
            _bars(
                "cost-by-purpose",
                gettext("By purpose"),
                figures.purposes,
                [links.answers(asked_for=row.name) for row in figures.purposes],
            ),
        ],
        more={"costs": costs(page.project, page.window)},
    )


def _bars(
    name: str, heading: str, rows: Sequence[CallCosts], hrefs: Sequence[str]
) -> Plot:
    shown = apart([label(words_for(row.name)) for row in rows])
    money = [dollars(round(row.cost.value or 0)) for row in rows]
    return Plot(
        name=name,
        heading=heading,
        definition=gettext("What all calls of models cost, where a price is known."),
        columns=(
            PlotColumn(key="name", title=gettext("Part"), kind="word"),
            PlotColumn(key="cost", title=gettext("Cost"), kind="figure"),
            PlotColumn(key="per_call", title=gettext("Cost of a call"), kind="figure"),
            PlotColumn(key="unpriced", title=gettext("Without a price")),
            PlotColumn(key="cached", title=gettext("From the cache")),
            PlotColumn(key="held_back", title=gettext("Blocked by a cap")),
        ),
        rows=[
            (
                PlotCell(words_for(row.name), href),
                PlotCell(row.cost, href),
                PlotCell(row.per_call),
                PlotCell(row.unpriced),
                PlotCell(row.cached),
                PlotCell(row.held_back),
            )
            for row, href in zip(rows, hrefs, strict=True)
        ],
        marks=[
            Mark(href, f"{at}: {amount}")
            for at, amount, href in zip(shown, money, hrefs, strict=True)
        ],
        leads=gettext(
            "Figures count calls; each links to the answers they were made for."
        ),
        draw=bars(
            [
                BarSegment(at=at, kind=amount, number=(row.cost.value or 0) / 1e6)
                for at, amount, row in zip(shown, money, rows, strict=True)
            ],
            gettext("dollars"),
            written="$,.2~f",
        ),
        height=rows_high(len(rows)),
        is_open=True,
        reach=True,
    )

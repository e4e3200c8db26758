"""Who reviews how much, do they agree, and where is the backlog?"""

from django.utils.translation import gettext

from verifyhub.metrics.pages.asked import PageRequest, TabContent, Tile
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.pages.overview import GOLD
from verifyhub.metrics.pages.rows import NamedRow, plot_of_rows
from verifyhub.metrics.plots.charts import HEIGHT, Dot, over_time
from verifyhub.metrics.plots.plot import Mark, Plot, PlotCell, PlotColumn
from verifyhub.metrics.selectors.questions import backlog, people
from verifyhub.metrics.selectors.questions.backlog import BacklogDay
from verifyhub.metrics.selectors.questions.people import Reviewer


def reviewers(page: PageRequest) -> TabContent:
    """Count decisions by reviewer, and open items."""
    figures = people(page.project, page.window)
    waits = backlog(page.project, page.window, page.now)
    links = page.links
    queue, decided = links.queue(), links.by_decision()
    changed = links.by_decision(decided_as="changed")
    return TabContent(
        tiles=[
            Tile(waits.waiting, queue),
            Tile(waits.oldest, queue),
            Tile(waits.half_age, queue),
            Tile(waits.opened_per_day, links.by_opening(), note=GOLD),
            Tile(waits.decisions_per_day, decided, note=GOLD),
            Tile(figures.decisions, decided, note=GOLD),
            Tile(figures.disagreed, changed, decided, GOLD),
            Tile(figures.alpha, links.agreement()),
            Tile(figures.kappa, links.agreement()),
        ],
        plots=[
            by_reviewer(figures.reviewers or [], links),
            flow(waits.days, links, page.time_axis([row.day for row in waits.days])),
        ],
        more={"clears_in_days": waits.clears_in_days, "waiting": waits.waiting.n},
    )


def by_reviewer(rows: list[Reviewer], links: Links) -> Plot:
    """Draw how often each reviewer disagreed with the verification."""
    return plot_of_rows(
        "reviewers",
        gettext("By reviewer"),
        gettext("Reviewer"),
        [
            NamedRow(
                name=row.name,
                figures=(
                    row.disagreed,
                    row.decisions,
                    row.share_of_decisions,
                    row.seconds,
                ),
                href=_hrefs(row, links)[1],
                hrefs=_hrefs(row, links),
            )
            for row in rows
        ],
    )


def _hrefs(row: Reviewer, links: Links) -> list[str]:
    if not row.who:
        return ["", ""]
    decided = links.by_decision(decider=row.who)
    changed = links.by_decision(decider=row.who, decided_as="changed")
    return [changed, decided, decided, decided]


def flow(days: list[BacklogDay], links: Links, places: list[str]) -> Plot:
    """Draw opened and decided items by day."""
    opened, decided = gettext("opened"), gettext("decided")
    dots, marks, rows = [], [], []
    for row in days:
        at = row.day.isoformat()
        hrefs = [links.act_of_day(act, row.day) for act in ("opened", "decided")]
        for series, number, href in zip(
            (opened, decided), (row.opened, row.decided), hrefs, strict=True
        ):
            dots.append(
                Dot(at=at, value=number, low=None, high=None, n=number, series=series)
            )
            marks.append(Mark(href, f"{at}, {series}: {number}"))
        rows.append(
            (
                PlotCell(row.day),
                PlotCell(row.opened, hrefs[0]),
                PlotCell(row.decided, hrefs[1]),
            )
        )
    return Plot(
        name="backlog",
        heading=gettext("Does the backlog grow?"),
        definition=gettext(
            "Answers added to the review queue and answers decided, by day (UTC)."
        ),
        columns=(
            PlotColumn(key="day", title=gettext("Day (UTC)"), kind="day"),
            PlotColumn(key="opened", title=gettext("Opened")),
            PlotColumn(key="decided", title=gettext("Decided")),
        ),
        rows=rows,
        marks=marks,
        draw=over_time(
            dots,
            gettext("answers"),
            gettext("day (UTC)"),
            as_share=False,
            places=places,
        ),
        height=HEIGHT,
    )

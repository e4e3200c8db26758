"""Are agents getting better?"""

from collections.abc import Sequence

from django.utils.translation import gettext

from verifyhub.metrics.counting.tally import REST
from verifyhub.metrics.pages.asked import PageRequest, TabContent, Tile
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.pages.rows import NamedRow, plot_of_rows
from verifyhub.metrics.plots.charts import HEIGHT, Dot, over_time
from verifyhub.metrics.plots.plot import Mark, Plot, PlotCell, PlotColumn
from verifyhub.metrics.selectors.attempts import attempts
from verifyhub.metrics.selectors.confidence import self_confidence
from verifyhub.metrics.selectors.questions import By, Trend, Week, progress
from verifyhub.metrics.windows import WEEK

FIRST_PASSED = {"attempt": "first", "verdict": "accept"}
AGAIN = {"attempt": "again", "checked": "yes"}


def getting_better(page: PageRequest) -> TabContent:
    """Follow invented names, first attempts and retries, week by week."""
    trends = {by: progress(page.project, page.window, by) for by in By}
    links = page.links
    everybody = trends[By.ALL][0] if trends[By.ALL] else None
    tiles = []
    if everybody:
        quality = everybody.quality
        checked = links.answers(checked="yes")
        first = links.answers(attempt="first", checked="yes")
        tiles = [
            Tile(quality.hallucinated, links.answers(invented="yes"), checked),
            Tile(everybody.hallucinated_change),
            Tile(quality.first_passed, links.answers(**FIRST_PASSED), first),
            Tile(everybody.first_passed_change),
            Tile(quality.retries, links.answers(**AGAIN), first),
        ]
    shown = everybody.weeks if everybody else []
    mondays = [week.monday for week in shown]
    headings = {
        By.AGENT: gettext("Hallucination rate by agent"),
        By.MODEL: gettext("Hallucination rate by model"),
        By.TOOL: gettext("Hallucination rate of answers that used a tool"),
    }
    return TabContent(
        tiles=tiles,
        plots=[
            weeks(shown, links, page.time_axis(mondays, step=WEEK)),
            *(
                by_name(by, heading, trends[by], links)
                for by, heading in headings.items()
            ),
        ],
        more={
            "attempts": attempts(page.project, page.window),
            "self_confidence": self_confidence(page.project, page.window),
            "to": links,
        },
    )


def by_name(by: By, heading: str, rows: Sequence[Trend], links: Links) -> Plot:
    """Draw how often each agent's, model's or tool's answers invent names."""
    return plot_of_rows(
        f"hallucinated-by-{by}",
        heading,
        {
            By.AGENT: gettext("Agent"),
            By.MODEL: gettext("Model"),
            By.TOOL: gettext("Tool"),
        }[by],
        [
            NamedRow(
                name=row.name,
                figures=(
                    row.quality.hallucinated,
                    row.quality.first_passed,
                    row.quality.retries,
                    row.quality.flagged,
                    row.quality.wrong,
                    row.hallucinated_change,
                ),
                href=_hrefs(by, row.name, links)[-1],
                hrefs=_hrefs(by, row.name, links),
            )
            for row in rows
        ],
    )


def _hrefs(by: By, name: str, links: Links) -> list[str]:
    """Return the links to the answers of each figure of a row, then to all."""
    if name == REST or (not name and by is By.TOOL):
        return [""]
    side = {by.value: name} if name else {"unnamed": by.value}
    filters: list[dict[str, str]] = [
        {"invented": "yes"},
        FIRST_PASSED,
        AGAIN,
        {"verdict": "flagged"},
        {"known": "wrong"},
        {"checked": "yes"},
    ]
    return [links.answers(**side, **more) for more in filters]


def weeks(shown: Sequence[Week], links: Links, places: list[str]) -> Plot:
    """Draw the share of answers with invented names, and of first attempts, by week."""
    dots, marks, rows = [], [], []
    for week in shown:
        quality, monday = week.quality, week.monday
        href = links.week(monday, checked="yes")
        drawn = (
            (quality.hallucinated, links.week(monday, invented="yes")),
            (quality.first_passed, links.week(monday, **FIRST_PASSED)),
        )
        for figure, to in drawn:
            dots.append(Dot.of(figure, at=monday.isoformat(), series=figure.label))
            marks.append(Mark(to, f"{monday.isoformat()}, {figure.label}"))
        rows.append(
            (
                PlotCell(monday, href),
                PlotCell(quality.answers, href),
                *(PlotCell(figure, to) for figure, to in drawn),
                PlotCell(quality.retries, links.week(monday, **AGAIN)),
            )
        )
    return Plot(
        name="weeks",
        heading=gettext("By week"),
        definition=gettext(
            "Weeks begin on Monday (UTC). Answers with an unsupported name,"
            " of those checked; and accepted first attempts, of first"
            " attempts. A line through a point is its 95 % interval."
        ),
        columns=_week_columns(),
        rows=rows,
        marks=marks,
        draw=over_time(dots, gettext("share"), gettext("week of (UTC)"), places=places),
        height=HEIGHT,
    )


def _week_columns() -> tuple[PlotColumn, ...]:
    return (
        PlotColumn(key="week", title=gettext("Week of"), kind="day"),
        PlotColumn(key="answers", title=gettext("Checked")),
        PlotColumn(
            key="hallucinated", title=gettext("Hallucination rate"), kind="figure"
        ),
        PlotColumn(
            key="first_passed", title=gettext("First-attempt success"), kind="figure"
        ),
        PlotColumn(key="retries", title=gettext("Retries"), kind="figure"),
    )

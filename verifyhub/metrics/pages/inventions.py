"""What do agents invent most, and did constraints help?"""

from django.utils.translation import gettext

from verifyhub.common.kind_words import VALUE_KINDS
from verifyhub.common.templatetags.spoken import value_word
from verifyhub.metrics.pages.asked import PageRequest, TabContent, Tile
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.pages.rows import NamedRow, apart, plot_of_rows
from verifyhub.metrics.plots.charts import BarSegment, bars, rows_high
from verifyhub.metrics.plots.plot import Mark, Plot, PlotCell, PlotColumn, label
from verifyhub.metrics.selectors.mentions import NameRow, by_kind
from verifyhub.metrics.selectors.questions import Inventions, inventions


def invented(page: PageRequest) -> TabContent:
    """Rank invented names, and compare before and after they were shared."""
    figures = inventions(page.project, page.window, page.now)
    experiment = figures.experiment
    links = page.links
    recent = links.over(90, page.now)
    tiles = []
    if experiment.share:
        tiles = [
            *(
                Tile(
                    figure,
                    recent.answers(arm=f"constraints:{side}", invented="yes"),
                    recent.answers(arm=f"constraints:{side}", checked="yes"),
                )
                for side, figure in (
                    ("told", experiment.told),
                    ("held_out", experiment.held_out),
                )
            ),
            Tile(experiment.difference),
        ]
    if figures.unsupported_values.n:
        tiles.insert(
            0,
            Tile(
                figures.unsupported_values,
                links.answers(values="unsupported"),
                links.answers(values="checked"),
            ),
        )
    if figures.unlisted.value:
        tiles.append(Tile(figures.unlisted))
    return TabContent(
        tiles=tiles,
        plots=[
            most(figures.names, links),
            *([of_values(figures, links)] if figures.value_kinds else []),
            before_and_after(figures, links),
        ],
        more={
            "invented": figures.names,
            "kinds": by_kind(page.project, page.window),
            "experiment": experiment,
            "to": links,
        },
    )


def most(names: list[NameRow], links: Links) -> Plot:
    """Draw the names without evidence in the most answers."""
    shown = apart([label(row.text) for row in names])
    hrefs = [links.answers(ghost=f"{row.kind}:{row.key}") for row in names]
    return Plot(
        name="most-invented",
        heading=gettext("Most frequent unsupported names"),
        definition=gettext(
            "Unsupported names, except those a reviewer declared correct, "
            "by the answers that contain them."
        ),
        columns=(
            PlotColumn(key="name", title=gettext("Name"), kind="text"),
            PlotColumn(key="kind", title=gettext("Kind"), kind="word"),
            PlotColumn(key="reason", title=gettext("Reason"), kind="word"),
            PlotColumn(key="answers", title=gettext("Answers")),
            PlotColumn(key="sessions", title=gettext("Sessions")),
            PlotColumn(key="constraint", title=gettext("Constraint"), kind="word"),
        ),
        rows=[
            (
                PlotCell(row.text, href),
                PlotCell(row.kind),
                PlotCell(row.reason),
                PlotCell(row.answer_count, href),
                PlotCell(row.session_count),
                PlotCell(value_word(row.constraint)),
            )
            for row, href in zip(names, hrefs, strict=True)
        ],
        marks=[
            Mark(href, f"{row.text}: {row.answer_count}")
            for row, href in zip(names, hrefs, strict=True)
        ],
        draw=bars(
            [
                BarSegment(at=at, kind=str(row.answer_count), number=row.answer_count)
                for at, row in zip(shown, names, strict=True)
            ],
            gettext("answers"),
        ),
        height=rows_high(len(names)),
        is_open=True,
        reach=True,
    )


def of_values(figures: Inventions, links: Links) -> Plot:
    """Draw how often values of each kind are unsupported."""
    return plot_of_rows(
        "values-by-kind",
        gettext("By kind of value"),
        gettext("Kind"),
        [
            NamedRow(
                name=str(VALUE_KINDS.get(row.kind, row.kind)),
                figures=(row.unsupported,),
                href=links.answers(value_kind=row.kind),
            )
            for row in figures.value_kinds
        ],
        leads=gettext(
            "Figures count values; each links to the answers that contain them."
        ),
    )


def before_and_after(figures: Inventions, links: Links) -> Plot:
    """Draw each constraint's name before and after it was shared."""
    return plot_of_rows(
        "constraints",
        gettext("Did constraints help?"),
        gettext("Name"),
        [
            NamedRow(
                name=row.text,
                figures=(row.before, row.after, row.effect),
                href=links.constraint(row.id),
            )
            for row in figures.constraints
        ],
        definition=gettext(
            "Share of answers in which a constraint's name was "
            "unsupported, before and after it was shared with agents. A "
            "rate chosen for being high may fall by itself; holdout "
            "sessions are a better comparison."
        ),
        drawn=2,
        leads=gettext("A link leads to the constraint and where it was seen."),
    )

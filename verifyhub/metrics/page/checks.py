"""Where are checks wrong?"""

from collections.abc import Sequence

from django.utils.translation import gettext

from verifyhub.metrics.page.asked import Answer, Asked, Tile
from verifyhub.metrics.page.links import Links
from verifyhub.metrics.page.rows import Named, plot_of_rows
from verifyhub.metrics.plots.plot import Plot
from verifyhub.metrics.selectors.questions import checks, outcomes
from verifyhub.metrics.selectors.questions.checks import CheckRow
from verifyhub.metrics.words import words_for

# What a decision about each check is recorded as being about.
TARGETS = {
    "verdict": "verdict",
    "names": "mention",
    "completion": "claim",
    "facts": "fact",
}


def wrong_checks(asked: Asked) -> Answer:
    """Count judgements that people changed, by check, reason and agent."""
    found, links = checks(asked.project, asked.window), asked.links
    all_of = outcomes(asked.project, asked.window)
    return Answer(
        tiles=[
            Tile(all_of.known, links.answers(person="decided")),
            Tile(all_of.false_alarms, links.answers(verdict="flagged", person="right")),
            Tile(all_of.missed, links.answers(verdict="accept", person="wrong")),
        ],
        plots=[
            _rows("overridden-by-check", gettext("By check"), found.by_check, links),
            _rows("overridden-by-reason", gettext("By reason"), found.by_reason, links),
            _rows("overridden-by-agent", gettext("By agent"), found.by_agent, links),
        ],
        more={"outcomes": found.outcomes},
    )


def _rows(name: str, heading: str, rows: Sequence[CheckRow], links: Links) -> Plot:
    return plot_of_rows(
        name,
        heading,
        gettext("Check"),
        [
            Named(
                name=_name(row),
                figures=(row.overridden, row.cleared, row.overlooked),
                href=_href(row, links),
            )
            for row in rows
        ],
    )


def _name(row: CheckRow) -> str:
    check = words_for(row.check)
    if row.reason:
        return f"{check}: {words_for(row.reason)}"
    return f"{check}: {row.agent}" if row.agent else check


def _href(row: CheckRow, links: Links) -> str:
    wanted = {"overridden": TARGETS.get(row.check, ""), "agent": row.agent}
    if row.check == "names":
        wanted["because"] = row.reason
    return links.answers(**{name: value for name, value in wanted.items() if value})

"""Where are checks wrong?"""

from collections.abc import Sequence

from django.utils.translation import gettext

from verifyhub.common.code_words import words_for
from verifyhub.metrics.counting.tally import REST
from verifyhub.metrics.pages.asked import PageRequest, TabContent, Tile
from verifyhub.metrics.pages.links import Links
from verifyhub.metrics.pages.overview import GOLD, by_people
from verifyhub.metrics.pages.rows import NamedRow, plot_of_rows
from verifyhub.metrics.plots.plot import Plot
from verifyhub.metrics.selectors.questions import checks, outcomes
from verifyhub.metrics.selectors.questions.checks import CheckRow
from verifyhub.review.answer_list.decision_filters import JUDGED_AS

AGENTS = "overridden-by-agent"


def wrong_checks(page: PageRequest) -> TabContent:
    """Count the results that people changed, by check, reason and agent."""
    answers, links = checks(page.project, page.window), page.links
    all_of = outcomes(page.project, page.window)
    return TabContent(
        tiles=[
            Tile(
                all_of.known,
                links.answers(known="yes"),
                links.answers(checked="yes"),
                GOLD,
            ),
            *by_people(all_of, links),
        ],
        plots=[
            _rows("overridden-by-check", gettext("By check"), answers.by_check, links),
            _rows(
                "overridden-by-reason", gettext("By reason"), answers.by_reason, links
            ),
            _rows(AGENTS, gettext("By agent"), answers.by_agent, links),
        ],
        more={"outcomes": answers.outcomes, "to": links},
    )


def _rows(name: str, heading: str, rows: Sequence[CheckRow], links: Links) -> Plot:
    by_agent = name == AGENTS
    return plot_of_rows(
        name,
        heading,
        gettext("Check"),
        [
            NamedRow(
                name=_name(row, by_agent=by_agent),
                figures=(row.overridden, row.cleared, row.overlooked),
                href=_hrefs(row, links, by_agent=by_agent)[0],
                hrefs=_hrefs(row, links, by_agent=by_agent),
            )
            for row in rows
        ],
        leads=gettext(
            "Figures count judgements; each links to the answers that contain them."
        ),
    )


def _name(row: CheckRow, *, by_agent: bool) -> str:
    check = words_for(row.check)
    if row.reason:
        return f"{check}: {words_for(row.reason)}"
    if not by_agent:
        return check
    return f"{check}: {row.agent or gettext('unnamed')}"


def _hrefs(row: CheckRow, links: Links, *, by_agent: bool) -> list[str]:
    """Return the answers with results that were changed, cleared and missed."""
    if REST in (row.reason, row.agent):
        return [""]
    values = {"why": row.reason, "agent": row.agent}
    if by_agent and not row.agent:
        values["unnamed"] = "agent"
    filters = {name: value for name, value in values.items() if value}
    return [links.answers(judged=f"{row.check}:{how}", **filters) for how in JUDGED_AS]

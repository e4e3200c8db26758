"""Trends of agents, models and tools, week by week."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from verifyhub.accounts.models import Project
from verifyhub.common.shares import Share, ShareDifference
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.tally import REST, Key, RowCounts, Tally
from verifyhub.metrics.figures import Figure, difference, rate, share
from verifyhub.metrics.windows import Window

MAX_ROWS = 20


class By(StrEnum):
    """The dimension by which answers are grouped."""

    ALL = "all"
    AGENT = "agent"
    MODEL = "model"
    TOOL = "tool"


# Section of the counts, and the place in its keys.
_KEYS: Mapping[By, tuple[str, tuple[int, ...]]] = {
    By.ALL: ("answers", ()),
    By.AGENT: ("answers", (0,)),
    By.MODEL: ("answers", (2,)),
    By.TOOL: ("tools", (0,)),
}
# What a rate counts, and of what.
_RATES = {
    "hallucinated": ("invented", "checked"),
    "first_passed": ("first_passed", "first"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Quality:
    """How good some answers were."""

    answers: int
    hallucinated: Figure
    first_passed: Figure
    retries: Figure
    flagged: Figure
    wrong: Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """Answers of one week, which begins on a Monday (UTC)."""

    monday: date
    quality: Quality


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """The trend of one agent, model or tool."""

    name: str
    """The name in the run; empty if unnamed, and for all together."""
    quality: Quality
    """Over the whole window."""
    hallucinated_change: Figure
    """Later half of the window minus earlier half; below 0 is better."""
    first_passed_change: Figure
    """The same of first attempts; above 0 is better."""
    weeks: list[Week]
    """Oldest first; weeks without a checked answer are missing."""

    @property
    def shows(self) -> str:
        """`better` or `worse` by the share of invented names; empty if unclear."""
        change = self.hallucinated_change
        if change.low is None or change.high is None:
            return ""
        if change.high < 0:
            return "better"
        return "worse" if change.low > 0 else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedFigure:
    """A figure of one agent, model or tool."""

    name: str
    figure: Figure


def progress(project: Project, window: Window, by: By) -> list[Trend]:
    """Return the agents, models or tools with the most checked answers, MAX_ROWS.

    An answer counts for every tool that it called.
    """
    days = read(project, window).days
    weeks: dict[date, Tally] = defaultdict(Tally)
    halves = (Tally(), Tally())
    middle = _middle(days, window)
    section, places = _KEYS[by]
    for day, tally in days.items():
        weeks[day - timedelta(days=day.weekday())].include(tally, section)
        halves[day >= middle].include(tally, section)
    total = read(project, window).total.by(section, *places)
    by_week = {
        monday: tally.by(section, *places) for monday, tally in sorted(weeks.items())
    }
    both = [half.by(section, *places) for half in halves]
    keys = [key for key, counts in total.items() if counts["checked"]]
    keys.sort(key=lambda key: (-total[key]["checked"], key))
    return [
        Trend(
            name=key[0] if key else "",
            quality=quality_of(total[key]),
            hallucinated_change=_change("hallucinated", key, both),
            first_passed_change=_change("first_passed", key, both),
            weeks=[
                Week(monday=monday, quality=quality_of(rows[key]))
                for monday, rows in by_week.items()
                if key in rows and rows[key]["checked"]
            ],
        )
        for key in keys[:MAX_ROWS]
    ]


def most_hallucinating(project: Project, window: Window, by: By) -> NamedFigure | None:
    """Return the agent, model or tool that most surely has a high hallucination rate.

    It is the one whose rate is highest at the lower end of its interval, so that one
    bad answer of two does not outrank fifty of a hundred. None where none has any.
    """
    section, places = _KEYS[by]
    total = read(project, window).total.by(section, *places)
    rates = {
        key[0]: quality_of(counts).hallucinated
        for key, counts in total.items()
        if key[0] not in {"", REST} and counts["invented"]
    }
    if not rates:
        return None
    name = max(rates, key=lambda name: (rates[name].low or 0, name))
    return NamedFigure(name=name, figure=rates[name])


def quality_of(counts: RowCounts) -> Quality:
    """Return the figures of some answers from their counts."""
    checked = counts["checked"]
    flagged = counts["uncertain"] + counts["rejected"]
    return Quality(
        answers=checked,
        hallucinated=share("hallucinated", counts["invented"], checked),
        first_passed=share("first_passed", counts["first_passed"], counts["first"]),
        retries=rate("retries", counts["retries"], counts["first"]),
        flagged=share("flagged", flagged, checked),
        wrong=share("wrong", counts["wrong"], counts["known"]),
    )


def _middle(days: Mapping[date, Tally], window: Window) -> date:
    """Return the first day of the later half."""
    if not days:
        return date.min
    first = window.since.date() if window.since else min(days)
    last = max(days)
    return first + timedelta(days=((last - first).days + 1) // 2)


def _change(rate: str, key: Key, halves: Sequence[Mapping[Key, RowCounts]]) -> Figure:
    """Return a rate of the later half minus that of the earlier one."""
    hits, cases = _RATES[rate]
    earlier, later = (
        Share(count=half[key][hits], total=half[key][cases])
        if key in half
        else Share(count=0, total=0)
        for half in halves
    )
    return difference(f"{rate}_change", ShareDifference(first=later, second=earlier))

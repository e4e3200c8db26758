"""Every figure, mark and table of the metrics page leads to the answers it counted."""

import html
import re
from datetime import timedelta
from itertools import repeat
from random import Random
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from tests.factories import (
    ClaimVerdictFactory,
    ConstraintFactory,
    InteractionFactory,
    MentionVerdictFactory,
    ModelCallFactory,
    OverrideFactory,
    ReviewItemFactory,
    ToolCallFactory,
    VerificationFactory,
)
from verifyhub.ingest.models import Interaction
from verifyhub.learning.models import CalibrationSample, LabelledExample
from verifyhub.metrics.definitions import MetricUnit
from verifyhub.metrics.figures import Figure
from verifyhub.metrics.pages.asked import PageRequest
from verifyhub.metrics.pages.tabs import TABS
from verifyhub.metrics.windows import window_from
from verifyhub.review.models import GoldItem, ReviewItem

LIST = "/p/acme/answers/"
LEVELS = ("level_1_structure", "level_2_schema", "level_3_filesystem")
# Links by these lead to answers, while names, claims, errors or calls are counted.
OF_THINGS = {
    "claimed",
    "name_cleared",
    "fault",
    "asked_tier",
    "asked_for",
    "value_kind",
}
VERDICTS = ("accept", "uncertain", "reject")


ALL_TIME = repeat("all")


class Filled:
    """Answers of ten weeks, of several agents, with all that may happen to them."""

    def __init__(self, project, people):
        self.random, self.now = Random(9), timezone.now()
        self.project, self.people = project, people
        self.last = None
        for number in range(36):
            self.answer(number)
        ConstraintFactory(project=project, text="ghost_1.py")

    def any(self, *choices):
        return self.random.choice(choices)

    def answer(self, number):
        is_retry = self.last and number % 5 == 0
        row = InteractionFactory(
            project=self.project,
            agent_name=self.any("scout", "a <b>, c & d", ""),
            agent_tier=self.any("small", "large", ""),
            metadata=self.any({"model": "m-1", "prompt_version": "p1"}, None, {}),
            parent=self.last.client_id if is_retry else "",
            run_cost_microdollars=self.any(900, None),
        )
        at = self.now - timedelta(days=number * 1.9, minutes=1)
        if is_retry:
            at = self.last.created_at + timedelta(minutes=1)
        Interaction.objects.filter(pk=row.pk).update(created_at=at)
        row.refresh_from_db()
        self.last = row
        for index, tool in enumerate(self.random.sample(["Read", "Bash", "Q&A"], 2)):
            ToolCallFactory(interaction=row, tool=tool, index=index)
        if number % 9 == 0:
            VerificationFactory(interaction=row, waiting=True)
            return
        run = self.check(row, 1)
        if number % 4 == 0:
            run = self.check(row, 2)
        if number % 7 == 0:
            VerificationFactory(interaction=row, number=3, waiting=True)
        if number % 3:
            self.decide(run, number)

    def check(self, row, number):
        run = VerificationFactory(
            interaction=row,
            number=number,
            verdict=self.any(*VERDICTS),
            confidence=self.any(None, 0.0, 0.3, 0.7, 0.99, 1.0),
            coverage=self.any(0.0, 0.5),
            report={
                "schema": 1,
                "checks": [
                    {
                        "name": "values",
                        "outcome": self.any("passed", "failed", "skipped"),
                    },
                    *(
                        {
                            "name": name,
                            "outcome": (how := self.any("passed", "failed", "skipped")),
                            "details": {
                                "errors": [{"category": "missing_field"}],
                                "errors_by_category": {"missing_field": 2},
                            }
                            if how == "failed"
                            else {},
                        }
                        for name in LEVELS
                    ),
                ],
                "values": [
                    {"kind": self.any("money", "date"), "status": status}
                    for status in (
                        self.any("supported", "unsupported"),
                        self.any("supported", "unsupported", "unchecked"),
                    )
                ],
                "completion_claims": [
                    {"status": self.any("supported", "contradicted"), "text": "done"}
                ],
                "warnings": [{"code": self.any("CUT", "LATE")}],
                "goal": {"state": self.any("achieved", "not_achieved")},
            },
        )
        for index in range(3):
            status = self.any("verified", "unverified")
            MentionVerdictFactory(
                verification=run,
                index=index,
                text=f"ghost_{index}.py",
                kind=self.any("file", "module"),
                status=status,
                reason="found"
                if status == "verified"
                else self.any("not_found", "near_miss", "task_only"),
                human_status=self.any("", "", "verified", "unverified"),
            )
        ClaimVerdictFactory(verification=run, human_status=self.any("", "right"))
        if self.any(True, False):
            ModelCallFactory(
                project=self.project, verification_id=run.pk, tier=self.any("a", "b")
            )
        return run

    def decide(self, run, number):
        word = self.any("", *VERDICTS)
        is_changed = word not in ("", run.verdict)
        when = self.now - timedelta(days=number % 6)
        item = ReviewItemFactory(
            verification=run,
            state="overridden" if is_changed else "confirmed",
            human_verdict=word,
            resolved_by=self.any(*self.people),
            resolved_at=when,
            reason_kinds=[self.any("invented", "claim")],
        )
        ReviewItem.objects.filter(pk=item.pk).update(created_at=when)
        for said in self.any((), ("right",), ("wrong", "right"), ("wrong",)):
            OverrideFactory(item=item, target="value", subject={"index": 0}, after=said)
        if number % 8 == 1:
            ReviewItem.objects.filter(pk=item.pk).update(state="open", resolved_at=None)
        elif number % 8 == 2:
            GoldItem.objects.create(
                project=self.project,
                item=item,
                verdict=self.any("accept", "reject"),
                marked_by=self.people[0],
            )
        claim = run.report["completion_claims"][0]["status"]
        OverrideFactory(
            item=item,
            target="claim",
            subject={"index": 0, "text": "done"},
            before=claim,
            after=self.any("supported", "contradicted"),
            reviewer=self.people[0],
        )
        example = LabelledExample.objects.create(
            project=self.project,
            interaction=run.interaction,
            verification_id=run.pk,
            override_id=item.pk,
            target="verdict",
            decided_at=when,
        )
        CalibrationSample.objects.create(
            project=self.project,
            example=example,
            check_name="verdict",
            score=run.confidence or 0.5,
            label=bool(number % 2),
            at=when,
        )


@pytest.fixture
def filled(project, lead, admin):
    return Filled(project, [lead, admin])


def counted(value):
    """Return how many answers a cell or tile speaks of; None where it tells none."""
    if not isinstance(value, Figure):
        return value if isinstance(value, int) else None
    if value.value is None or value.unit in (
        MetricUnit.MICRODOLLARS,
        MetricUnit.DIFFERENCE,
    ):
        return None
    if value.count is not None:
        return value.count
    if value.unit is MetricUnit.PER_CASE and value.name != "share_of_run":
        return round(value.value * value.n)
    return (
        value.n if value.unit is MetricUnit.ERROR or value.method == "counted" else None
    )


def places(answer):
    """Yield what a tab shows with a link: where, the link, its answers, if exact."""
    for tile in answer.tiles:
        name = tile.figure.name
        yield name, tile.href, counted(tile.figure), True
        yield f"{name}, of", tile.of, tile.figure.n, True
    for plot in answer.plots:
        for row in plot.rows:
            for column, cell in zip(plot.columns, row, strict=True):
                exact = not plot.leads
                yield (
                    f"{plot.name}: {column.key}",
                    cell.href,
                    counted(cell.value),
                    exact,
                )


def total(client, href):
    response = client.get(href)
    assert response.status_code == 200, href
    if not href.startswith(LIST):
        return None
    assert response.context["form"].is_valid(), (href, response.context["form"].errors)
    return response.context["page"].paginator.count


# Each so manieth link of a tab is followed.
@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.deep)])
def test_figures_lead_to_as_many_answers_as_they_count(browse, lead, filled, step):
    client, now = browse(lead), timezone.now()
    wrong = []
    for tab, days in [("overview", "30"), *zip(TABS, ALL_TIME, strict=False)]:
        asked = PageRequest(
            project=filled.project, window=window_from(days, now), now=now
        )
        answer = TABS[tab].answer(asked)
        links = list(dict.fromkeys(href for _, href, *_ in places(answer) if href))
        seen = {href: total(client, href) for href in links[::step]}
        for where, href, count, exact in places(answer):
            held = seen.get(href)
            if held is None or count is None:
                continue
            right = held == count if exact else min(1, count) <= held <= count
            if not right:
                wrong.append((tab, where, count, held, href))
        assert seen or not answer.tiles

    assert not wrong


def test_marks_lead_where_the_table_behind_the_plot_leads(filled):
    now = timezone.now()
    asked = PageRequest(project=filled.project, window=window_from("all", now), now=now)

    for tab in TABS.values():
        for plot in tab.answer(asked).plots:
            led = {cell.href for row in plot.rows for cell in row}
            assert {mark.href for mark in plot.marks} <= led, plot.name
            assert all(mark.href for mark in plot.marks) or plot.name == "reviewers"


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.deep)])
def test_numbers_on_the_page_are_links_to_as_many_answers(browse, lead, filled, step):
    client = browse(lead)
    paths = ["" if tab == "overview" else f"{tab}/" for tab in TABS]
    pages = [client.get(f"/p/acme/metrics/{path}", {"days": "90"}) for path in paths]
    text = "".join(page.content.decode() for page in pages)

    links = re.findall(rf'<a href="({LIST}[^"]*)">([\d,]+)</a>', text)
    assert len(links) > 20
    for href, number in links[::step]:
        url = html.unescape(href)
        count, held = int(number.replace(",", "")), total(client, url)
        if OF_THINGS & set(parse_qs(urlsplit(url).query)):
            assert min(1, count) <= held <= count, url
        else:
            assert held == count, url

"""Whatever happened, every figure is what an independent count of the rows says.

Histories hold answers of several agents and days, verifications and re-verifications,
names, decisions, undo, gold and calls of models, with the counts refreshed now and then
in between. The recount below shares no code with the figures: it walks the rows.
"""

from collections import Counter, defaultdict
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.factories import (
    InteractionFactory,
    MentionVerdictFactory,
    ModelCallFactory,
    ProjectFactory,
    ReviewItemFactory,
    UserFactory,
    VerificationFactory,
)
from verifyhub.engine.reports import NOT_COUNTED
from verifyhub.inference.models import ModelCall
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.counting.reading import one_reading
from verifyhub.metrics.selectors.answers import answers, by_day, confidence_bins
from verifyhub.metrics.selectors.attempts import attempts
from verifyhub.metrics.selectors.costs import costs
from verifyhub.metrics.selectors.levels import levels
from verifyhub.metrics.selectors.mentions import by_kind, most_invented
from verifyhub.metrics.selectors.questions import (
    By,
    backlog,
    checks,
    outcomes,
    people,
    progress,
    spending,
)
from verifyhub.metrics.selectors.reviews import reviews
from verifyhub.metrics.services import count_next_day, differences, refresh
from verifyhub.metrics.windows import Window
from verifyhub.review.models import GoldItem, ReviewItem
from verifyhub.verification.models import MentionVerdict, Verification

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def patient(db):
    """Let the test's one transaction wait for histories that are slow to be made."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")


NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
AGENTS = ["scout", "coder", ""]
VERDICTS = ["accept", "uncertain", "reject"]
FLAGGED = ("uncertain", "reject")
DECIDED = ("confirmed", "overridden")

names = st.lists(
    st.tuples(
        st.sampled_from(["ghost.py", "real.py", "lib"]),
        st.sampled_from(["verified", "unverified"]),
        st.sampled_from(["not_found", "near_miss", "task_only"]),
    ),
    max_size=3,
)
acts = st.one_of(
    st.tuples(
        st.just("answer"),
        st.integers(0, 70),
        st.sampled_from(AGENTS),
        st.sampled_from([*VERDICTS, None]),
        names,
        st.booleans(),
    ),
    st.tuples(st.just("again"), st.integers(0, 9), st.sampled_from(VERDICTS), names),
    st.tuples(st.just("decide"), st.integers(0, 9), st.sampled_from(VERDICTS)),
    st.tuples(st.just("undo"), st.integers(0, 9)),
    st.tuples(st.just("judge"), st.integers(0, 9), st.booleans()),
    st.tuples(st.just("gold"), st.integers(0, 9), st.sampled_from(VERDICTS)),
    st.tuples(st.just("ask"), st.integers(0, 9), st.integers(0, 900)),
    st.tuples(st.just("delete"), st.integers(0, 9)),
    st.tuples(st.just("count")),
)


class History:
    """Carries acts out on the rows, as the services do."""

    def __init__(self):
        self.project, self.user = ProjectFactory(), UserFactory()
        self.runs = []

    def act(self, kind, *given):
        getattr(self, kind)(*given)

    def pick(self, place):
        return self.runs[place % len(self.runs)] if self.runs else None

    def answer(self, days, agent, verdict, found, is_retry):
        parent = self.runs[-1].interaction if self.runs and is_retry else None
        row = InteractionFactory(
            project=self.project,
            agent_name=agent,
            agent_tier="small",
            parent=parent.client_id if parent else "",
            run_cost_microdollars=1_000,
        )
        Interaction.objects.filter(pk=row.pk).update(
            created_at=NOW - timedelta(days=days)
        )
        row.refresh_from_db()
        if verdict:
            self.runs.append(self.verify(row, 1, verdict, found))

    def verify(self, row, number, verdict, found):
        run = VerificationFactory(interaction=row, number=number, waiting=True)
        for text, status, reason in found:
            MentionVerdictFactory(
                verification=run, text=text, status=status, reason=reason
            )
        run.state, run.verdict = "finished", verdict
        run.report = {
            "checks": [{"name": "level_1_structure", "outcome": "passed"}],
            "warnings": [{"code": "W"}] if verdict == "reject" else [],
        }
        run.confidence, run.duration_ms = VERDICTS.index(verdict) / 2, 3 * number
        run.save()
        return run

    def again(self, place, verdict, found):
        old = self.pick(place)
        if old:
            index = self.runs.index(old)
            row = old.interaction
            number = row.verifications.count() + 1
            self.runs[index] = self.verify(row, number, verdict, found)

    def decide(self, place, verdict):
        run = self.pick(place)
        if run is None:
            return
        item = ReviewItem.objects.filter(verification=run).first()
        item = item or ReviewItemFactory(verification=run, reason_kinds=["decision"])
        item.human_verdict = verdict
        item.state = "confirmed" if verdict == run.verdict else "overridden"
        item.resolved_at, item.resolved_by = NOW, self.user
        item.save()

    def undo(self, place):
        run = self.pick(place)
        item = run and ReviewItem.objects.filter(verification=run).first()
        if item:
            item.state, item.human_verdict = "open", ""
            item.resolved_at = item.resolved_by = None
            item.save()

    def judge(self, place, right):
        run = self.pick(place)
        mention = run and run.mentions.order_by("index").first()
        if mention:
            mention.human_status = "verified" if right else "unverified"
            mention.save()

    def gold(self, place, verdict):
        run = self.pick(place)
        if run and not GoldItem.objects.filter(item__verification=run).exists():
            item = ReviewItem.objects.filter(verification=run).first()
            GoldItem.objects.create(
                project=self.project,
                item=item or ReviewItemFactory(verification=run),
                verdict=verdict,
                marked_by=self.user,
            )

    def ask(self, place, cost):
        run = self.pick(place)
        if run:
            ModelCallFactory(
                project=self.project, verification_id=run.pk, cost_microdollars=cost
            )

    def delete(self, place):
        run = self.pick(place)
        if run:
            self.runs.remove(run)
            run.interaction.delete()

    def count(self):
        while refresh(project_id=self.project.pk):
            pass
        while count_next_day(project_id=self.project.pk):
            pass


class Recount:
    """The figures of a window, walked from the rows one by one."""

    def __init__(self, project, window):
        self.received, self.runs = [], []
        for row in Interaction.objects.filter(project=project):
            if window.since is None or row.created_at >= window.since:
                self.received.append(row)
                done = [r for r in row.verifications.all() if r.state == "finished"]
                if done:
                    self.runs.append(max(done, key=lambda run: run.number))
        self.items = [
            item
            for item in ReviewItem.objects.filter(project=project)
            if item.interaction in self.received
        ]
        self.mentions = [
            mention
            for mention in MentionVerdict.objects.filter(verification__in=self.runs)
            if mention.status == "verified" or mention.reason not in NOT_COUNTED
        ]
        self.invented = {
            mention.verification_id
            for mention in self.mentions
            if (mention.human_status or mention.status) == "unverified"
        }
        self.calls = ModelCall.objects.filter(
            verification_id__in=Verification.objects.filter(
                interaction__in=self.received
            ).values("id")
        )
        stored = {run.pk for run in Verification.objects.filter(project=project)}
        self.cost_of_others = sum(
            call.cost_microdollars
            for call in ModelCall.objects.filter(project=project)
            if call.verification_id not in stored
        )

    def count(self, *verdicts):
        return sum(run.verdict in verdicts for run in self.runs)

    def truth(self, run):
        gold = GoldItem.objects.filter(item__interaction=run.interaction)
        if gold.exists():
            return gold.order_by("-created_at", "id")[0].verdict
        said = [
            item
            for item in self.items
            if item.interaction_id == run.interaction_id and item.state in DECIDED
        ]
        said.sort(key=lambda item: (-item.resolved_at.timestamp(), item.pk))
        return said[0].human_verdict if said else None

    def is_retry(self, run):
        row = run.interaction
        return bool(row.parent) and any(
            one.client_id == row.parent
            and one.task == row.task
            and one.created_at <= row.created_at
            for one in Interaction.objects.filter(project=row.project)
        )

    def own_items(self):
        """Items of the newest verification of each answer, that people decided."""
        current = {run.pk for run in self.runs}
        return [
            item
            for item in self.items
            if item.state in DECIDED and item.verification_id in current
        ]


def assert_answers(project, window, rows):
    found = answers(project, window)
    assert found.received == len(rows.received)
    assert found.checked == len(rows.runs)
    assert found.accepted == rows.count("accept")
    assert found.flagged.count == rows.count(*FLAGGED)
    times = sorted(run.duration_ms for run in rows.runs)
    place = 0.5 * (len(times) - 1)
    if times:
        under, over = times[int(place)], times[min(int(place) + 1, len(times) - 1)]
        assert found.p50_ms == under + (over - under) * (place - int(place))
    days = Counter(run.interaction.created_at.date() for run in rows.runs)
    assert {
        row.day: row.accepted + row.uncertain + row.rejected
        for row in by_day(project, window)
    } == days
    bins, without = confidence_bins(project, window)
    tenths = Counter(min(9, int(run.confidence * 10)) for run in rows.runs)
    assert {i: one.total for i, one in enumerate(bins) if one.total} == tenths
    assert without == 0


def assert_outcomes(project, window, rows):
    found = outcomes(project, window)
    truth = {run: rows.truth(run) for run in rows.runs}
    known = [run for run in rows.runs if truth[run]]
    assert (found.known.count, found.known.n) == (len(known), len(rows.runs))
    assert found.wrong.count == sum(truth[run] == "reject" for run in known)
    assert found.false_alarms.count == sum(
        run.verdict in FLAGGED and truth[run] == "accept" for run in known
    )
    assert found.missed.count == sum(
        run.verdict == "accept" and truth[run] == "reject" for run in known
    )


def assert_progress(project, window, rows):
    by_name = defaultdict(list)
    for run in rows.runs:
        by_name[run.interaction.agent_name].append(run)
    found = {row.name: row for row in progress(project, window, By.AGENT)}
    assert found.keys() == by_name.keys()
    for name, runs in by_name.items():
        first = [run for run in runs if not rows.is_retry(run)]
        quality = found[name].quality
        assert quality.hallucinated.count == sum(r.pk in rows.invented for r in runs)
        assert quality.first_passed.n == len(first)
        assert quality.first_passed.count == sum(r.verdict == "accept" for r in first)
        assert sum(week.quality.answers for week in found[name].weeks) == len(runs)
    tries = attempts(project, window)
    assert tries.retries == sum(map(rows.is_retry, rows.runs))
    assert [row.answers.count for row in tries.patterns] == (
        [rows.count("reject")] if rows.count("reject") else []
    )
    assert levels(project, window).total == len(rows.runs)


def assert_names(project, window, rows):
    kinds = Counter(mention.kind for mention in rows.mentions)
    assert {row.kind: row.unverified.total for row in by_kind(project, window)} == kinds
    seen = defaultdict(set)
    for mention in rows.mentions:
        if mention.status == "unverified" and mention.human_status != "verified":
            seen[mention.key].add(mention.verification.interaction)
    found = most_invented(project, window)
    assert {row.key: row.answer_count for row in found} == {
        key: len(where) for key, where in seen.items()
    }
    assert {row.key: row.session_count for row in found} == {
        key: len({one.session_id for one in where}) for key, where in seen.items()
    }


def assert_reviews(project, window, rows):
    found = reviews(project, window)
    decided = [item for item in rows.items if item.state in DECIDED]
    changed = [i for i in decided if i.human_verdict != i.verification.verdict]
    assert found.open == sum(item.state == "open" for item in rows.items)
    assert (found.overridden.count, found.overridden.total) == (
        len(changed),
        len(decided),
    )
    own = {item.verification_id for item in rows.own_items()}
    alarms = [
        mention
        for mention in rows.mentions
        if mention.verification_id in own and mention.status == "unverified"
    ]
    of_names = [r for r in checks(project, window).by_reason if r.check == "names"]
    assert sum(row.cleared.n for row in of_names) == len(alarms)
    (verdicts,) = [
        row for row in checks(project, window).by_check if row.check == "verdict"
    ] or [None]
    assert (verdicts.overridden.n if verdicts else 0) == len(own)
    everybody = ReviewItem.objects.filter(project=project)
    made = [i for i in everybody if i.state in DECIDED]
    assert people(project, window).decisions.n == len(made)
    waits = [item for item in everybody if item.state == "open"]
    assert backlog(project, window, NOW).waiting.n == len(waits)


def assert_costs(project, window, rows):
    total = sum(call.cost_microdollars for call in rows.calls)
    verdicts = {call.verification_id for call in rows.calls}
    found = costs(project, window)
    assert found.of_answers.cost_microdollars == total
    # What an answer cost stays spent when the answer is deleted.
    assert found.spending.cost_microdollars == total + rows.cost_of_others
    assert spending(project, window).per_verdict.n == len(verdicts)
    found = costs(project, window).of_runs
    asked = Verification.objects.filter(pk__in=verdicts)
    assert found.runs == len({run.interaction_id for run in asked})
    assert found.check_microdollars == total


@settings(
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(story=st.lists(acts, min_size=3, max_size=14), is_long=st.booleans())
def test_every_figure_is_what_the_rows_say(db, story, is_long):
    history = History()
    for act in story:
        history.act(*act)
    since = None if is_long else datetime(2026, 10, 23, tzinfo=UTC)
    window = Window(days=None, since=since)

    for _ in ("what just happened counted from the rows", "all counted"):
        rows = Recount(history.project, window)
        with one_reading():
            assert_answers(history.project, window, rows)
            assert_outcomes(history.project, window, rows)
            assert_progress(history.project, window, rows)
            assert_names(history.project, window, rows)
            assert_reviews(history.project, window, rows)
            assert_costs(history.project, window, rows)
        history.count()
    for day in {row.created_at.date() for row in rows.received}:
        assert differences(project_id=history.project.pk, day=day) == []

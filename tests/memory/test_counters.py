"""Counters are added to, answer by answer, and are what counting anew would give."""

import random
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import ApiKeyFactory, InteractionFactory, SessionFactory
from tests.memory.reports import (
    NOW,
    mention,
    recur,
    remember,
    remember_again,
    report,
    say,
)
from verifyhub.accounts.services import revoke_api_key
from verifyhub.engine.memory.lifecycle import recurred_at
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.learning.services import JudgedReport
from verifyhub.memory.models import Constraint
from verifyhub.memory.services import (
    MergeError,
    apply_verdict_override,
    constraint_facts,
    forget_answers,
    merge_constraint,
    remember_reports,
    split_constraint,
    undo_effects,
)
from verifyhub.memory.services.settle_constraints import settle_constraints

pytestmark = pytest.mark.django_db

KEPT = (
    "interaction_count",
    "session_count",
    "key_count",
    "first_seen_at",
    "last_seen_at",
    "shadow_at",
    "state",
    "origin",
    "retired_code",
    "retired_reason",
)
NAMES = ["mind-auth", "mind_auth", "mind-core", "other"]


def kept():
    rows = Constraint.objects.order_by("mention_kind", "mention_key")
    return list(rows.values_list("mention_key", *KEPT))


def recounted(project):
    names = set(Constraint.objects.values_list("mention_kind", "mention_key"))
    settle_constraints(project=project, names=names, actor=None, now=NOW)
    return kept()


class Life:
    """A project to which things happen, in an order that chance gives."""

    def __init__(self, project, lead, reviewer, admin, seed):
        self.random = random.Random(seed)
        self.project, self.lead = project, lead
        self.reviewer, self.admin = reviewer, admin
        self.keys = [*(ApiKeyFactory(project=project) for _ in range(4)), None]
        self.sessions = [*(SessionFactory(project=project) for _ in range(3)), None]
        self.answers, self.effects = [], []
        self.step = 0

    def happen(self):
        acts = [self.answer] * 3 + [self.batch] * 3 + [self.retry] * 2 + [self.say] * 2
        acts += [self.judge, self.undo, self.merge, self.split, self.forget]
        if self.step % 10 == 9:
            acts = [self.revoke]
        self.step += 1
        act = self.random.choice(acts)
        act()
        return act.__name__

    def _mentions(self):
        for name in self.random.sample(NAMES, self.random.randint(0, 3)):
            found = self.random.random() < 0.1
            yield mention(name, status="verified" if found else "unverified")

    def answer(self):
        remember_again(self._new_answer(), *self._mentions(), days=self.step)

    def batch(self):
        """Several answers are remembered together, one of them for a second time."""
        again = self.random.sample(self.answers, k=min(1, len(self.answers)))
        new = [self._new_answer() for _ in range(self.random.randint(2, 5))]
        remember_reports(
            [
                JudgedReport(answer, uuid4(), report(*self._mentions()))
                for answer in [*again, *new]
            ],
            now=NOW + timedelta(days=self.step),
        )

    def _new_answer(self):
        self.answers.append(
            InteractionFactory(
                project=self.project,
                session=self.random.choice(self.sessions),
                api_key=self.random.choice(self.keys),
            )
        )
        return self.answers[-1]

    def retry(self):
        if self.answers:
            answer = self.random.choice(self.answers)
            remember_again(answer, *self._mentions(), days=self.step)

    def say(self):
        if not self.answers:
            return
        name = self.random.choice(NAMES)
        self.effects.append(
            say(
                self.random.choice(self.answers),
                name,
                self.random.choice(["verified", "unverified"]),
                self.reviewer,
            )
        )

    def judge(self):
        if not self.answers:
            return
        self.effects.append(
            apply_verdict_override(
                project=self.project,
                interaction=self.random.choice(self.answers),
                report=VerificationReport.from_dict(
                    {"mentions": [mention(name) for name in NAMES]}
                ),
                before="uncertain",
                after=self.random.choice(["accept", "reject"]),
                override_id=uuid4(),
                actor=self.reviewer,
            )
        )

    def undo(self):
        if self.effects:
            at = self.random.randrange(len(self.effects))
            undo_effects(effects=self.effects.pop(at), actor=self.reviewer)

    def merge(self):
        rows = list(Constraint.objects.order_by("mention_key"))
        if len(rows) < 2:
            return
        one, into = self.random.sample(rows, 2)
        try:
            merge_constraint(constraint=one, into=into, actor=self.lead)
        except MergeError:
            return

    def split(self):
        if row := Constraint.objects.filter(merged_into__isnull=False).first():
            split_constraint(constraint=row, actor=self.lead)

    def forget(self):
        """Some answers are deleted with all that was learned from them."""
        self.random.shuffle(self.answers)
        gone = [self.answers.pop() for _ in self.answers[:3]]
        # What people said of them goes as well.
        self.effects = []
        forget_answers(self.project, [answer.id for answer in gone])

    def revoke(self):
        if len(self.keys) > 2:
            revoke_api_key(key=self.keys.pop(0), actor=self.admin)


@pytest.mark.parametrize(
    "seed",
    [
        *range(3),
        *(pytest.param(n, marks=pytest.mark.deep) for n in (3, 4, 5, 39, 50, 127, 131)),
    ],
)
def test_whatever_happens_counters_are_those_of_a_recount(
    project, lead, reviewer, admin, seed, monkeypatch
):
    project.thresholds = {"shadow_hours": 0, "recurrence_days": 1 + seed % 6 * 4}
    project.save()
    life = Life(project, lead, reviewer, admin, seed)

    for _ in range(40):
        # A few sightings are read first, and all where these do not satisfy the rule.
        monkeypatch.setattr(constraint_facts, "FIRST_READ", 3)
        act = life.happen()

        monkeypatch.setattr(constraint_facts, "FIRST_READ", 1000)
        assert kept() == recounted(project), f"step {life.step}: {act}"


def test_an_answer_with_two_spellings_of_one_name_counts_once(project, lead):
    remember(project, mention("mind-auth"))
    remember(project, mention("mind_auth"))
    into, one = Constraint.objects.order_by("mention_key")
    merge_constraint(constraint=one, into=into, actor=lead)

    answer = remember(project, mention("mind-auth"))
    remember_again(answer, mention("mind-auth"), mention("mind_auth"))
    remember(project, mention("mind-auth"), mention("mind_auth"))

    main = Constraint.objects.get(mention_key="mind-auth")
    assert (main.interaction_count, main.session_count, main.key_count) == (4, 4, 4)


def test_counters_from_before_keys_were_counted_are_counted_anew(project):
    recur(project, 2)
    Constraint.objects.update(key_count=0, session_count=0)

    remember(project, mention("mind-auth"))

    row = Constraint.objects.get()
    assert (row.interaction_count, row.session_count, row.key_count) == (3, 3, 3)


def test_what_one_key_repeats_is_not_read_again_with_every_answer(project):
    flooding, other = (ApiKeyFactory(project=project) for _ in range(2))
    remember(project, mention("mind-auth"), key=other)
    for _ in range(3):
        remember(project, mention("mind-auth"), key=flooding, days=100)

    with CaptureQueriesContext(connection) as asked:
        remember(project, mention("mind-auth"), key=flooding, days=100)

    assert not [one for one in asked if 'AS "group"' in one["sql"]]
    assert Constraint.objects.get().state == "candidate"
    remember(project, mention("mind-auth"), key=other, days=101)
    assert Constraint.objects.get().state == "active"


def test_of_a_name_that_was_seen_often_the_first_sightings_alone_are_read(
    project, monkeypatch
):
    monkeypatch.setattr(constraint_facts, "FIRST_READ", 3)
    recur(project, 9)
    before = Constraint.objects.get().shadow_at
    monkeypatch.setattr(constraint_facts, "recurred_at", counting := Counting())

    assert recounted(project)[0][0] == "mind-auth"

    assert counting.sizes == [3]
    assert Constraint.objects.get().shadow_at == before


class Counting:
    """Finds when a name recurred, and keeps from how many sightings."""

    def __init__(self):
        self.sizes = []

    def __call__(self, sightings, rule):
        self.sizes.append(len(sightings))
        return recurred_at(sightings, rule)


def test_a_name_recurs_when_its_finding_was_a_mistake(project):
    recur(project, 2)
    mistaken = remember(project, mention("mind-auth", status="verified"))

    remember_again(mistaken, mention("mind-auth"))

    assert Constraint.objects.get().state == "active"


def test_deleted_answers_are_taken_from_the_counters_without_counting_the_others(
    project,
):
    key, other = (ApiKeyFactory(project=project) for _ in range(2))
    first, *_ = [
        remember(project, mention("mind-auth"), key=key, days=day) for day in range(5)
    ]
    last = remember(project, mention("mind-auth"), key=other, days=9)

    with CaptureQueriesContext(connection) as asked:
        forget_answers(project, [first.id, last.id])

    assert not [one for one in asked if "COUNT(DISTINCT" in one["sql"]]
    row = Constraint.objects.get()
    assert (row.interaction_count, row.session_count, row.key_count) == (4, 4, 1)
    seen = [row.first_seen_at, row.last_seen_at]
    assert seen == [NOW + timedelta(days=1), NOW + timedelta(days=4)]


def test_a_name_loses_what_was_merged_into_it_and_is_deleted(project, lead, reviewer):
    remember(project, mention("mind-core"))
    gone = remember(project, mention("other"))
    into, one = Constraint.objects.order_by("mention_key")
    merge_constraint(constraint=one, into=into, actor=lead)
    say(gone, "other", "verified", lead)

    forget_answers(project, [gone.id])

    row = Constraint.objects.get()
    assert (row.mention_key, row.interaction_count) == ("mind-core", 1)
    assert (row.state, row.retired_code) == ("candidate", "")


def test_a_name_stays_while_another_is_merged_into_it(project, lead):
    own = remember(project, mention("mind-core"))
    last = remember(project, mention("other"))
    into, one = Constraint.objects.order_by("mention_key")
    merge_constraint(constraint=one, into=into, actor=lead)

    forget_answers(project, [own.id])

    assert Constraint.objects.get(merged_into=into).mention_key == "other"
    into.refresh_from_db()
    assert (into.interaction_count, into.state) == (1, "candidate")
    forget_answers(project, [last.id])
    assert not Constraint.objects.exists()


def test_a_decision_reaches_names_merged_with_another_spelling_of_a_merged_name(
    project, lead
):
    for name in NAMES:
        remember(project, mention(name))
    rows = {row.mention_key: row for row in Constraint.objects.all()}
    merge_constraint(constraint=rows["mind-core"], into=rows["mind_auth"], actor=lead)
    merge_constraint(constraint=rows["mind-auth"], into=rows["other"], actor=lead)
    say(remember(project, mention("other")), "other", "verified", lead)

    remember(project, mention("mind-core"))

    row = Constraint.objects.get(mention_key="mind_auth")
    assert (row.state, row.retired_code) == ("retired", "said_right")


def test_a_merged_name_is_in_no_shadow_whatever_was_decided_before(
    project, lead, reviewer
):
    recur(project, 3)
    last = remember(project, mention("other"))
    one, into = Constraint.objects.order_by("mention_key")
    assert one.shadow_at is not None
    say(last, "mind-auth", "unverified", lead)

    merge_constraint(constraint=one, into=into, actor=lead)

    one.refresh_from_db()
    assert (one.state, one.shadow_at) == ("retired", None)

"""Several judge one answer: until the rule is met nothing happens, then once."""

import pytest

from tests.conftest import member
from tests.factories import MembershipFactory, ProjectFactory
from tests.review.conftest import send
from tests.review.test_two_reviewers import fresh, race
from verifyhub.accounts.models import Role
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint
from verifyhub.review.decide import (
    adjudicate,
    confirm_verdict,
    reopen_item,
    undo_act,
    undo_override,
    withdraw,
)
from verifyhub.review.decide import judge as judge_item
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import Decision, MentionFlip
from verifyhub.review.errors import (
    ItemChangedError,
    JudgedAlreadyError,
    ReasonMissingError,
    SeveralPeopleError,
)
from verifyhub.review.models import Judgement, Override, ReviewItem
from verifyhub.review.panel import Given, rules_of, set_review_rules, settle
from verifyhub.review.panel.settlement import is_sampled, reviews_wanted
from verifyhub.review.queue import Holder, lease_next
from verifyhub.review.queue.filters import exclude_judged_by
from verifyhub.review.queue.leases import renew_lease

State = ReviewItem.State
REJECT = Decision(verdict="reject", reason="It invents a module.")
ACCEPT = Decision(verdict="accept", reason="Both names are right.")
AGREE = Decision(agree=True)


@pytest.fixture
def people(project):
    """Three reviewers of the project."""
    return [
        MembershipFactory(project=project, user__username=name).user
        for name in ("ana", "ben", "cy")
    ]


def ask(project, count, lead=None, **values):
    lead = lead or member(project, Role.ADMIN)
    set_review_rules(project=project, values={"reviews": count, **values}, actor=lead)


def judge(item, person, decision=AGREE, **values):
    item = fresh(item)
    return judge_item(
        item=item, decision=decision, reviewer=person, version=item.version, **values
    )


def other(item):
    """A verdict that is not the machine's."""
    verdict = "accept" if item.verification.verdict != "accept" else "reject"
    return Decision(verdict=verdict, reason="I looked.")


def invented(item):
    name = item.verification.mentions.filter(status="unverified").first()
    return Decision(
        mentions=(MentionFlip(index=name.index, status="unverified"),), reason="Made up"
    )


def test_one_person_decides_alone_by_default(item, people):
    judged = judge(item, people[0], seconds=12)

    assert judged.settled
    assert fresh(item).state == State.CONFIRMED
    kept = Judgement.objects.get()
    assert (kept.reviewer, kept.seconds, kept.blind) == (people[0], 12, False)


def test_nothing_happens_before_the_last_has_judged(item, people, project):
    ask(project, 2)
    constraints = Constraint.objects.filter(state="active").count()

    judge(item, people[0], invented(item))
    first = judge(item, people[0])

    stored = fresh(item)
    assert not first.settled
    assert (stored.state, stored.version, stored.human_verdict) == (State.OPEN, 0, "")
    assert Override.objects.count() == 0
    assert Constraint.objects.filter(state="active").count() == constraints
    assert stored.verification.human_verdict == ""
    events = AuditEvent.objects.filter(action__startswith="review.judgement_")
    assert all("verdict" not in str(event.after) for event in events)


def test_the_last_judgement_settles_and_names_need_more_than_half(
    item, people, project
):
    ask(project, 2)
    judge(item, people[0], invented(item))
    judge(item, people[0])

    last = judge(item, people[1])

    assert last.settled
    assert fresh(item).state == State.CONFIRMED
    assert not Override.objects.filter(target="mention").exists()


def test_names_that_more_than_half_marked_are_marked(item, people, project):
    ask(project, 2)
    for person in people[:2]:
        judge(item, person, invented(item))
        judge(item, person)

    assert Override.objects.filter(target="mention", after="unverified").count() == 1
    assert fresh(item).state == State.CONFIRMED


def test_a_majority_settles_against_one(item, people, project):
    ask(project, 3)
    judge(item, people[0], other(item))
    judge(item, people[1])
    judge(item, people[2], other(item))

    stored = fresh(item)
    assert stored.state == State.OVERRIDDEN
    assert stored.human_verdict == other(item).verdict
    assert Override.objects.get().reason == "I looked."


def test_disagreement_waits_for_a_lead_who_has_not_judged(item, people, project, lead):
    ask(project, 2)
    judge(item, people[0])
    judge(item, people[1], other(item))

    stored = fresh(item)
    assert stored.state == State.OPEN
    assert stored.disputed_at is not None
    with pytest.raises(JudgedAlreadyError):
        judge(item, people[2])
    with pytest.raises(SeveralPeopleError):
        adjudicate(
            item=stored, decision=REJECT, adjudicator=people[2], version=stored.version
        )
    with pytest.raises(ReasonMissingError):
        adjudicate(
            item=stored, decision=AGREE, adjudicator=lead, version=stored.version
        )

    adjudicate(
        item=stored,
        decision=Decision(agree=True, reason="The trace shows it."),
        adjudicator=lead,
        version=stored.version,
    )

    assert fresh(item).state == State.CONFIRMED
    assert fresh(item).disputed_at is None
    ruling = Judgement.objects.get(kind="adjudication")
    assert ruling.decision["reason"] == "The trace shows it."


def test_a_lead_who_judged_does_not_rule_unless_the_project_lets_them(
    item, people, project, lead
):
    ask(project, 2)
    judge(item, people[0])
    judge(item, lead, other(item))
    ruling = Decision(agree=True, reason="So it is.")
    version = fresh(item).version

    with pytest.raises(SeveralPeopleError):
        adjudicate(item=fresh(item), decision=ruling, adjudicator=lead, version=version)
    set_review_rules(project=project, values={"judge_may_adjudicate": True}, actor=lead)
    adjudicate(item=fresh(item), decision=ruling, adjudicator=lead, version=version)

    assert fresh(item).state == State.CONFIRMED


def test_nobody_judges_twice_and_nobody_decides_by_another_door(item, people, project):
    ask(project, 2)
    judge(item, people[0])

    with pytest.raises(JudgedAlreadyError):
        judge(item, people[0])
    with pytest.raises(SeveralPeopleError):
        confirm_verdict(item=fresh(item), reviewer=people[1], version=0)
    with pytest.raises(SeveralPeopleError):
        apply_decision(
            item=fresh(item), decision=invented(item), reviewer=people[1], version=0
        )


def test_next_leaves_out_what_one_has_judged_or_others_must_settle(
    item, people, project
):
    ask(project, 2)
    everything = ReviewItem.objects.all()
    judge(item, people[0])

    assert item not in exclude_judged_by(everything, people[0])
    assert item in exclude_judged_by(everything, people[1])
    judge(item, people[1], other(item))
    assert item not in exclude_judged_by(everything, people[2])


def test_a_judgement_is_withdrawn_while_the_others_judge(item, people, project):
    ask(project, 2)
    made = judge(item, people[0]).judgement

    withdraw(judgement=made, actor=people[0])
    judge(item, people[0], other(item))
    judge(item, people[1], other(item))

    assert fresh(item).state == State.OVERRIDDEN
    with pytest.raises(ItemChangedError):
        withdraw(judgement=Judgement.objects.last(), actor=people[1])


def test_undo_lets_everybody_judge_again(item, people, project, lead):
    ask(project, 2)
    for person in people[:2]:
        judge(item, person)
    settled = fresh(item)

    reopen_item(item=settled, actor=lead, version=settled.version)

    assert (fresh(item).state, fresh(item).round) == (State.OPEN, 2)
    assert set(Judgement.objects.values_list("state", flat=True)) == {"superseded"}
    for person in people[:2]:
        judge(item, person, other(item))
    assert fresh(item).state == State.OVERRIDDEN


def test_one_of_several_cannot_undo_what_all_settled(item, people, project):
    ask(project, 2)
    for person in people[:2]:
        judge(item, person)
    settled = fresh(item)
    made = settled.overrides.get()

    for person in people:
        with pytest.raises(SeveralPeopleError):
            undo_override(override=made, actor=person, version=settled.version)
        with pytest.raises(SeveralPeopleError):
            undo_act(act=made.act, item=settled, actor=person, version=settled.version)

    assert fresh(item).state == State.CONFIRMED


def test_whoever_ruled_may_undo_the_ruling(item, people, project, lead):
    ask(project, 2)
    judge(item, people[0])
    judge(item, people[1], other(item))
    adjudicate(
        item=fresh(item),
        decision=other(item),
        adjudicator=lead,
        version=fresh(item).version,
    )
    # They ruled as a lead, and are none any more.
    lead.memberships.update(role=Role.REVIEWER)
    ruled = fresh(item)
    made = ruled.overrides.get()

    undo_override(override=made, actor=lead, version=ruled.version)

    assert fresh(item).state == State.OPEN


def test_the_page_offers_undo_of_a_panel_to_a_lead_alone(
    item, people, project, browse, lead
):
    ask(project, 2)
    for person in people[:2]:
        judge(item, person)
    url = f"/p/acme/answers/{item.interaction_id}/"

    def offered(person):
        return f"{url}overrides/" in browse(person).get(url).content.decode()

    assert [offered(person) for person in (*people, lead)] == [False] * 3 + [True]


def test_a_decision_that_could_not_be_carried_out_is_refused_at_once(
    item, people, project
):
    ask(project, 2)

    with pytest.raises(ReasonMissingError):
        judge(item, people[0], Decision(verdict=other(item).verdict))

    assert not Judgement.objects.exists()


def test_the_number_of_people_is_fixed_by_the_first_judgement(item, people, project):
    admin = member(project, Role.ADMIN)
    ask(project, 2, admin)
    judge(item, people[0])
    ask(project, 5, admin)

    assert judge(item, people[1]).settled


def test_the_largest_rule_holds(item, project):
    rules = rules_of(project.id)
    rules.reviews, rules.risk_from, rules.risk_reviews = 1, 0.8, 3
    rules.reason_reviews = {"unverified_names": 2}

    def wanted(risk, *kinds):
        return reviews_wanted(rules, item_id=item.id, risk=risk, kinds=kinds)

    assert wanted(0.1) == 1
    assert wanted(0.1, "unverified_names") == 2
    assert wanted(0.8, "unverified_names") == 3
    rules.sample_percent, rules.sample_reviews = 100, 10
    assert wanted(0.1) == 10
    assert not is_sampled(item.id, 0)


def test_settlement_rules_differ_in_what_they_let_pass():
    flip = MentionFlip(index=0, status="verified")
    marked = Decision(verdict="reject", reason="x", mentions=(flip,))
    two_to_one = [
        Given("a", "reject", REJECT),
        Given("b", "reject", REJECT),
        Given("c", "accept", ACCEPT),
    ]
    names_differ = [Given("a", "reject", REJECT), Given("b", "reject", marked)]

    assert settle("majority", "uncertain", two_to_one).verdict == "reject"
    assert settle("unanimous", "uncertain", two_to_one) is None
    assert settle("unanimous", "uncertain", names_differ).mentions == ()
    assert settle("adjudicate", "uncertain", names_differ) is None
    assert settle("majority", "reject", two_to_one).agree


def test_the_defaults_keep_a_key_working_and_rules_keep_it_out(item, api_key, project):
    ask(project, 2)

    with pytest.raises(SeveralPeopleError):
        judge_item(item=item, decision=AGREE, reviewer=api_key, version=0)


@pytest.mark.django_db(transaction=True)
def test_two_last_judgements_at_one_moment_settle_once():
    project = ProjectFactory(slug="acme")
    people = [MembershipFactory(project=project).user for _ in range(3)]
    item = ReviewItem.objects.get(interaction=send(project))
    ask(project, 3)
    judge(item, people[0])

    errors = race(
        lambda: judge(item, people[1]),
        lambda: judge(item, people[2]),
    )

    assert errors == [None, None]
    assert fresh(item).state == State.CONFIRMED
    assert AuditEvent.objects.filter(action="review.judgements_settled").count() == 1
    assert AuditEvent.objects.filter(action="review.verdict_confirmed").count() == 1


@pytest.mark.django_db(transaction=True)
def test_one_more_than_asked_is_turned_away():
    project = ProjectFactory(slug="acme")
    people = [MembershipFactory(project=project).user for _ in range(3)]
    item = ReviewItem.objects.get(interaction=send(project))
    ask(project, 2)
    judge(item, people[0])

    errors = race(
        lambda: judge_item(
            item=fresh(item), decision=AGREE, reviewer=people[1], version=0
        ),
        lambda: judge_item(
            item=fresh(item), decision=AGREE, reviewer=people[2], version=0
        ),
    )

    assert errors.count(None) == 1
    assert Judgement.objects.filter(state="given").count() == 2


def test_whoever_has_taken_an_item_does_not_keep_others_from_judging_it(
    item, people, project
):
    ask(project, 2)
    lease = lease_next(project_id=project.id, holder=Holder(user=people[0]))
    assert lease.item_id == item.id

    judge(item, people[1])

    assert renew_lease(item=item, token=lease.token) is not None
    assert judge(item, people[0]).settled


def test_next_goes_on_to_another_item_after_a_judgement(
    item, people, project, answered
):
    ask(project, 2)
    other_item = ReviewItem.objects.get(interaction=answered(task="And the tax?"))

    def take(person):
        lease = lease_next(project_id=project.id, holder=Holder(user=person))
        return lease and lease.item_id

    first = take(people[0])
    judge(ReviewItem.objects.get(pk=first), people[0])
    second = take(people[0])

    assert {first, second} == {item.id, other_item.id}
    assert take(people[1]) == first
    judge(ReviewItem.objects.get(pk=second), people[0])
    assert take(people[0]) is None

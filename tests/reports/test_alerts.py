"""Alerts are raised when a figure passes its bound, once, and end below it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import (
    InteractionFactory,
    MembershipFactory,
    ProjectFactory,
    ReviewItemFactory,
    VerificationFactory,
)
from tests.learning.decided import boastful, decided
from tests.threads import at_once
from verifyhub.audit.models import AuditEvent
from verifyhub.events.selectors import newest_events
from verifyhub.inference.models import Budget
from verifyhub.inference.services import set_caps
from verifyhub.learning.models import CalibrationModel
from verifyhub.learning.services import activate_calibration, fit_calibration
from verifyhub.reports.models import Alert, AlertRule
from verifyhub.reports.selectors.readings import reading
from verifyhub.reports.services.alerts import (
    RuleNameTakenError,
    delete_rule,
    evaluate_rules,
    save_rule,
)
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import Verdict, Verification

pytestmark = pytest.mark.django_db


def look() -> int:
    return evaluate_rules(now=timezone.now())


def test_passing_the_bound_raises_one_alert_with_its_n_and_interval(
    project, rule, answers, settle
):
    made = rule(threshold=0.5)
    answers(reject=3, accept=1)

    assert look() == 1
    assert look() == 0

    alert = Alert.objects.get(rule=made)
    assert (alert.value, alert.n, alert.cleared_at) == (0.75, 4, None)
    assert alert.low == pytest.approx(0.3006, abs=1e-4)
    assert alert.high == pytest.approx(0.9544, abs=1e-4)
    settle()
    event = newest_events(project).get()
    assert event.type == "alert.raised"
    assert event.data["alert"]["measure"] == "flagged_share"
    assert event.subject == {"alert": str(alert.id), "rule": str(made.id)}


def test_at_the_bound_there_is_no_alert(rule, answers):
    rule(threshold=0.5)
    answers(reject=2, accept=2)

    assert look() == 0


def test_few_cases_raise_no_alert(rule, answers):
    made = rule(threshold=0.1, least=5)
    answers(reject=4)

    assert look() == 0
    made.refresh_from_db()
    assert (made.value, made.n) == (1.0, 4)


def test_an_alert_ends_only_well_below_its_bound(project, rule, answers, settle):
    rule(threshold=0.5)
    answers(reject=6, accept=4)
    look()

    answers(accept=2)
    assert look() == 0
    assert Alert.objects.get().cleared_at is None
    answers(accept=2)
    assert look() == 1

    alert = Alert.objects.get()
    assert alert.cleared_at is not None
    assert alert.peak == 0.6
    settle()
    assert [one.type for one in newest_events(project)] == [
        "alert.cleared",
        "alert.raised",
    ]


def test_after_an_end_it_may_be_raised_again(rule, answers):
    rule(threshold=0.5)
    answers(reject=4)
    look()
    answers(accept=6)
    look()
    answers(reject=20)
    look()

    assert Alert.objects.count() == 2
    assert Alert.objects.filter(cleared_at=None).count() == 1


def test_what_ended_before_the_hours_does_not_count(rule, answers):
    rule(threshold=0.5, hours=2)
    answers(reject=4)

    assert evaluate_rules(now=timezone.now() + timedelta(hours=3)) == 0


def test_another_agent_and_another_project_do_not_count(rule, answers):
    rule(threshold=0.5, agent="coder")
    answers(agent="writer", reject=6)
    VerificationFactory.create_batch(6, verdict=Verdict.REJECT)

    assert look() == 0
    answers(agent="coder", reject=4)
    assert look() == 1


def test_a_rule_that_is_off_sees_nothing(rule, answers):
    rule(threshold=0.1, enabled=False)
    answers(reject=8)

    assert look() == 0


def test_failed_verifications_are_neither_passes_nor_flags(project, rule, answers):
    answers(accept=3)
    VerificationFactory(
        interaction=InteractionFactory(project=project),
        state=Verification.State.FAILED,
        verdict="",
    )

    assert reading(rule(measure="failed_share"), now=timezone.now()).value == 0.25
    flagged = reading(rule(name="Other"), now=timezone.now())
    assert (flagged.value, flagged.n) == (0.0, 3)


def test_people_who_disagree_are_counted_of_those_who_decided(project, rule):
    for human in ("accept", "reject", ""):
        state = ReviewItem.State.OVERRIDDEN if human else ReviewItem.State.CONFIRMED
        ReviewItemFactory(
            verification__interaction__project=project,
            machine_verdict="reject",
            human_verdict=human,
            state=state,
            resolved_at=timezone.now(),
        )
    ReviewItemFactory(verification__interaction__project=project)

    seen = reading(rule(measure="overridden_share"), now=timezone.now())

    assert (seen.value, seen.n) == (pytest.approx(1 / 3), 3)


def test_the_backlog_is_watched_by_size_and_by_age(project, rule):
    now = timezone.now()
    for hours in (30, 2):
        item = ReviewItemFactory(verification__interaction__project=project)
        ReviewItem.objects.filter(pk=item.pk).update(
            created_at=now - timedelta(hours=hours)
        )
    ReviewItemFactory()

    assert reading(rule(measure="backlog_size"), now=now).value == 2
    age = reading(rule(name="Age", measure="backlog_hours"), now=now)
    assert age.value == pytest.approx(30, abs=0.01)


def test_an_answer_that_nobody_checks_is_seen(project, rule):
    now = timezone.now()
    waiting = VerificationFactory(
        waiting=True, interaction=InteractionFactory(project=project)
    )
    Verification.objects.filter(pk=waiting.pk).update(
        created_at=now - timedelta(minutes=12)
    )

    seen = reading(rule(measure="check_minutes"), now=now)

    assert seen.value == pytest.approx(12, abs=0.01)


def test_the_fullest_budget_of_a_day_or_month_is_watched(project, rule):
    now = timezone.now()
    made = rule(measure="budget_share", threshold=0.8)
    assert reading(made, now=now).value is None
    set_caps(
        project=project,
        values={"day_microdollars": 1000, "month_tokens": 100, "calls_at_once": 1},
        actor=None,
    )
    Budget.objects.filter(project=project).update(
        day=now.date(),
        day_spent_microdollars=850,
        month=now.date().replace(day=1),
        month_spent_tokens=10,
        calls_running=1,
    )

    assert look() == 1
    alert = Alert.objects.get()
    assert (alert.value, alert.detail) == (0.85, "day_microdollars")


def test_a_calibration_that_no_longer_holds_is_seen(project, rule, reviewer):
    decided(project, boastful(300))
    fit_calibration(
        project=project, check="verdict", actor=reviewer, now=timezone.now()
    )
    model = CalibrationModel.objects.get()
    activate_calibration(model=model, actor=reviewer)
    made = rule(measure="ece_drift", threshold=0.2, least=20)
    assert reading(made, now=timezone.now()).value is None

    later = timezone.now() - timedelta(hours=1)
    newer = decided(project, [(0.95, False)] * 30)
    type(newer[0]).objects.filter(pk__in=[one.pk for one in newer]).update(at=later)

    seen = reading(made, now=timezone.now())
    assert (seen.n, seen.detail) == (30, "verdict")
    assert seen.value is not None
    assert seen.value > 0.2


def test_one_that_cannot_be_read_holds_up_no_other(rule, answers):
    broken = rule(name="A broken one", measure="backlog_size")
    AlertRule.objects.filter(pk=broken.pk).update(
        hours=2**31 - 1, measure="failed_share"
    )
    rule(name="B", threshold=0.5)
    answers(reject=4)

    assert look() == 1


def test_two_rules_of_one_name_are_refused(rule):
    rule(name="Once")

    with pytest.raises(RuleNameTakenError):
        rule(name="Once")


def test_changes_of_rules_are_in_the_audit_log(rule, lead):
    made = rule(threshold=0.5)
    delete_rule(rule=made, actor=lead)

    assert list(
        AuditEvent.objects.order_by("created_at").values_list("action", flat=True)
    ) == ["reports.alert_rule_saved", "reports.alert_rule_deleted"]


def test_who_gets_letters_is_in_the_audit_log(rule, project, lead):
    member = MembershipFactory(project=project, user__username="reader")
    made = rule()
    made.threshold = 0.6
    save_rule(rule=made, recipients=(member,), actor=lead)

    event = AuditEvent.objects.latest("created_at")
    assert (event.before["threshold"], event.after["threshold"]) == (0.5, 0.6)
    assert (event.before["recipients"], event.after["recipients"]) == ([], ["reader"])


@pytest.mark.parametrize(
    "change", [{"enabled": False}, {"measure": "backlog_size"}, {"agent": "other"}]
)
def test_an_alert_ends_where_its_rule_watches_it_no_longer(
    project, rule, answers, settle, change
):
    made = rule(threshold=0.5)
    answers(reject=4)
    look()

    for name, value in change.items():
        setattr(made, name, value)
    save_rule(rule=made, recipients=(), actor=None)

    assert Alert.objects.get().cleared_at is not None
    settle()
    assert [one.type for one in newest_events(project)] == [
        "alert.cleared",
        "alert.raised",
    ]


def test_an_alert_stays_where_only_its_bound_is_changed(project, rule, answers):
    made = rule(threshold=0.5)
    answers(reject=4)
    look()

    made.name, made.threshold = "W", 0.6
    save_rule(rule=made, recipients=(), actor=None)

    assert Alert.objects.get().cleared_at is None


def test_who_heard_of_an_alert_hears_of_its_end_when_the_rule_is_deleted(
    project, rule, answers, settle, lead
):
    made = rule(threshold=0.5)
    answers(reject=4)
    look()

    delete_rule(rule=made, actor=lead)

    settle()
    assert newest_events(project)[0].type == "alert.cleared"


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_raise_one_alert():
    project = ProjectFactory()
    VerificationFactory.create_batch(
        4, interaction__project=project, verdict=Verdict.REJECT
    )
    AlertRule.objects.create(
        project=project, name="W", measure="flagged_share", threshold=0.5, least=1
    )

    raised = at_once(look, look, look, look)

    assert sum(raised) == 1
    assert Alert.objects.count() == 1

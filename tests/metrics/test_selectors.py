"""Every figure, against cases small enough to count by hand."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import (
    ConstraintFactory,
    InteractionFactory,
    MentionVerdictFactory,
    ReviewItemFactory,
    SessionFactory,
    VerificationFactory,
)
from verifyhub.common.shares import Share
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.selectors.answers import (
    answers,
    by_agent,
    by_day,
    confidence_bins,
)
from verifyhub.metrics.selectors.mentions import (
    by_kind,
    completion_claims,
    most_invented,
)
from verifyhub.metrics.selectors.questions import checks
from verifyhub.metrics.selectors.queue import queue
from verifyhub.metrics.selectors.reviews import reviews
from verifyhub.metrics.windows import Window, window_from
from verifyhub.review.models import ReviewItem

ALL_TIME = Window(days=None, since=None)


def checked(project, **fields):
    return VerificationFactory(interaction__project=project, **fields)


def invented(project, text="ghost.py", **fields):
    return MentionVerdictFactory(
        invented=True, text=text, verification__interaction__project=project, **fields
    )


def test_verdicts_are_counted(project):
    for verdict in ("accept", "accept", "uncertain", "reject"):
        checked(project, verdict=verdict)

    found = answers(project, ALL_TIME)

    assert (found.accepted, found.uncertain, found.rejected) == (2, 1, 1)
    assert found.flagged == Share(count=2, total=4)


def test_an_unfinished_or_failed_check_is_no_verdict(project):
    checked(project, waiting=True)
    checked(project, waiting=True, state="failed")

    found = answers(project, ALL_TIME)

    assert (found.received, found.checked) == (2, 0)
    assert found.flagged.value is None


def test_a_later_verification_replaces_the_earlier(project):
    first = checked(project, verdict="reject")
    VerificationFactory(interaction=first.interaction, number=2, verdict="accept")

    found = answers(project, ALL_TIME)

    assert (found.checked, found.accepted, found.rejected) == (1, 1, 0)


def test_a_waiting_reverification_leaves_the_earlier_verdict(project):
    first = checked(project, verdict="reject")
    VerificationFactory(interaction=first.interaction, number=2, waiting=True)

    assert answers(project, ALL_TIME).rejected == 1


def test_answers_without_anything_settled_are_told_apart(project):
    checked(project, coverage=0.0, confidence=None, verdict="uncertain")

    assert answers(project, ALL_TIME).unsettled == 1


def test_durations_are_percentiles(project):
    for duration_ms in (10, 20, 30, 40, 50):
        checked(project, duration_ms=duration_ms)

    found = answers(project, ALL_TIME)

    assert (found.p50_ms, found.p95_ms) == (30, 48)


def test_the_window_leaves_out_what_came_before(project):
    now = timezone.now()
    old = checked(project)
    Interaction.objects.filter(pk=old.interaction_id).update(
        created_at=now - timedelta(days=8)
    )

    assert answers(project, window_from("7", now)).checked == 0
    assert answers(project, window_from("30", now)).checked == 1


@pytest.mark.parametrize(
    ("parameter", "days"), [("7", 7), ("all", None), ("", 30), ("-1", 30), ("x", 30)]
)
def test_an_unknown_window_is_thirty_days(parameter, days):
    assert window_from(parameter, timezone.now()).days == days


def test_figures_of_another_project_stay_there(project):
    other = ConstraintFactory().project
    ReviewItemFactory(verification=invented(other).verification)

    assert answers(project, ALL_TIME).received == 0
    assert by_agent(project, ALL_TIME) == []
    assert by_kind(project, ALL_TIME) == []
    assert most_invented(project, ALL_TIME) == []
    assert reviews(project, ALL_TIME).open == 0


def test_agents_are_told_apart_by_name_and_tier(project):
    checked(project, interaction__agent_name="scout", verdict="reject")
    checked(project, interaction__agent_name="scout")
    checked(project, interaction__agent_name="scout", interaction__agent_tier="large")

    rows = by_agent(project, ALL_TIME)

    assert [(row.name, row.tier, row.flagged) for row in rows] == [
        ("scout", "", Share(count=1, total=2)),
        ("scout", "large", Share(count=0, total=1)),
    ]


def test_confidence_falls_into_tenths_and_one_into_the_last(project):
    for confidence in (0.0, 0.1, 0.95, 1.0, None):
        checked(project, confidence=confidence)

    bins, without = confidence_bins(project, ALL_TIME)

    assert [row.total for row in bins] == [1, 1, 0, 0, 0, 0, 0, 0, 0, 2]
    assert without == 1


def test_days_are_those_of_receipt(project):
    checked(project, verdict="reject")

    (row,) = by_day(project, ALL_TIME)

    assert (row.accepted, row.uncertain, row.rejected) == (0, 0, 1)


def test_names_are_counted_by_kind(project):
    verification = checked(project)
    MentionVerdictFactory(verification=verification)
    MentionVerdictFactory(verification=verification, invented=True)
    MentionVerdictFactory(
        verification=verification, invented=True, human_status="verified"
    )

    (row,) = by_kind(project, ALL_TIME)

    assert (row.unverified, row.cleared) == (Share(count=2, total=3), 1)


@pytest.mark.parametrize("reason", ["task_only", "proposed", "negated", "quoted_task"])
def test_what_is_no_invention_is_not_counted(project, reason):
    invented(project, reason=reason)

    assert by_kind(project, ALL_TIME) == []
    assert most_invented(project, ALL_TIME) == []


def test_invented_names_are_ranked_by_answers(project):
    session = SessionFactory(project=project)
    for text in ("rare.py", "often.py", "often.py"):
        interaction = InteractionFactory(project=project, session=session)
        invented(project, text, verification__interaction=interaction)
    ConstraintFactory(project=project, text="often.py", state="candidate")

    first, second = most_invented(project, ALL_TIME)

    assert (first.text, first.answer_count, first.session_count) == ("often.py", 2, 1)
    assert (first.constraint, second.constraint) == ("candidate", "")


def test_a_name_that_a_person_declared_right_is_not_invented(project):
    invented(project, human_status="verified")

    assert most_invented(project, ALL_TIME) == []


def test_claims_of_work_done_are_counted_by_status(project):
    claims = [{"status": "contradicted"}, {"status": "supported"}]
    checked(project, report={"schema": 1, "completion_claims": claims})
    checked(project, report={"schema": 1, "completion_claims": claims[:1]})

    rows = completion_claims(project, ALL_TIME)

    assert [(row.status, row.count) for row in rows] == [
        ("contradicted", 2),
        ("supported", 1),
    ]


def reviewed(project, **fields):
    return ReviewItemFactory(verification=checked(project, verdict="reject"), **fields)


def test_an_override_is_a_verdict_that_differs(project):
    reviewed(project)
    reviewed(project, state=ReviewItem.State.CONFIRMED, human_verdict="reject")
    reviewed(project, state=ReviewItem.State.OVERRIDDEN, human_verdict="accept")

    found = reviews(project, ALL_TIME)

    assert found.open == 1
    assert found.overridden == Share(count=1, total=2)
    assert found.found_wrong == Share(count=1, total=2)


def test_false_alarms_are_counted_in_decided_answers_only(project):
    wrongly = invented(project, human_status="verified")
    ReviewItemFactory(
        verification=wrongly.verification, state=ReviewItem.State.CONFIRMED
    )
    MentionVerdictFactory(verification=wrongly.verification, invented=True)
    ReviewItemFactory(verification=invented(project).verification)

    found = checks(project, ALL_TIME).by_reason
    (row,) = [row for row in found if row.check == "names"]

    assert (row.reason, row.cleared.count, row.cleared.n) == ("not_found", 1, 2)


def test_the_queue_tells_how_long_its_oldest_has_waited(project):
    row = checked(project, waiting=True)
    checked(project, waiting=True, state="failed")

    found = queue(project, row.created_at + timedelta(seconds=90))

    assert (found.waiting, found.failed, found.oldest_age_s) == (1, 1, 90)


def test_the_queue_tells_how_long_a_new_one_will_wait(project):
    oldest = checked(project, waiting=True).created_at
    checked(project, waiting=True)
    now = oldest + timedelta(seconds=20)
    assert queue(project, now).new_wait_s == 20

    for after in (-60, 5, 10, 15, 19):
        checked(project, finished_at=oldest + timedelta(seconds=after))

    # Two wait, and four were finished in twenty seconds.
    assert queue(project, now).new_wait_s == 10

    checked(project, waiting=True, state="running")
    assert queue(project, now).new_wait_s == 3 * 20 / 5


def test_nobody_waits_where_none_wait(project):
    assert queue(project, timezone.now()).new_wait_s == 0

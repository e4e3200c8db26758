"""Counts made beforehand: what changes them, how they are read, made and checked."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db.models.functions import Now
from django.utils import timezone

from tests.factories import (
    InteractionFactory,
    MentionVerdictFactory,
    ModelCallFactory,
    OverrideFactory,
    ReviewItemFactory,
    VerificationFactory,
)
from verifyhub.ingest.models import Interaction
from verifyhub.metrics import tasks
from verifyhub.metrics.counting import stored
from verifyhub.metrics.counting.reading import read
from verifyhub.metrics.counting.tally import MAX_KEYS, REST, Tally
from verifyhub.metrics.models import Change, CountState, DayCount, SliceCount
from verifyhub.metrics.selectors.answers import answers, by_agent
from verifyhub.metrics.selectors.mentions import most_invented
from verifyhub.metrics.services import (
    differences,
    newest_change,
    projects_to_refresh,
    refresh,
)
from verifyhub.metrics.tasks import refresh_all
from verifyhub.metrics.windows import Window, window_from
from verifyhub.review.models import GoldItem, ReviewItem
from verifyhub.verification.models import Verification

pytestmark = pytest.mark.django_db
EVER = Window(days=None, since=None)


def checked(project, verdict="accept", at=None, **interaction):
    row = InteractionFactory(project=project, **interaction)
    if at:
        Interaction.objects.filter(pk=row.pk).update(created_at=at)
    return VerificationFactory(interaction=row, verdict=verdict)


def noted(project):
    return Change.objects.filter(project_id=project.pk)


def counted(project):
    """Count everything; returns what the page then reads."""
    refresh_all()
    assert not noted(project).exists()
    return answers(project, EVER)


def test_counted_figures_are_those_of_the_rows(project):
    checked(project, "reject", at=timezone.now() - timedelta(days=40))
    checked(project, "accept")
    before = answers(project, EVER), by_agent(project, EVER)

    counted(project)

    assert CountState.objects.get(project=project).counted_from is None
    assert (answers(project, EVER), by_agent(project, EVER)) == before
    assert answers(project, window_from("7", timezone.now())).checked == 1


def test_what_just_happened_is_in_the_figures_at_once(project):
    counted(project)
    run = checked(project, "reject")
    MentionVerdictFactory(invented=True, verification=run, text="ghost.py")

    assert answers(project, EVER).rejected == 1
    assert [row.text for row in most_invented(project, EVER)] == ["ghost.py"]
    assert read(project, EVER).as_of is None


def test_pages_read_no_rows_that_nobody_touched(project, django_assert_num_queries):
    checked(project)
    counted(project)

    with django_assert_num_queries(2):
        # The state and the counts; nothing changed, so nothing is counted anew.
        assert answers(project, EVER).checked == 1


def test_an_override_of_an_old_answer_counts_on_its_day(project):
    old = datetime(2026, 1, 5, 12, tzinfo=UTC)
    item = ReviewItemFactory(verification=checked(project, "reject", at=old))
    counted(project)

    item.state, item.human_verdict = "overridden", "accept"
    item.resolved_at = timezone.now()
    item.save()

    day = read(project, EVER).days[old.date()]
    assert day.sum("answers")["flagged_right"] == 1
    counted(project)
    assert read(project, EVER).days[old.date()].sum("items")["overridden"] == 1
    assert read(project, EVER).total.sum("decisions")["decisions"] == 1


def test_counting_twice_changes_nothing(project):
    checked(project)
    counted(project)
    rows = list(DayCount.objects.values("day", "agent", "figures", "answers"))
    Change.objects.create(project=project, slice=SliceCount.objects.get().slice)

    counted(project)

    assert list(DayCount.objects.values("day", "agent", "figures", "answers")) == rows


@pytest.mark.parametrize(
    "act",
    [
        lambda run, _: VerificationFactory(interaction=run.interaction, number=2),
        lambda run, _: ModelCallFactory(
            project=run.project, verification_id=run.id, outcome="ok"
        ),
        lambda run, _: ReviewItemFactory(verification=run),
        lambda run, _: run.mentions.update(human_status="verified"),
        lambda run, user: GoldItem.objects.create(
            project=run.project,
            item=ReviewItemFactory(verification=run),
            verdict="reject",
            marked_by=user,
        ),
        lambda run, user: OverrideFactory(
            item=ReviewItemFactory(verification=run),
            target="claim",
            after="supported",
            reviewer=user,
        ),
        lambda run, _: run.interaction.delete(),
        lambda run, _: InteractionFactory(project=run.project),
    ],
    ids=[
        "verified again",
        "a model was asked",
        "queued",
        "a name was judged",
        "gold",
        "a claim was judged",
        "deleted",
        "received",
    ],
)
def test_every_act_notes_what_it_changes(project, reviewer, act):
    run = checked(project)
    MentionVerdictFactory(invented=True, verification=run)
    counted(project)

    act(run, reviewer)

    assert noted(project).exists()


def test_what_changes_together_is_noted_once_for_its_slice(project):
    runs = [checked(project) for _ in range(5)]
    noted(project).delete()

    Verification.objects.filter(pk__in=[run.pk for run in runs]).update(
        verdict="reject"
    )
    ReviewItem.objects.bulk_create(
        ReviewItem(project=project, verification=run, interaction=run.interaction)
        for run in runs
    )

    # Two statements, each in one slice, or in two at the end of one.
    assert noted(project).count() <= 4


def test_a_lease_changes_no_figure(project):
    item = ReviewItemFactory(verification=checked(project, "reject"))
    counted(project)

    item.lease_until = timezone.now()
    item.save()

    assert not noted(project).exists()


def test_too_much_to_count_while_somebody_waits_is_dated(project, monkeypatch):
    checked(project)
    counted(project)
    monkeypatch.setattr(stored, "MAX_FRESH_ANSWERS", 1)
    checked(project)

    found = read(project, EVER)

    assert found.total.sum("answers")["received"] == 1
    assert found.as_of is not None


def test_dates_that_are_no_days_of_the_clock_are_read_by_slices_and_rows(project):
    edge = datetime(2026, 11, 3, 10, 7, tzinfo=UTC)
    for minutes in (-1, 1, 60, 60 * 40):
        checked(project, at=edge + timedelta(minutes=minutes))
    whole = Window(days=None, since=edge, until=edge + timedelta(hours=39))
    before = answers(project, whole)
    run = checked(project, at=edge + timedelta(hours=2))
    MentionVerdictFactory(invented=True, verification=run)

    counted(project)

    assert before.received == 2
    assert answers(project, whole).received == 3
    assert len(most_invented(project, whole)) == 1
    few = Window(days=None, since=edge, until=edge + timedelta(minutes=5))
    assert answers(project, few).received == 1


def test_old_days_are_counted_whole_and_recent_ones_in_slices(project):
    old = timezone.now() - timedelta(days=9)
    run = checked(project, "reject", at=old)
    checked(project)
    counted(project)

    assert SliceCount.objects.get().slice.date() == timezone.now().date()
    run.mentions.create(
        project=project,
        index=0,
        text="a",
        kind="file",
        key="a",
        status="unverified",
        reason="not_found",
    )
    Verification.objects.filter(pk=run.pk).update(verdict="uncertain")
    assert answers(project, EVER).uncertain == 1
    assert [row.key for row in most_invented(project, EVER)] == ["a"]
    assert counted(project).uncertain == 1


def test_slices_of_days_that_become_old_are_forgotten(project):
    checked(project, "reject")
    counted(project)
    later = timezone.now() + timedelta(days=5)

    with time_machine.travel(later, tick=False):
        checked(project)
        found = counted(project)

        assert (found.checked, found.rejected) == (2, 1)
        assert SliceCount.objects.get().slice.date() == later.date()
        assert differences(project_id=project.pk, day=later.date()) == []


def test_some_agents_are_read_from_counts_of_their_own(project):
    run = checked(project, "reject", agent_name="scout", agent_tier="small")
    MentionVerdictFactory(invented=True, verification=run)
    checked(project, agent_name="other")
    counted(project)
    scout = Window(days=None, since=None, agent="scout", model="small")

    assert answers(project, scout).received == 1
    assert len(most_invented(project, scout)) == 1
    assert most_invented(project, Window(days=None, since=None, agent="other")) == []


def test_the_check_finds_what_was_tampered_with(project, capsys):
    checked(project)
    counted(project)
    call_command("count_days", check=True)
    row = SliceCount.objects.get()
    SliceCount.objects.update(figures={})

    with pytest.raises(CommandError, match="differ"):
        call_command("count_days", check=True)

    assert f"slice {row.slice:%H:%M}" in capsys.readouterr().out
    call_command("count_days", project=project.slug, again=True)
    assert differences(project_id=project.pk, day=row.slice.date()) == []
    assert SliceCount.objects.get().figures == row.figures


def test_a_project_that_was_deleted_leaves_no_changes(project):
    other = checked(InteractionFactory().project).project
    refresh_all()
    checked(other)
    pk = other.pk
    other.delete()

    refresh_all()

    assert not Change.objects.filter(project_id=pk).exists()
    assert not DayCount.objects.filter(project_id=pk).exists()


def test_changes_are_taken_up_a_few_slices_at_a_time(project, monkeypatch):
    monkeypatch.setattr("verifyhub.metrics.services.days.MAX_SLICES", 1)
    now = timezone.now()
    for hours in (1, 2, 3):
        checked(project, at=now - timedelta(hours=hours))

    rounds = 0
    while refresh(project_id=project.pk):
        rounds += 1

    assert rounds >= 3
    assert answers(project, EVER).checked == 3


def test_a_large_slice_that_keeps_changing_rests_between_counts(project):
    checked(project)
    counted(project)
    SliceCount.objects.update(answers=31_500)
    checked(project)

    def is_due(seconds):
        noted(project).update(created_at=Now() - timedelta(seconds=seconds))
        return project.pk in projects_to_refresh(newest_change())

    assert [is_due(seconds) for seconds in (0, 119, 121)] == [False, False, True]
    SliceCount.objects.update(answers=1_000)
    assert is_due(0)


def test_what_changes_while_it_counts_is_left_to_the_next_time(project, monkeypatch):
    checked(project)
    rounds = []

    def another(*, project_id):
        taken = refresh(project_id=project_id)
        rounds.append(taken)
        checked(project)
        return taken

    monkeypatch.setattr(tasks, "refresh", another)
    refresh_all()

    assert len(rounds) == 1
    assert noted(project).exists()


def test_names_that_agents_choose_do_not_grow_without_bound():
    tally = Tally()
    for number in range(MAX_KEYS + 5):
        tally.add("warnings", (f"W{number:04}",), [2 if number < MAX_KEYS else 1])

    tally.bound()

    rows = {key: counts["answers"] for key, counts in tally.rows("warnings")}
    assert len(rows) == MAX_KEYS + 1
    assert rows[REST,] == 5
    late = Tally()
    late.add("warnings", (f"W{MAX_KEYS:04}",), [1])
    tally.without(late)
    assert tally.by("warnings", 0)[REST,]["answers"] == 4

"""A correction corrects wherever it is heard, whatever is said of the name later."""

import pytest

from tests.factories import ConstraintFactory
from tests.memory.reports import mention, remember
from tests.memory.test_overrides import say
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.memory.services import merge_constraint, undo_effects

pytestmark = pytest.mark.django_db

FALSE_FACT = mention("mind-auth", status="verified")
INVENTED = mention("mind-auth")


def states(**wanted):
    rows = MemoryEntry.objects.filter(**wanted)
    return sorted(rows.values_list("mention_key", "state"))


def test_a_false_fact_is_superseded_in_every_session_by_two_people(
    project, reviewer, lead
):
    first, second = remember(project, FALSE_FACT), remember(project, FALSE_FACT)

    say(first, "mind-auth", "unverified", reviewer)
    by_one = states(kind="finding")
    say(second, "mind-auth", "unverified", lead)

    # Where the first one said so, it counts at once.
    assert by_one == [("mind-auth", "active"), ("mind-auth", "superseded")]
    assert states(kind="finding") == [("mind-auth", "superseded")] * 2


def test_mentions_after_its_correction_bring_no_false_fact_back(project, reviewer):
    say(remember(project, FALSE_FACT), "mind-auth", "unverified", reviewer)
    correction = MemoryEntry.objects.get(kind="correction")

    for _ in range(50):
        remember(project, FALSE_FACT)

    assert not MemoryEntry.objects.filter(kind="finding", state="active").exists()
    correction.refresh_from_db()
    assert (correction.state, correction.confidence) == ("active", 1.0)
    assert Constraint.objects.get().state == "active"


def test_mentions_do_not_raise_a_corrected_facts_confidence(project, reviewer):
    say(remember(project, FALSE_FACT), "mind-auth", "unverified", reviewer)
    before = MemoryEntry.objects.get(kind="finding").confidence

    for _ in range(50):
        remember(project, FALSE_FACT, confidence=0.8)

    kept = set(
        MemoryEntry.objects.filter(kind="finding").values_list("confidence", flat=True)
    )
    assert kept == {before}


def test_another_spelling_of_a_package_is_corrected_too(project, reviewer):
    remember(project, mention("Mind_Auth"))

    say(remember(project, INVENTED), "mind-auth", "verified", reviewer)

    assert states(kind="blocker") == [
        ("mind-auth", "superseded"),
        ("mind_auth", "superseded"),
    ]
    assert set(Constraint.objects.values_list("state", flat=True)) == {"retired"}


def test_a_file_spelt_otherwise_is_another_file(project, reviewer):
    real = mention("my-file.py", kind="file", status="verified")
    wrong = remember(project, mention("my_file.py", kind="file"), real)

    say(wrong, "my_file.py", "unverified", reviewer, kind="file")

    assert states(kind="finding") == [("my-file.py", "active")]


def test_a_merged_name_is_corrected_with_the_one_it_is(project, reviewer, lead):
    answer = remember(project, mention("a.py", kind="file"))
    remember(project, mention("b.py", kind="file"))
    merge_constraint(
        constraint=Constraint.objects.get(mention_key="b.py"),
        into=Constraint.objects.get(mention_key="a.py"),
        actor=lead,
    )

    say(answer, "a.py", "verified", reviewer, kind="file")

    assert states(kind="blocker") == [("a.py", "superseded"), ("b.py", "superseded")]


def test_the_later_of_two_corrections_rules_and_undo_restores_the_earlier(
    project, reviewer
):
    first, second = remember(project, INVENTED), remember(project, INVENTED)
    say(first, "mind-auth", "unverified", reviewer)
    effects = say(second, "mind-auth", "verified", reviewer)
    later = states(kind="correction"), Constraint.objects.get().state

    undo_effects(effects=effects, actor=reviewer)

    assert later == ([("mind-auth", "active"), ("mind-auth", "superseded")], "retired")
    assert states(kind="correction") == [
        ("mind-auth", "active"),
        ("mind-auth", "retracted"),
    ]
    assert Constraint.objects.get().state == "active"
    assert states(kind="blocker") == [("mind-auth", "active")] * 2


def test_an_earlier_correction_can_be_taken_back_while_it_is_outranked(
    project, reviewer
):
    first, second = remember(project, INVENTED), remember(project, INVENTED)
    effects = say(first, "mind-auth", "unverified", reviewer)
    say(second, "mind-auth", "verified", reviewer)

    undo_effects(effects=effects, actor=reviewer)

    assert states(kind="correction", interaction_id=first.id) == [
        ("mind-auth", "retracted")
    ]
    assert Constraint.objects.get().state == "retired"


def test_every_entry_that_a_word_changes_has_its_event(project, reviewer, lead):
    remember(project, FALSE_FACT)
    other = MemoryEntry.objects.get(kind="finding")

    say(remember(project, INVENTED), "mind-auth", "unverified", lead)
    say(remember(project, INVENTED), "mind-auth", "unverified", reviewer)

    event = AuditEvent.objects.get(
        object_id=str(other.id), action="memory.entry_settled"
    )
    assert (event.before, event.after) == (
        {"state": "active"},
        {"state": "superseded"},
    )
    assert event.actor == reviewer


def test_another_projects_entries_are_left_alone(project, reviewer):
    theirs = ConstraintFactory(mention_kind="package", mention_key="mind-auth").project
    remember(theirs, FALSE_FACT)

    say(remember(project, INVENTED), "mind-auth", "unverified", reviewer)

    assert states(project=theirs, kind="finding") == [("mind-auth", "active")]

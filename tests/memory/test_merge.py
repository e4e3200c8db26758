"""Two spellings of one name are made one, and two again."""

import pytest

from tests.factories import ConstraintFactory
from tests.memory.reports import mention, recur, remember, say
from tests.threads import at_once
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint
from verifyhub.memory.selectors import alike
from verifyhub.memory.services import (
    MergeError,
    merge_constraint,
    split_constraint,
    undo_effects,
)

pytestmark = pytest.mark.django_db


def spelled(project):
    """One name in two spellings, neither often enough for a constraint."""
    remember(project, mention("mind_auth"))
    recur(project, 2)
    return (
        Constraint.objects.get(mention_key="mind_auth"),
        Constraint.objects.get(mention_key="mind-auth"),
    )


def standing():
    rows = Constraint.objects.order_by("mention_key")
    return list(rows.values_list("mention_key", "state", "interaction_count"))


def test_spellings_of_one_name_are_suggested(project):
    one, other = spelled(project)
    remember(project, mention("mind-engine"))
    ConstraintFactory(project=project, mention_kind="symbol", mention_key="mindauth")

    assert list(alike(one)) == [other]


def test_merged_their_sightings_add_up(project, lead):
    one, other = spelled(project)

    one = merge_constraint(constraint=one, into=other, actor=lead)

    assert standing() == [("mind-auth", "active", 3), ("mind_auth", "retired", 0)]
    assert one.why_retired == 'Merged into "mind-auth"'
    event = AuditEvent.objects.get(action="memory.constraint_merged")
    assert (event.actor, event.after["name"]) == (lead, "mind-auth")


def test_splitting_takes_the_merge_back_exactly(project, lead):
    one, other = spelled(project)
    before = standing()
    one = merge_constraint(constraint=one, into=other, actor=lead)

    split_constraint(constraint=one, actor=lead)

    assert standing() == before


def test_what_is_found_of_one_spelling_cancels_both(project, lead):
    one, other = spelled(project)
    merge_constraint(constraint=one, into=other, actor=lead)

    remember(project, mention("mind_auth", status="verified"))

    assert standing()[0] == ("mind-auth", "retired", 3)


def test_a_decision_undone_after_a_merge_is_undone_for_both(project, lead, reviewer):
    one, other = spelled(project)
    effects = say(
        remember(project, mention("mind_auth")), "mind_auth", "verified", reviewer
    )
    merge_constraint(constraint=one, into=other, actor=lead)
    assert standing()[0][1] == "retired"

    undo_effects(effects=effects, actor=reviewer)

    assert standing()[0] == ("mind-auth", "active", 4)


def test_names_of_different_kinds_or_projects_are_not_merged(project, outsider, lead):
    one, _ = spelled(project)
    other = ConstraintFactory(project=project, mention_kind="symbol")
    theirs = ConstraintFactory(project=outsider.memberships.get().project)

    for into in (one, other, theirs):
        with pytest.raises(MergeError):
            merge_constraint(constraint=one, into=into, actor=lead)


@pytest.mark.django_db(transaction=True)
def test_two_leads_and_two_workers_at_once_double_nothing(project, lead):
    one, other = spelled(project)

    def merge():
        try:
            return merge_constraint(constraint=one, into=other, actor=lead)
        except MergeError as error:
            return error

    results = at_once(
        merge,
        merge,
        lambda: remember(project, mention("mind_auth")),
        lambda: remember(project, mention("mind-auth"), mention("mind_auth")),
    )

    assert sum(isinstance(result, MergeError) for result in results) == 1
    assert AuditEvent.objects.filter(action="memory.constraint_merged").count() == 1
    assert standing() == [("mind-auth", "active", 5), ("mind_auth", "retired", 0)]

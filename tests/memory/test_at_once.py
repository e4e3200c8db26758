"""Several workers and people at the same names at the same moment."""

import random

import pytest

from tests.factories import ApiKeyFactory, InteractionFactory
from tests.memory.reports import mention, remember, remember_again, say
from tests.threads import at_once
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting
from verifyhub.memory.services import undo_effects

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = [mention(f"package-{number}") for number in range(20)]


def test_workers_with_the_same_names_neither_double_nor_wait_for_each_other(project):
    answers = [
        InteractionFactory(project=project, api_key=ApiKeyFactory(project=project))
        for _ in range(6)
    ]

    at_once(
        *(
            lambda answer=answer: remember_again(
                answer, *random.sample(NAMES, len(NAMES))
            )
            for answer in answers
        )
    )

    counts = Constraint.objects.values_list("interaction_count", "state")
    assert list(counts) == [(6, "active")] * len(NAMES)


def test_one_report_remembered_twice_at_once_is_there_once(project):
    answer = InteractionFactory(project=project)

    at_once(*(lambda: remember_again(answer, *NAMES) for _ in range(4)))

    assert MemoryEntry.objects.count() == len(NAMES)
    assert Sighting.objects.count() == len(NAMES)


def test_two_reviewers_at_one_name_leave_what_undo_can_take_back(project, reviewer):
    answers = [remember(project, mention("mind-auth")) for _ in range(2)]

    decisions = at_once(
        lambda: say(answers[0], "mind-auth", "verified", reviewer),
        lambda: say(answers[1], "mind-auth", "unverified", reviewer),
    )
    for effects in decisions:
        undo_effects(effects=effects, actor=reviewer)

    constraint = Constraint.objects.get()
    assert (constraint.state, constraint.interaction_count) == ("candidate", 2)

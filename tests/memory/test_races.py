"""Two people and two workers at the same constraint, in the order that hurts."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from django.db import connection, transaction

from tests.factories import ApiKeyFactory, ProjectFactory
from tests.memory.reports import NOW, mention, recur, remember, remember_again, say
from tests.memory.test_at_once import at_once
from tests.threads import closing
from verifyhub.accounts.services import revoke_api_key
from verifyhub.audit.models import AuditEvent
from verifyhub.memory.models import Constraint, MemoryEntry, Sighting
from verifyhub.memory.services import (
    ConstraintChangedError,
    end_shadows,
    forget_keys,
    merge_constraint,
    pin_constraint,
    retire_constraint,
    undo_effects,
)

pytestmark = pytest.mark.django_db(transaction=True)


def constraint(key="mind-auth"):
    return Constraint.objects.get(mention_key=key)


@contextmanager
def meanwhile(act: Callable[[], object]):
    """Do `act` elsewhere while the block's transaction is open, until it must wait."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            yield
            doing = pool.submit(closing, act)
            wait_until_blocked(doing)
        doing.result(timeout=10)


def wait_until_blocked(doing: Future) -> None:
    while not doing.done():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT 1 FROM pg_locks WHERE NOT granted"
                " AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone():
                return
        time.sleep(0.01)


def refused(act):
    try:
        act()
    except ConstraintChangedError:
        return True
    return False


def test_of_a_pin_and_a_retirement_at_once_one_wins(project, lead):
    recur(project, 2)
    seen = constraint()
    other = constraint()

    lost = at_once(
        lambda: refused(lambda: pin_constraint(constraint=seen, actor=lead)),
        lambda: refused(lambda: retire_constraint(constraint=other, actor=lead)),
    )

    row = constraint()
    acts = AuditEvent.objects.filter(
        action__in=["memory.constraint_pinned", "memory.constraint_retired"]
    )
    assert sorted(lost) == [False, True]
    assert row.pinned
    assert row.state == ("retired" if lost[0] else "active")
    assert acts.count() == 1


def test_a_retirement_beats_the_promotion_it_races_with(project, lead):
    recur(project, 2)
    seen = constraint()

    with meanwhile(lambda: remember(project, mention("mind-auth"))):
        retire_constraint(constraint=seen, actor=lead)

    row = constraint()
    assert (row.state, row.pinned, row.interaction_count) == ("retired", True, 3)


def test_a_pin_made_of_what_a_promotion_has_changed_is_refused(project, lead):
    recur(project, 2)
    seen = constraint()
    told = []

    with meanwhile(
        lambda: told.append(
            refused(lambda: pin_constraint(constraint=seen, actor=lead))
        )
    ):
        remember(project, mention("mind-auth"))

    row = constraint()
    assert (told, row.state, row.pinned) == ([True], "active", False)


def test_evidence_found_while_two_spellings_are_merged_cancels_both(project, lead):
    recur(project, 3)
    remember(project, mention("mind_auth"))

    with meanwhile(lambda: remember(project, mention("mind_auth", status="verified"))):
        merge_constraint(
            constraint=constraint("mind_auth"), into=constraint(), actor=lead
        )

    assert constraint().state == "retired"


def test_a_promotion_that_races_with_a_merge_counts_for_the_main_name(project, lead):
    recur(project, 2)
    remember(project, mention("mind_auth"))

    with meanwhile(lambda: remember(project, mention("mind_auth"))):
        merge_constraint(
            constraint=constraint("mind_auth"), into=constraint(), actor=lead
        )

    row = constraint()
    assert (row.state, row.interaction_count) == ("active", 4)
    assert constraint("mind_auth").state == "retired"


def test_workers_that_wait_for_a_merge_do_not_wait_for_each_other(project, lead):
    for _ in range(2):
        remember(project, mention("mind-auth"), mention("mind_auth"))
    one, main = constraint("mind_auth"), constraint()

    at_once(
        lambda: merge_constraint(constraint=one, into=main, actor=lead),
        *(lambda: remember(project, mention("mind_auth")) for _ in range(3)),
        *(
            lambda: remember(project, mention("mind_auth"), mention("mind-auth"))
            for _ in range(3)
        ),
    )

    assert constraint().interaction_count == 8


def test_a_key_revoked_during_the_promotion_does_not_promote(project, admin):
    bad = ApiKeyFactory(project=project)
    for key in (bad, ApiKeyFactory(project=project)):
        remember(project, mention("mind-auth"), key=key)

    with meanwhile(lambda: remember(project, mention("mind-auth"), key=bad)):
        revoke_api_key(key=bad, actor=admin)
    forget_keys()

    row = constraint()
    assert (row.state, row.interaction_count) == ("candidate", 1)


def test_a_shadow_that_ends_while_its_key_is_revoked_tells_nobody(project, admin):
    project.thresholds = {"shadow_hours": 1}
    project.save()
    bad = ApiKeyFactory(project=project)
    for key in (bad, bad, ApiKeyFactory(project=project)):
        remember(project, mention("mind-auth"), key=key)
    later = NOW.replace(year=NOW.year + 1)

    with meanwhile(lambda: end_shadows(now=later)):
        revoke_api_key(key=bad, actor=admin)

    row = constraint()
    assert (row.state, row.active_at) == ("candidate", None)


def test_a_decision_undone_while_its_key_is_revoked_brings_no_support_back(
    project, admin, reviewer
):
    bad = ApiKeyFactory(project=project)
    answer = remember(project, mention("mind-auth"), key=bad)
    effects = say(answer, "mind-auth", "verified", reviewer)

    with meanwhile(lambda: undo_effects(effects=effects, actor=reviewer)):
        revoke_api_key(key=bad, actor=admin)
    forget_keys()

    assert not Sighting.objects.filter(counts=True).exists()


def test_two_people_and_two_workers_at_one_name_leave_one_true_state(
    project, lead, reviewer
):
    answers = [remember(project, mention("mind-auth")) for _ in range(3)]
    seen = constraint()

    lost = at_once(
        lambda: refused(lambda: pin_constraint(constraint=seen, actor=lead)),
        lambda: say(answers[0], "mind-auth", "verified", reviewer) and None,
        lambda: remember_again(answers[1], mention("mind-auth")),
        lambda: remember(project, mention("mind-auth")),
    )[0]

    row = constraint()
    assert Constraint.objects.count() == 1
    assert Sighting.objects.count() == 4
    assert MemoryEntry.objects.filter(kind="correction").count() == 1
    assert (row.state, row.interaction_count) == (
        ("retired", 3) if lost else ("active", 3)
    )


def test_an_undo_after_further_decisions_takes_back_its_own_alone(
    project, lead, reviewer
):
    answers = [remember(project, mention("mind-auth")) for _ in range(3)]
    first = say(answers[0], "mind-auth", "verified", reviewer)
    second = say(answers[1], "mind-auth", "unverified", lead)
    third = say(answers[2], "mind-auth", "verified", reviewer)
    states = [constraint().state]

    for effects in (second, first, third, second):
        undo_effects(effects=effects, actor=reviewer)
        row = constraint()
        states.append((row.state, row.interaction_count))

    assert states == ["retired", ("retired", 1), ("retired", 2), *[("active", 3)] * 2]


def test_an_answer_that_waits_for_a_correction_is_remembered_under_it(
    project, reviewer
):
    """Nothing else is shared: other sessions, and no constraint on the name yet."""
    answer = remember(project, mention("mind-auth", status="verified"))
    told = []

    with meanwhile(
        lambda: told.append(remember(project, mention("mind-auth", status="verified")))
    ):
        say(answer, "mind-auth", "unverified", reviewer)

    late = MemoryEntry.objects.get(interaction_id=told[0].id)
    assert late.state == "superseded"


def test_a_correction_that_waits_for_an_answer_supersedes_what_it_taught(
    project, reviewer
):
    answer = remember(project, mention("mind-auth"))

    with meanwhile(lambda: say(answer, "mind-auth", "unverified", reviewer)):
        found = mention("mind-auth", status="verified")
        late = remember(project, found, session=answer.session)

    entry = MemoryEntry.objects.get(interaction_id=late.id)
    assert entry.state == "superseded"


def done_meanwhile(act: Callable[[], object], other: Callable[[], object]) -> bool:
    """Whether `other` gets done elsewhere while `act` is not committed yet."""
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            act()
            doing = pool.submit(closing, other)
            wait_until_blocked(doing)
            done = doing.done()
        doing.result(timeout=10)
    return done


def test_answers_do_not_wait_for_each_other_at_the_words(project):
    assert done_meanwhile(
        lambda: remember(project, mention("one")),
        lambda: remember(project, mention("another")),
    )


def test_another_projects_words_are_not_waited_for(project, reviewer):
    answer, elsewhere = remember(project, mention("mind-auth")), ProjectFactory()

    assert done_meanwhile(
        lambda: say(answer, "mind-auth", "verified", reviewer),
        lambda: remember(elsewhere, mention("mind-auth")),
    )

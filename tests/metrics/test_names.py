"""Names without evidence: which are kept, and that the others are counted."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import (
    InteractionFactory,
    MentionVerdictFactory,
    VerificationFactory,
)
from verifyhub.ingest.models import Interaction
from verifyhub.metrics.counting.received import answers_received
from verifyhub.metrics.models import DayName, TotalName
from verifyhub.metrics.selectors.mentions import most_invented
from verifyhub.metrics.selectors.questions import inventions
from verifyhub.metrics.services import differences, names
from verifyhub.metrics.tasks import refresh_all
from verifyhub.metrics.windows import Window

pytestmark = pytest.mark.django_db
EVER = Window(days=None, since=None)


def said(project, *texts, days=0, agent="scout"):
    at = timezone.now() - timedelta(days=days)
    row = InteractionFactory(project=project, agent_name=agent)
    Interaction.objects.filter(pk=row.pk).update(created_at=at)
    run = VerificationFactory(interaction=row)
    for text in texts:
        MentionVerdictFactory(invented=True, verification=run, text=text)
    return at.date()


def unlisted(project):
    return inventions(project, EVER, timezone.now()).unlisted.value


@pytest.mark.parametrize(
    ("days", "bound"),
    [(0, "MAX_SLICE_NAMES"), (9, "MAX_TOTAL_NAMES")],
    ids=["in slices", "a whole day"],
)
def test_names_too_rare_to_be_kept_are_counted(project, monkeypatch, days, bound):
    monkeypatch.setattr(names, bound, 2)
    said(project, "often.py", "rare.py", "seldom.py", days=days)
    day = said(project, "often.py", "rare.py", days=days)
    assert unlisted(project) == 0

    refresh_all()

    shown = {row.text: row.answer_count for row in most_invented(project, EVER)}
    assert shown == {"often.py": 2, "rare.py": 2}
    assert sum(shown.values()) + unlisted(project) == 5
    assert differences(project_id=project.pk, day=day) == []


def test_a_slice_keeps_names_of_every_agent_alike(project, monkeypatch):
    monkeypatch.setattr(names, "MAX_SLICE_NAMES", 2)
    said(project, "a.py", "b.py", "c.py")
    said(project, "a.py", "b.py", "c.py")
    said(project, "z.py", agent="coder")

    refresh_all()

    shown = {row.text: row.answer_count for row in most_invented(project, EVER)}
    assert shown == {"a.py": 2, "z.py": 1}
    assert unlisted(project) == 4


def test_names_of_all_agents_are_bounded_by_themselves(project, monkeypatch):
    monkeypatch.setattr(names, "MAX_TOTAL_NAMES", 1)
    said(project, "own.py", "common.py")
    said(project, "common.py", agent="coder")

    refresh_all()

    assert [row.text for row in most_invented(project, EVER)] == ["common.py"]
    assert unlisted(project) == 1
    scout = Window(days=None, since=None, agent="scout")
    found = inventions(project, scout, timezone.now())
    assert {row.text for row in found.names} == {"common.py", "own.py"}
    assert found.unlisted.value == 0


def test_a_name_that_many_agents_use_counts_once_a_session(project):
    first = InteractionFactory(project=project, agent_name="scout")
    for agent in ("scout", "coder"):
        row = InteractionFactory(
            project=project, agent_name=agent, session=first.session
        )
        run = VerificationFactory(interaction=row)
        MentionVerdictFactory(invented=True, verification=run, text="ghost.py")

    refresh_all()

    (row,) = most_invented(project, EVER)
    assert row.answer_count == 2
    assert TotalName.objects.get().answers == 2
    assert DayName.objects.count() == 2


def test_the_longest_names_that_agents_may_choose_are_counted(project):
    # Each longer than what an index takes; random, so that they cannot be packed.
    letters = [chr(0x20000 + 7919 * place % 40_000) for place in range(1_100)]
    agent, model, key = letters[:200], letters[200:400], letters[400:900]
    row = InteractionFactory(
        project=project,
        agent_name="".join(agent),
        agent_tier="".join(letters[900:950]),
        metadata={"model": "".join(model)},
    )
    run = VerificationFactory(interaction=row)
    MentionVerdictFactory(invented=True, verification=run, text="x", key="".join(key))

    refresh_all()

    assert [row.key for row in most_invented(project, EVER)] == ["".join(key)]


def test_answers_of_any_time_are_counted_from_days_and_their_ends(project):
    for days in (0, 1, 5, 5, 9):
        said(project, days=days)
    refresh_all()
    said(project, days=5)
    now = timezone.now()

    received = answers_received(project.pk)

    assert received(now - timedelta(days=8), now) == 5
    assert received(now - timedelta(days=5, minutes=1), now - timedelta(days=1)) == 4
    assert received(now - timedelta(days=30), now + timedelta(days=1)) == 6
    assert received(now, now) == 0

"""What the next agent would be told: each line with why, and what is left out."""

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import ConstraintFactory
from tests.memory.reports import mention, remember, say
from verifyhub.engine.memory.formats import ContextFormat
from verifyhub.memory.models import ContextDelivery, MemoryEntry
from verifyhub.memory.pages.preview import preview
from verifyhub.memory.services import (
    deliver_context,
    retract_entry,
)

pytestmark = pytest.mark.django_db


def shown(project, session="", task="", budget=4000, shape=ContextFormat.TEXT):
    return preview(
        project=project, session_key=session, task=task, budget=budget, format=shape
    )


def left_out(found, reason):
    return [row.text for row in found.left_out.get(reason, [])]


@pytest.mark.parametrize("shape", list(ContextFormat))
def test_it_is_the_very_text_that_is_delivered(project, shape):
    session = remember(project, mention("mind-auth"), gaps=["a test"]).session.key
    asked = {"task": "auth", "budget": 500}

    found = shown(project, session, shape=shape, **asked)
    sent = deliver_context(project=project, session_key=session, format=shape, **asked)

    assert found.delivered == sent.delivered
    assert shown(project, session, shape=shape, **asked).is_as_last


def test_looking_delivers_nothing(project):
    shown(project, remember(project, mention("mind-auth")).session.key)

    assert not ContextDelivery.objects.exists()


def test_each_line_says_which_row_it_is_of_and_why_it_stands_there(project):
    session = remember(project, mention("parse_config"), mention("render")).session.key
    constraint = ConstraintFactory(project=project, text="mind.py")

    found = shown(project, session, task="Change the config")

    first = found.lines[0]
    assert (first.row.text, first.place, first.shared) == (
        "parse_config",
        1,
        ("config",),
    )
    assert [one.row for one in found.lines if one.is_constraint] == [constraint]


def test_what_the_budget_leaves_out_is_named(project):
    names = [mention(f"package-{n}") for n in range(8)]
    session = remember(project, *names).session.key

    found = shown(project, session, budget=80)

    assert 0 < len(found.lines) < 8
    assert len(found.lines) + len(left_out(found, "budget")) == 8


def test_other_reasons_are_told_apart(project, reviewer, lead):
    answer = remember(
        project, *(mention(name) for name in ("gone", "old", "right")), gaps=["a", "b"]
    )
    say(answer, "right", "verified", reviewer)
    retract_entry(entry=MemoryEntry.objects.get(text="gone"), actor=lead)
    MemoryEntry.objects.filter(text="old").update(expires_at=timezone.now())
    MemoryEntry.objects.filter(text="a").update(state="expired")

    found = shown(project, answer.session.key)

    assert left_out(found, "retracted") == ["gone"]
    assert "right" in left_out(found, "superseded")
    assert "a" in left_out(found, "expired")


def test_the_page_sets_it_beside_what_was_delivered_last(project, viewer, browse):
    session = remember(project, mention("mind-auth")).session.key
    sent = deliver_context(
        project=project, session_key=session, task="", budget=1000, format="text"
    )
    query = {"session": session, "task": "other", "budget": 30, "format": "markdown"}
    url = reverse("memory:next-prompt", args=[project.slug], query=query)

    text = browse(viewer).get(url).content.decode()

    assert sent.delivered.sha256[:16] in text
    assert "Another text" in text
    entry = MemoryEntry.objects.get()
    assert reverse("review:memory-entry", args=[project.slug, entry.id]) in text


def test_a_session_that_never_asked_was_told_nothing(project, viewer, browse):
    url = reverse("memory:next-prompt", args=[project.slug])

    assert "No context was delivered" in browse(viewer).get(url).content.decode()

"""An entry is edited, and what it was stays known."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from tests.factories import InteractionFactory
from tests.memory.reports import mention, remember, say
from verifyhub.audit.selectors import history
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.services import (
    EntryChangedError,
    EntryValuesError,
    edit_entry,
    retract_entry,
)

pytestmark = pytest.mark.django_db

LATER = datetime(2030, 1, 1, tzinfo=UTC)


def edit(entry, actor, seen=None, **changes):
    return edit_entry(
        entry=entry,
        values=changes,
        loaded_at=seen or entry.updated_at,
        actor=actor,
    )


@pytest.fixture
def gap(project):
    remember(project, gaps=["no test was run"])
    return MemoryEntry.objects.get(kind="gap")


@pytest.fixture
def blocker(project):
    remember(project, mention("mind-auth"))
    return MemoryEntry.objects.get(kind="blocker")


def test_what_it_was_and_what_it_became_are_kept(gap, lead):
    edit(gap, lead, text="no test of the parser", expires_at=LATER)

    gap.refresh_from_db()
    event = history(gap, project_id=gap.project_id).get()
    assert (gap.text, gap.expires_at) == ("no test of the parser", LATER)
    assert (event.actor, event.action) == (lead, "memory.entry_edited")
    assert event.before == {"text": "no test was run", "expires_at": None}
    assert event.after == {
        "text": "no test of the parser",
        "expires_at": LATER.isoformat(),
    }


def test_a_name_that_was_checked_stays(blocker, lead):
    edit(blocker, lead, text="another", kind="gap", suggestion="mind-engine")

    blocker.refresh_from_db()
    assert (blocker.text, blocker.kind) == ("mind-auth", "blocker")
    assert blocker.suggestion == "mind-engine"


def test_the_second_of_two_edits_is_refused(gap, lead):
    seen = gap.updated_at
    edit(gap, lead, text="first")

    with pytest.raises(EntryChangedError):
        edit(MemoryEntry.objects.get(id=gap.id), lead, seen, text="second")

    assert MemoryEntry.objects.get(id=gap.id).text == "first"


@pytest.mark.parametrize(
    "wrong",
    [{"text": " "}, {"text": "a\nb"}, {"confidence": 1.5}, {"kind": "finding"}],
)
def test_what_cannot_be_used_is_refused_by_field(gap, lead, wrong):
    with pytest.raises(EntryValuesError) as refused:
        edit(gap, lead, **wrong)

    assert list(refused.value.errors) == list(wrong)


def test_an_entry_without_text_asks_for_one(gap, lead):
    with pytest.raises(EntryValuesError, match="Enter a text"):
        edit(gap, lead, text=" ")


def test_what_a_person_said_is_not_reworded(project, reviewer, lead):
    say(remember(project, mention("mind-auth")), "mind-auth", "verified", reviewer)
    correction = MemoryEntry.objects.get(kind="correction")

    edit(correction, lead, text="x", confidence=0.1)

    correction.refresh_from_db()
    assert (correction.text, correction.confidence) == ("mind-auth", 1.0)


def test_a_lead_edits_on_the_entrys_page(project, gap, lead, browse):
    client = browse(lead)
    address = reverse("review:memory-entry", args=[project.slug, gap.id])
    form = client.get(address).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}

    reply = client.post(
        reverse("memory:entry-edit", args=[project.slug, gap.id]),
        {**sent, "text": "no test of <b>it</b>"},
        follow=True,
    )

    text = reply.content.decode()
    assert "no test of &lt;b&gt;it&lt;/b&gt;" in text
    assert "<del>no test was run</del>" in text


def test_an_entry_leads_back_to_its_answer_and_what_superseded_it(
    project, viewer, reviewer, browse, blocker
):
    interaction_id = blocker.interaction_id
    say(project.interactions.get(id=interaction_id), "mind-auth", "verified", reviewer)
    url = reverse("review:memory-entry", args=[project.slug, blocker.id])

    text = browse(viewer).get(url).content.decode()

    correction = MemoryEntry.objects.get(kind="correction")
    assert str(interaction_id) in text
    assert reverse("review:memory-entry", args=[project.slug, correction.id]) in text
    assert "entry-edit" not in text


def test_retraction_stays_on_the_entrys_page(project, gap, lead, browse):
    reply = browse(lead).post(
        reverse("memory:entry-act", args=[project.slug, gap.id, "retract"]),
        {"at": "entry"},
    )

    assert reply["Location"] == reverse(
        "review:memory-entry", args=[project.slug, gap.id]
    )
    assert MemoryEntry.objects.get(id=gap.id).state == "retracted"


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_others_may_not_edit(project, gap, role, browse, request):
    client = browse(request.getfixturevalue(role))
    url = reverse("memory:entry-edit", args=[project.slug, gap.id])

    assert client.post(url, {"text": "x"}).status_code == 403


def test_a_foreign_entry_is_not_there(project, lead, browse):
    remember(InteractionFactory().project, mention("theirs"))
    entry = MemoryEntry.objects.get()
    client = browse(lead)

    for name in ("review:memory-entry", "memory:entry-edit"):
        url = reverse(name, args=[project.slug, entry.id])
        assert client.post(url).status_code in (404, 405)
        assert client.get(url).status_code in (404, 405)


def test_the_history_names_who_did_what(project, gap, lead, viewer, browse):
    retract_entry(entry=gap, actor=lead)
    url = reverse("review:memory-entry", args=[project.slug, gap.id])

    text = browse(viewer).get(url).content.decode()

    assert "<strong>Retracted</strong>" in text
    assert lead.get_username() in text

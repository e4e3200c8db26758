"""A person judges a value of an answer: marked, told to memory, and taken back."""

import json

import pytest
from django.urls import reverse

from tests.markup import markup
from tests.review.test_answer_page import url
from verifyhub.memory.models import Constraint, MemoryEntry
from verifyhub.review.decide import judge, undo_override
from verifyhub.review.decisions import Decision, ValueFlip
from verifyhub.review.errors import DecisionInvalidError, UnchangedError
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.selectors import report_of

LEASE = {"lease_id": "LS-3310", "rent": 412.5}


@pytest.fixture
def item(answered):
    call = {
        "tool": "get_lease",
        "input": {"lease_id": "LS-3310"},
        "output": json.dumps(LEASE),
    }
    answer = "The rent of LS-3310 is $412.50.\nBy LS-4471, $90 is due."
    sent = answered(answer=answer, tool_calls=[call])
    return ReviewItem.objects.get(interaction=sent)


def place_of(item, text):
    values = report_of(item.verification).values
    return next(at for at, value in enumerate(values) if value.text == text)


def say(item, text, status, who, **more):
    flip = ValueFlip(index=place_of(item, text), status=status, **more)
    item.refresh_from_db()
    return judge(
        item=item,
        decision=Decision(values=(flip,), reason="I looked."),
        reviewer=who,
        version=item.version,
    ).outcome


def told(item):
    return MemoryEntry.objects.filter(
        session=item.interaction.session, state=MemoryEntry.State.ACTIVE
    )


def test_a_wrong_amount_is_told_to_its_session_with_its_line(item, one_voice, lead):
    say(item, "$90", "wrong", lead)

    assert not Constraint.objects.exists()
    assert "By LS-4471, $90 is due." in {entry.text for entry in told(item)}


def test_a_wrong_identifier_is_never_to_be_named_again(item, one_voice, lead):
    say(item, "LS-4471", "wrong", lead)

    assert Constraint.objects.get().state == Constraint.State.ACTIVE


def test_a_wrong_identifier_can_be_told_to_its_session_alone(item, one_voice, lead):
    say(item, "LS-4471", "wrong", lead, reach="session")

    assert not Constraint.objects.filter(state=Constraint.State.ACTIVE).exists()


def test_undo_takes_back_what_memory_was_told(item, one_voice, lead):
    made = say(item, "LS-4471", "wrong", lead).overrides[0]
    item.refresh_from_db()

    undo_override(override=made, actor=lead, version=item.version)

    assert not Constraint.objects.filter(state=Constraint.State.ACTIVE).exists()


def test_a_value_is_judged_on_its_page_and_the_next_flagged_one_follows(
    item, browse, lead
):
    client, at = browse(lead), place_of(item, "LS-4471")
    address = reverse("review:answer-value", args=["acme", item.interaction_id, at])

    reply = client.post(
        address,
        {"version": 0, "status": "right", "reason": "I looked."},
        headers={"HX-Request": "true"},
    )

    body = markup(reply)
    assert "correct, by a reviewer" in body
    assert f'data-choice="value={place_of(item, "$90")}"' in body
    assert "judged the value" in markup(client.get(url(item.interaction)))


def test_the_same_word_twice_and_a_value_that_is_not_there_are_refused(item, lead):
    say(item, "$90", "right", lead)

    with pytest.raises(UnchangedError):
        say(item, "$90", "right", lead)
    with pytest.raises(DecisionInvalidError):
        judge(
            item=item,
            decision=Decision(
                values=(ValueFlip(index=99, status="right"),), reason="x"
            ),
            reviewer=lead,
            version=item.version,
        )
    assert Override.objects.filter(target="value").count() == 1


def test_a_mark_of_a_value_leads_to_its_evidence(item, browse, lead):
    body = markup(browse(lead).get(url(item.interaction)))

    assert f'href="?value={place_of(item, "$412.50")}#evidence"' in body

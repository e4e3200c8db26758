"""The answer page advises, and lets reviewers have it tried."""

import pytest
from django.urls import reverse

from tests.engine.mitigation.made import a_claim
from tests.ingest.runs import a_call, a_run
from tests.verification.writing_model import writing
from verifyhub.engine.mitigation.choose import choose
from verifyhub.verification.models import Deliberation, MitigationAttempt, Verification
from verifyhub.verification.services import (
    run_deliberation,
    run_mitigation,
    run_verification,
)

WRONG = "Prices are in `shop/pricing.py`; `shop/taxes.py` adds the tax."
RIGHT = "Prices are in `shop/pricing.py`; `shop/cart.py` uses them."
HTMX = {"HX-Request": "true"}


@pytest.fixture
def answer(api):
    call = a_call(tool="ls", input={}, output="shop/pricing.py\nshop/cart.py\n")
    body = a_run(id="run-1", answer=WRONG, tool_calls=[call])
    api.post("/api/v1/interactions/", body, content_type="application/json")
    run_verification(verification_id=Verification.objects.get().id)
    return Verification.objects.get().interaction


def at(name, answer, *more):
    return reverse(f"review:{name}", args=[answer.project.slug, answer.id, *more])


def shown(client, answer):
    return client.get(at("answer-checks", answer)).content.decode()


def test_advice_is_shown_with_its_reason_and_both_texts(browse, viewer, answer):
    advice = choose(claims=[a_claim()])
    run = Verification.objects.get()
    run.report["mitigation"] = advice.as_dict()
    run.save()

    page = shown(browse(viewer), answer)

    assert "<b>Block</b>: the evidence contradicts a statement." in page
    assert advice.disclaimer in page
    assert "Go by this evidence." in page


def test_a_viewer_reads_and_a_reviewer_has_it_tried(browse, viewer, reviewer, answer):
    url = at("answer-mitigate", answer)

    assert "Rewrite" not in shown(browse(viewer), answer)
    assert "Rewrite" in shown(browse(reviewer), answer)
    assert browse(viewer).post(url, {"action": "regenerate"}).status_code == 403


def test_without_javascript_the_page_with_the_card_follows(browse, reviewer, answer):
    reply = browse(reviewer).post(
        at("answer-mitigate", answer), {"action": "regenerate"}, follow=True
    )

    assert 'id="what-to-do"' in reply.content.decode()
    assert at("answer-mitigations", answer) in reply.content.decode()


def test_while_it_is_written_the_card_asks_again(browse, reviewer, answer):
    client = browse(reviewer)

    card = client.post(
        at("answer-mitigate", answer), {"action": "regenerate"}, headers=HTMX
    ).content.decode()

    assert at("answer-mitigations", answer) in card
    assert "every 2s" in card
    assert MitigationAttempt.objects.get().asked_by == str(reviewer)


@pytest.mark.parametrize(
    ("text", "word"), [(RIGHT, "offered"), ("See `shop/new.py`.", "not offered")]
)
def test_what_was_written_is_shown_word_by_word(
    browse, reviewer, answer, settings, text, word
):
    client = browse(reviewer)
    client.post(at("answer-mitigate", answer), {"action": "regenerate"})
    with writing(settings, text):
        run_mitigation(mitigation_id=MitigationAttempt.objects.get().id)

    card = client.get(at("answer-mitigations", answer), headers=HTMX).content.decode()

    assert f">{word}</span>" in card
    assert "<ins" in card
    assert "every 2s" not in card


def test_an_unknown_action_is_none(browse, reviewer, answer):
    url = at("answer-mitigate", answer)

    assert browse(reviewer).post(url, {"action": "shrug"}).status_code == 404


def test_a_deliberation_shows_its_steps_and_is_linked(
    browse, reviewer, answer, settings
):
    client = browse(reviewer)
    begun = client.post(at("answer-deliberate", answer))
    assert "every 2s" in client.get(begun["Location"]).content.decode()
    with writing(settings, "The tax file is in no listing.", RIGHT):
        run_deliberation(deliberation_id=Deliberation.objects.get().id)

    page = client.get(begun["Location"]).content.decode()

    for said in ("Draft", "Critique", "in no listing", "Fact check", "Synthesis"):
        assert said in page
    assert ">offered</span>" in page
    assert "every 2s" not in page
    assert begun["Location"] in shown(client, answer)


def test_who_is_no_member_finds_none_of_it(browse, outsider, answer):
    row = Deliberation.objects.create(project=answer.project, task="x")
    client = browse(outsider)
    url = reverse("review:deliberation", args=[answer.project.slug, row.id])

    assert client.get(url).status_code == 404
    assert client.post(at("answer-mitigate", answer)).status_code == 404
    assert client.get(at("answer-mitigations", answer)).status_code == 404

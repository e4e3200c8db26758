"""A run is watched while it goes on, with JavaScript and without."""

import pytest
from playwright.sync_api import expect

from tests.review.conftest import ANSWER, GREP, send
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub.ingest.models import Session
from verifyhub.ingest.services import record_interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LIVE = "Still running"


@pytest.fixture
def running(people):
    """A session with a finished attempt and one that waits; gives its page."""
    send(people, id="r.1")
    body = {
        "id": "r.2",
        "parent": "r.1",
        "task": "Where is the price computed?",
        "answer": ANSWER,
        "session": "s-1",
        "tool_calls": [GREP],
    }
    record_interaction(
        project=people, api_key=None, interaction=parse_interaction(body)
    )
    return f"/p/acme/runs/{Session.objects.get().id}/"


def finish() -> None:
    run_verification(verification_id=Verification.objects.get(state="pending").id)


def test_the_verdict_appears_by_itself_and_then_nothing_more_is_asked(visit, running):
    visitor = visit()
    page = visitor.open(running)
    assert page.get_by_text(LIVE).is_visible()
    page.get_by_role("link", name="Attempt 1").focus()

    finish()
    page.get_by_text(LIVE).wait_for(state="detached")

    assert page.locator(".attempt").last.locator(".badge").first.is_visible()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(2500)
    assert asked == []


def test_without_javascript_a_reload_shows_it(visit, running):
    visitor = visit(java_script_enabled=False)
    page = visitor.open(running)
    assert page.get_by_text(LIVE).is_visible()

    finish()
    page.get_by_role("link", name="Reload").click()

    expect(page.get_by_text(LIVE)).to_have_count(0)
    expect(page.locator(".attempt")).to_have_count(2)


def test_from_the_list_to_an_answer_by_keyboard_alone(visit, running):
    finish()
    visitor = visit()
    page = visitor.open("/p/acme/runs/")

    page.get_by_role("link", name="s-1").focus()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{running}")
    page.get_by_role("link", name="Attempt 2").focus()
    page.keyboard.press("Enter")

    page.wait_for_url("**/answers/**")

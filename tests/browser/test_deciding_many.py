"""One decision on many answers, by keyboard: ticked, looked at, confirmed, undone."""

import pytest
from playwright.sync_api import expect

from verifyhub.review.models import Act, ReviewItem

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def tab_to(page, control):
    """Press Tab until a control has the focus."""
    for _ in range(60):
        if control.evaluate("(element) => element === document.activeElement"):
            return
        page.keyboard.press("Tab")
    pytest.fail("Tab never reaches it")


def test_ticked_answers_are_decided_and_undone_as_one(visit, answers):
    page = visit().page
    keys = page.keyboard

    for key in ("j", "x", "j", "x"):
        keys.press(key)
    expect(page.locator(".q-tick input:checked")).to_have_count(2)
    tab_to(page, page.get_by_role("button", name="Agree with them"))
    keys.press("Enter")
    expect(page.locator("h1")).to_have_text("One decision on 2 answers")
    tab_to(page, page.get_by_role("button", name="Decide 2 answers"))
    keys.press("Enter")
    expect(page.locator("#act .tiles")).to_contain_text("2decided")
    assert ReviewItem.objects.filter(state="confirmed").count() == 2

    page.wait_for_load_state()
    keys.press("z")
    expect(page.locator("#act h2").first).to_have_text("Undone")
    assert ReviewItem.objects.filter(state="open").count() == 2
    assert Act.objects.get().state == "undone"

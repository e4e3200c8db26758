"""The list by keyboard: the panel beside it, what stays, and what it hears of."""

import pytest
from playwright.sync_api import expect

from tests.review.conftest import send
from verifyhub.review.models import ReviewItem

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WIDE = {"width": 1280, "height": 800}


def test_answers_are_gone_through_and_decided_beside_the_list(visit, answers):
    page = visit(viewport=WIDE).page
    keys, beside = page.keyboard, page.locator("#peek")
    page.wait_for_load_state()

    keys.press("j")
    keys.press("p")
    expect(beside.locator("#evidence")).to_contain_text("apply_discount()")
    keys.press("j")
    expect(beside.locator("#evidence")).to_contain_text("shop/discounts.py")
    keys.press("ArrowDown")
    expect(beside).to_contain_text("And the tax?")
    keys.press("ArrowUp")
    expect(beside.locator("#evidence")).to_contain_text("apply_discount()")
    for key in ("v", "1", "Enter"):
        keys.press(key)
    expect(beside).to_contain_text("Name marked as verified")
    keys.press("a")
    expect(beside).to_contain_text("And the tax?")
    expect(page.locator(".q-row--done")).to_have_count(1)
    expect(page.locator("#toasts")).to_contain_text("You agree")
    keys.press("Escape")

    expect(beside).to_be_hidden()
    expect(page.locator(".q-row[aria-current] .queue-task")).to_be_focused()
    assert page.url.count("/answers/") == 0
    assert ReviewItem.objects.filter(state="confirmed").count() == 1
    assert not ReviewItem.objects.filter(lease_token__isnull=False).exists()


def test_rows_have_one_line_and_the_bulk_bar_stays(visit, people):
    for number in range(14):
        send(people, task=f"Question {number}: {'which module parses dates? ' * 9}")
    page = visit(viewport=WIDE).page

    heights = (
        "[...document.querySelectorAll('.q-row')].map(r => Math.round(r.offsetHeight))"
    )
    assert set(page.evaluate(heights)) <= {44, 45}
    page.locator(".q-tick [name=item]").first.check()
    expect(page.locator("#ticked")).to_have_text("1")
    expect(page.locator(".q-bulk")).to_be_in_viewport()
    page.locator("#tick-all").check()
    expect(page.locator("#ticked")).to_have_text("14")


def test_the_queue_hears_of_new_answers_while_somebody_looks(visit, people):
    send(people)
    page = visit(viewport=WIDE).page
    expect(page.locator(".q-row")).to_have_count(1)
    page.wait_for_load_state()

    send(people, task="And the tax?", answer="In `add_tax()` of `shop/levy.py`.")

    expect(page.locator("#queue-news")).to_contain_text("1 new or moved up")
    expect(page.locator(".q-row")).to_have_count(1)

"""A sitting at the queue by keyboard alone: each decision leads to the next answer."""

import pytest
from playwright.sync_api import expect

from tests.review.conftest import send
from verifyhub.accounts.models import User
from verifyhub.review.models import Act, ReviewItem

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("count", [8, pytest.param(50, marks=pytest.mark.deep)])
def test_a_sitting_is_decided_by_keyboard_alone(visit, people, count):
    User.objects.update(moves_on=True)
    for number in range(count):
        send(people, task=f"Question {number}?", answer=f"In `part_{number}()`.")
    page = visit(viewport={"width": 1280, "height": 800}).page
    page.wait_for_load_state()
    keys, seen, ahead = page.keyboard, [], []
    page.on("response", lambda reply: ahead.append(reply.headers.get("x-ahead")))

    keys.press("n")
    for number in range(count):
        page.wait_for_selector("#agree:enabled")
        seen.append(page.locator("#answer-page").get_attribute("data-answer"))
        assert page.evaluate("scrollY") == 0
        if number < count - 1:
            page.wait_for_selector("#answer-page[data-fetched]")
        # Every fourth one is wrong: override, a reason by its number, save.
        for key in ("o", "Tab", "1", "Enter") if number % 4 == 3 else ("a",):
            keys.press(key)
        expect(page.locator(f"#answer-page[data-answer='{seen[-1]}']")).to_have_count(0)
        if number == count // 2:
            # Taken back once, and decided anew.
            page.locator("#toasts").get_by_role("button", name="Undo").click()
            page.wait_for_selector(f"#answer-page[data-answer='{seen[-1]}']")
            page.wait_for_load_state()
            keys.press("a")
            expect(
                page.locator(f"#answer-page[data-answer='{seen[-1]}']")
            ).to_have_count(0)

    expect(page.locator("#queue-table")).to_contain_text("All done")
    assert len(set(seen)) == count
    # What had been fetched was shown: but for the first, and after what was taken back.
    assert len(set(ahead) - {None}) >= count - 3
    assert not ReviewItem.objects.filter(state="open").exists()
    assert Act.objects.filter(undone_at=None).count() == count


@pytest.fixture
def held(visit, people):
    """The first of three answers, agreed with, while the server's answer is held."""
    User.objects.update(moves_on=True)
    for number in range(3):
        send(people, task=f"Question {number}?", answer=f"In `part_{number}()`.")
    visitor = visit(viewport={"width": 1280, "height": 800})
    page, sent = visitor.page, []
    page.route("**/agree/", lambda route: sent.append(route), times=1)
    page.keyboard.press("n")
    page.wait_for_selector("#answer-page[data-fetched]")
    page.keyboard.press("a")
    expect(page.locator("#answer-page[inert] h1")).to_have_text("Question 1?")
    expect(page.locator("h1", has_text="Question 0?")).to_be_hidden()
    return visitor, sent


def test_the_next_answer_is_shown_at_once_and_keys_wait_for_the_server(held):
    visitor, sent = held
    page = visitor.page

    page.keyboard.press("a")
    sent.pop(0).continue_()

    expect(page.locator("#answer-page:not([inert]) h1")).to_have_text("Question 2?")
    assert ReviewItem.objects.filter(state="open").count() == 1


def test_what_was_shown_ahead_goes_where_the_server_refuses(held):
    visitor, sent = held
    page = visitor.page
    ReviewItem.objects.update(version=7)

    page.keyboard.press("a")
    sent.pop(0).continue_()

    expect(page.locator("#answer-page:not([inert]) h1")).to_have_text("Question 0?")
    expect(page.locator("main")).to_contain_text("Someone else changed this answer")
    expect(page.locator("#agree")).to_be_enabled()
    assert not Act.objects.exists()


def test_what_was_shown_ahead_goes_where_the_server_cannot_be_reached(held):
    visitor, sent = held
    page = visitor.page

    sent.pop(0).abort()

    expect(page.locator("#answer-page:not([inert]) h1")).to_have_text("Question 0?")
    expect(page.locator("#toasts [role=alert]")).to_contain_text("cannot be reached")
    # What htmx and the browser say of it.
    visitor.complaints.clear()

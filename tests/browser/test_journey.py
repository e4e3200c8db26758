"""A reviewer's way: from signing in to undo, by keyboard, and without JavaScript."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.keyboard import open_next
from tests.review.conftest import GREP, send
from verifyhub.review.models import Override, ReviewItem
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_judging_by_keyboard_alone(visit, answers):
    page = visit(types=True).page
    keys = page.keyboard

    open_next(page)
    expect(page.locator("#evidence")).to_contain_text("apply_discount()")
    keys.press("j")
    expect(page.locator("#evidence")).to_contain_text("shop/discounts.py")
    keys.press("v")
    keys.type("It exists, I looked")
    keys.press("Enter")
    expect(page.locator("#flash")).to_contain_text("Name marked as verified")
    expect(page.locator("#decisions")).to_contain_text("What this changed")
    keys.press("o")
    keys.press("Tab")
    keys.type("Both names are right")
    keys.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("Person")
    keys.press("z")
    expect(page.locator("#flash")).to_contain_text("Undone")
    keys.press("a")
    expect(page.locator("#flash")).to_contain_text("You agree")
    keys.press("n")
    expect(page.locator("h1")).to_contain_text("And the tax?")

    assert ReviewItem.objects.filter(state="confirmed").count() == 1
    standing = Override.objects.filter(undone_at=None)
    assert sorted(made.target for made in standing) == ["agreement", "mention"]


# Requests for the evidence of a name. They are intercepted before the page is opened:
# the browser may let through what follows at once.
OF_A_NAME = re.compile(r"[?&]mention=")


def test_a_name_is_selected_once_its_evidence_is_there(visit, answers):
    visitor = visit()
    page, keys = visitor.page, visitor.page.keyboard
    page.route(OF_A_NAME, lambda route: route.fulfill(status=500))
    open_next(page)
    selected = page.locator(".answer [aria-current]").first
    expect(selected).to_contain_text("apply_discount()")

    keys.press("j")
    failure = page.get_by_role("alert")
    expect(failure).to_contain_text("500")
    expect(selected).to_contain_text("apply_discount()")
    expect(page.locator("#evidence")).to_contain_text("apply_discount()")

    # The browser logs the failure that was asked for.
    visitor.complaints.clear()
    page.unroute(OF_A_NAME)
    failure.get_by_role("button", name="Retry").click()
    expect(selected).to_contain_text("shop/discounts.py")
    expect(page.locator("#evidence")).to_contain_text("shop/discounts.py")


def test_a_verdict_on_a_name_waits_for_its_form(visit, answers):
    page = visit().page
    keys = page.keyboard
    held = []
    page.route(OF_A_NAME, lambda route: held.append(route))
    open_next(page)
    expect(page.locator("#evidence")).to_contain_text("apply_discount()")

    keys.press("j")
    keys.press("v")
    expect(page.locator("#evidence [name=reason]")).not_to_be_focused()
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()

    expect(page.locator("#evidence")).to_contain_text("shop/discounts.py")
    expect(page.locator("#evidence [name=reason]")).to_be_focused()


def test_what_is_judged_stays_in_view_and_the_next_flag_is_selected(visit, answers):
    page = visit(viewport={"width": 1280, "height": 800}).page
    keys = page.keyboard
    open_next(page)
    page.wait_for_selector("#agree")
    top = "document.getElementById('answer-text').getBoundingClientRect().top"
    begins = page.evaluate(top)
    selected = page.locator(".answer [aria-current]").first
    expect(selected).to_contain_text("apply_discount()")
    expect(page.locator("#decision-bar")).to_contain_text("2 of 4 names supported")

    keys.press("o")
    expect(page.locator("#override-verdict")).to_be_focused()
    keys.press("Escape")
    expect(page.locator("#override-verdict")).to_be_hidden()
    for name in ("shop/discounts.py", ""):
        for key in ("v", "1", "Enter"):
            keys.press(key)
        if name:
            expect(selected).to_contain_text(name)
    expect(page.locator("#agree")).to_be_focused()
    expect(page.locator("#decision-bar")).to_contain_text("4 of 4 names supported")

    assert begins < 200
    assert page.evaluate(top) == begins


def test_a_phone_shows_evidence_over_the_answer(visit, answers):
    page = visit(viewport={"width": 390, "height": 844}).page
    page.goto(page.url.replace("/review/", "/review/next/"))
    expect(page.locator("#evidence")).to_be_hidden()

    page.locator(".answer a", has_text="shop/discounts.py").first.click()

    expect(page.locator("#evidence")).to_be_in_viewport()
    expect(page.locator("#agree")).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
    page.locator("#evidence").get_by_role("button", name="Close").click()
    expect(page.locator("#evidence")).to_be_hidden()


def test_keys_work_in_a_russian_layout(visit, answers):
    page = visit().page
    open_next(page)
    page.wait_for_selector("#agree")

    # The key that writes an "a" in a Latin layout, and "ф" in a Russian one.
    page.evaluate(
        """document.body.dispatchEvent(new KeyboardEvent(
          "keydown", {key: "ф", code: "KeyA", bubbles: true}))"""
    )

    expect(page.locator("#flash")).to_contain_text("You agree")


def test_ctrl_k_goes_to_pages_and_answers(visit, answers):
    page = visit().page
    page.keyboard.press("Control+k")
    page.keyboard.type("prompt prev")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Prompt preview")
    page.wait_for_load_state()

    page.keyboard.press("Control+k")
    expect(page.locator("#palette-text")).to_be_focused()
    page.keyboard.type("tax?")
    expect(page.locator("#palette-more")).to_contain_text("And the tax?")
    page.keyboard.press("Enter")

    expect(page.locator("h1")).to_contain_text("And the tax?")


def test_the_key_sheet_opens_and_closes(visit, answers):
    page = visit().page
    open_next(page)
    page.wait_for_selector("#evidence")

    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")

    expect(page.locator("#keys")).to_be_hidden()


def test_keys_are_letters_while_typing(visit, answers):
    page = visit().page

    page.locator("#id_text").press_sequentially("tax and names")

    expect(page.locator("#queue-table")).to_contain_text("Nothing matches")
    assert page.url.count("/review/") == 1


def test_judging_without_javascript(visit, answers):
    page = visit(types=True, java_script_enabled=False).page

    page.get_by_role("link", name="Review next").click()
    page.locator(".answer a", has_text="shop/discounts.py").first.click()
    expect(page.locator("#evidence")).to_contain_text("shop/discounts.py")
    page.locator("#flip-reason").fill("I looked")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#decisions")).to_contain_text("What this changed")
    page.locator("#override summary").click()
    page.locator("#override-reason").fill("Both names are right")
    page.get_by_role("button", name="Override verdict").click()
    expect(page.locator(".verdict")).to_contain_text("Person")
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("#flash")).to_contain_text("Undone")
    page.get_by_role("button", name="Agree").click()
    expect(page.locator(".verdict")).to_contain_text("confirmed, admin")
    page.get_by_role("button", name="Sign out").or_(
        page.locator("summary", has_text="admin")
    ).first.click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("h1")).to_have_text("Sign in")


def test_a_stale_page_is_told_and_refreshed(visit, answers):
    first, second = visit().page, visit().page
    for page in (first, second):
        open_next(page)
        page.wait_for_selector("#agree")

    first.keyboard.press("a")
    expect(first.locator("#flash")).to_contain_text("You agree")
    second.keyboard.press("a")

    expect(second.locator("#flash")).to_contain_text("Someone else changed")
    expect(second.locator(".verdict")).to_contain_text("confirmed, admin")


def test_the_chosen_theme_is_kept(visit, answers):
    page = visit(color_scheme="light").page

    page.locator("summary", has_text="admin").click()
    page.get_by_role("button", name="Light or dark").click()
    page.reload()

    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_long_output_is_loaded_when_asked_for(visit, people):
    send(people, tool_calls=[GREP, GREP | {"output": "x" * 2000 + " the end"}])
    page = visit().page
    open_next(page)

    page.locator(".timeline summary").nth(1).click()
    page.get_by_role("link", name="Show all").click()

    expect(page.locator("#call-1-text")).to_contain_text("the end")


def test_a_link_to_a_call_unfolds_it_once_the_calls_are_there(visit, people):
    answer = send(people, tool_calls=[GREP, GREP | {"output": "the second output"}])
    visitor = visit()

    visitor.open(f"/p/acme/answers/{answer.id}/#call-1")

    expect(visitor.page.get_by_text("the second output")).to_be_visible()


def test_a_new_verdict_appears_by_itself_and_asking_stops(visit, answers):
    page = visit().page
    open_next(page)
    page.locator("#more summary").click()
    page.get_by_role("button", name="Verify again").click()
    expect(page.locator("#waiting")).to_contain_text("Verifying again")

    run_verification(verification_id=Verification.objects.get(state="pending").id)

    expect(page.locator("#waiting")).to_have_count(0)
    expect(page.locator("#answer-page")).to_contain_text("Machine")


def test_an_ended_session_leads_to_the_sign_in_page_and_back(visit, answers):
    page = visit().page
    open_next(page)
    page.wait_for_selector("#evidence")
    page.context.clear_cookies()

    page.keyboard.press("j")

    expect(page.locator("h1")).to_have_text("Sign in")
    assert "next=/p/acme/answers/" in page.url

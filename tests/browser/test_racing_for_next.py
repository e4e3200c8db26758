"""Two reviewers press the key for the next answer at one moment."""

import re

import pytest
from playwright.sync_api import expect

from tests.review.conftest import send
from verifyhub.accounts.models import Role
from verifyhub.review.models import ReviewItem

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def press_next(*pages):
    """Press the key in all of them before any has its answer."""
    for page in pages:
        page.keyboard.press("n")


def holders():
    return dict(
        ReviewItem.objects.exclude(lease_holder=None).values_list(
            "lease_holder__username", "interaction__task"
        )
    )


def test_each_of_two_browsers_gets_another_answer(desk, answers):
    ana, ben = desk("ana", Role.REVIEWER).page, desk("ben", Role.REVIEWER).page

    press_next(ana, ben)
    for page in (ana, ben):
        expect(page.locator("#agree")).to_be_visible()

    shown = {
        "ana": ana.locator("h1").inner_text(),
        "ben": ben.locator("h1").inner_text(),
    }
    assert shown["ana"] != shown["ben"]
    assert holders() == shown


def test_the_only_answer_goes_to_one_and_the_other_is_told(desk, people):
    send(people)
    ana, ben = desk("ana", Role.REVIEWER).page, desk("ben", Role.REVIEWER).page

    press_next(ana, ben)
    # While the other's lease is being written, nobody holds it yet that could be named.
    told = re.compile(
        "Other reviewers have claimed what is open here|There are no open items for you"
    )
    for page in (ana, ben):
        expect(page.locator("#agree").or_(page.get_by_text(told))).to_be_visible()
        page.wait_for_load_state()

    got = [page for page in (ana, ben) if page.locator("#agree").count()]
    assert len(got) == 1
    got[0].keyboard.press("a")
    expect(got[0].locator("#flash")).to_contain_text("You agree")
    assert ReviewItem.objects.get().state == "confirmed"

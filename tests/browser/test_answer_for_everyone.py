"""The answer page by ear, and on paper."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Furnished
from tests.pages import url_of

# Reading alone: what the fixture made stays for the next test.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]

HEARD = (
    "- banner:",
    "- navigation",
    "- main:",
    "- heading",
    "- region",
    "- complementary",
    "- contentinfo:",
)
# What scrolls inside itself hides its rest on paper.
CUT_OFF = """[...document.querySelectorAll("main *")].filter((one) =>
  one.checkVisibility() && one.scrollHeight > one.clientHeight + 2
  && ["auto", "scroll", "hidden"].includes(getComputedStyle(one).overflowY)
  && !one.matches(".sr, .sr *")).map((one) => one.outerHTML.slice(0, 120))"""


def test_the_page_is_heard_in_the_order_of_judging(furnished: Furnished) -> None:
    page = furnished.visitor().open(url_of("review:answer-detail", furnished.ids))

    lines = [line.strip() for line in page.locator("body").aria_snapshot().splitlines()]

    heard = [line for line in lines if line.startswith(HEARD)]
    wanted = (
        "banner",
        "main",
        "[level=1]",
        'region "Verdict"',
        'region "Answer"',
        'region "Tool calls',
        "complementary",
        'region "Evidence"',
        'region "Names and claims"',
        "contentinfo",
    )
    places = [
        next((at for at, line in enumerate(heard) if word in line), -1)
        for word in wanted
    ]
    assert -1 not in places, heard
    assert places == sorted(places), heard
    # A mark's status is heard with its name, not told by colour alone.
    mark = page.get_by_role("link", name="shop/discounts.py (unverified)").first
    expect(mark).to_be_visible()


def test_on_paper_stand_the_answer_and_its_evidence_alone(furnished: Furnished) -> None:
    page = furnished.visitor(color_scheme="dark").open(
        url_of("review:answer-detail", furnished.ids) + "?mention=0"
    )

    page.emulate_media(media="print")

    assert page.locator("#answer-text").is_visible()
    assert page.locator("#evidence").is_visible()
    pressed = page.locator("button:visible, input:visible, select:visible, nav:visible")
    assert pressed.count() == 0
    assert page.locator(".top").is_hidden()
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == (
        "light"
    )

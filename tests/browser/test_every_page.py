"""Every page: nothing for axe, sound headings, one direction of scrolling, no XSS.

`tests/pages.py` lists the pages; a page without a row there fails here. All cases look
at one project, whose first answer is hostile and long (`conftest.worst_answer`).
"""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.conftest import DESKTOP, UNFOLD, Furnished, Visitor
from tests.pages import OUTSIDE, PAGES, asks_for, names, url_of, ways

# Reading alone: what the fixture made stays for the next test.
pytestmark = [pytest.mark.browser, pytest.mark.django_db]

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FAILED = {"resultTypes": ["violations"]}
EVERYTHING = {"runOnly": WCAG, "rules": {"target-size": {"enabled": True}}, **FAILED}
# All that a theme can change.
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"], **FAILED}
RUN_AXE = """async (options) => {
  // Swagger UI is not ours to mend; it hides no page of people (ADR 0034).
  const found = await axe.run({exclude: ["#swagger-ui"]}, options);
  return found.violations.map((one) =>
    [one.id, one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))]);
}"""
STATUS = "performance.getEntriesByType('navigation')[0].responseStatus"
HEADINGS = """[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')]
  .filter(one => one.checkVisibility()).map(one => Number(one.tagName[1]))"""
# What sticks out at the right, to be named in the failure.
SIDEWAYS = """() => {
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= room) return [];
  return [...document.querySelectorAll("main *")]
    .filter((one) => one.getBoundingClientRect().right > room + 1)
    .map((one) => one.outerHTML.slice(0, 160)).slice(0, 3).concat("sideways");
}"""
# WCAG 2.2, 1.4.10: what a page at 1280 px becomes at a zoom of 400 percent.
NARROW = {"width": 320, "height": 640}
MAIN = (
    "review:queue",
    "review:answer-detail",
    "memory:browser",
    "metrics:dashboard",
    "review:run-list",
)

# A tab or a view is a page of its own; another filter of one is looked at in the deep
# layer.
PAGE = re.compile(r"(tab|view|by|mention|form|raw)\b")
FIRST = {(name, queries[0]) for name, queries in PAGES.items()}
each_way = pytest.mark.parametrize(
    ("name", "query"),
    [
        pytest.param(
            *way, marks=[] if way in FIRST or PAGE.search(way[1]) else pytest.mark.deep
        )
        for way in ways()
    ],
    ids=lambda text: text.replace("?", "") or "plain",
)


@pytest.fixture
def visitor(furnished: Furnished) -> Iterator[Visitor]:
    """The browser of most cases; whatever a page ran or asked for fails the case."""
    yield (one := furnished.visitor())
    assert one.complaints == []


def test_every_page_has_a_row(furnished: Furnished) -> None:
    others = [name for name in names() if name not in PAGES.keys() | OUTSIDE.keys()]

    seen = {name: furnished.client.get(url_of(name, furnished.ids)) for name in others}

    pages = {
        name for name, reply in seen.items() if b'<main id="main"' in reply.getvalue()
    }
    lost = {name for name, reply in seen.items() if reply.status_code == 404}
    # They are files, and named by what is asked for; a provider is set up nowhere here;
    # what is fetched ahead is named by the item that comes next.
    files = {"metrics:plot", "exports:download", "exports:file", "review:queue-ahead"}
    assert lost == files | {"accounts:oidc", "accounts:oidc-callback"}
    assert pages == lost


@each_way
def test_every_page_is_sound_and_readable_at_a_zoom_of_400_percent(
    furnished: Furnished, visitor: Visitor, name: str, query: str
) -> None:
    page = visitor.open(url_of(name, furnished.ids) + query)
    assert page.evaluate(STATUS) == 200
    if name == "api-docs":
        # Drawn by a script.
        page.locator(".opblock").first.wait_for()
    page.evaluate(UNFOLD)

    page.emulate_media(color_scheme="light")
    assert _violations(page, EVERYTHING) == []
    if name != "api-docs":
        # Swagger UI makes its own, when it is drawn.
        assert _skipped(page.evaluate(HEADINGS)) == []
    page.set_viewport_size(NARROW)
    assert page.evaluate(SIDEWAYS) == []
    page.set_viewport_size(DESKTOP)
    if name == "api-docs":
        _shows_operations(page)


# In `make test` the main pages are looked at in Russian and dark.
@pytest.mark.deep
@each_way
def test_every_page_has_readable_colours_in_the_dark_theme(
    furnished: Furnished, visitor: Visitor, name: str, query: str
) -> None:
    page = visitor.open(url_of(name, furnished.ids) + query)
    page.evaluate(UNFOLD)

    page.emulate_media(color_scheme="dark")
    assert _violations(page, COLOURS) == []


@pytest.mark.parametrize("name", MAIN)
def test_axe_finds_nothing_in_russian_and_dark(furnished: Furnished, name: str) -> None:
    visitor = furnished.visitor(locale="ru-RU", color_scheme="dark")

    page = visitor.open(url_of(name, furnished.ids))
    page.evaluate(UNFOLD)

    assert page.locator("html").get_attribute("lang") == "ru"
    assert _violations(page, EVERYTHING) == []


# What an empty project shows is asked for without a browser in `make test`, too.
@pytest.mark.deep
@pytest.mark.parametrize("name", [name for name in PAGES if asks_for(name) == {"slug"}])
def test_pages_of_empty_projects_are_sound(
    furnished: Furnished, visitor: Visitor, name: str
) -> None:
    page = visitor.open(url_of(name, {"slug": furnished.empty}))

    page.emulate_media(color_scheme="light")
    assert _violations(page, EVERYTHING) == []
    assert _skipped(page.evaluate(HEADINGS)) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/accounts/login/", "/nowhere/"])
def test_axe_finds_nothing_before_signing_in(
    furnished: Furnished, path: str, scheme: str
) -> None:
    visitor = furnished.visitor(signed_in=False, color_scheme=scheme, viewport=NARROW)

    page = visitor.open(path)

    assert _violations(page, EVERYTHING) == []
    assert page.evaluate(SIDEWAYS) == []


def _shows_operations(page: Page) -> None:
    page.locator(".opblock-post").first.click()
    page.get_by_text("Idempotency-Key", exact=True).first.wait_for()
    assert page.locator(".opblock-tag").first.inner_text().startswith("interactions")


def _violations(page: Page, options: dict[str, Any]) -> list[Any]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found: list[Any] = page.evaluate(RUN_AXE, options)
    return found


def _skipped(levels: list[int]) -> list[int]:
    """The levels of a page's headings if they do not go down one by one."""
    is_sound = levels.count(1) == 1 and levels[0] == 1
    steps = pairwise(levels)
    is_sound = is_sound and all(below <= above + 1 for above, below in steps)
    return [] if is_sound else levels

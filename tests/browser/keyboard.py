"""Keys that lead to a page of their own."""

from playwright.sync_api import Page


def open_next(page: Page) -> None:
    """Ask the queue for the next answer, and wait until its scripts take keys."""
    with page.expect_navigation():
        page.keyboard.press("n")

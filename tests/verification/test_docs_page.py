"""The page of the API's description, in a real browser under the site's policy."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine"),
]


def test_the_page_shows_the_operations_and_breaks_no_policy(live_server):
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{live_server.url}/api/docs/")
        page.locator(".opblock-post").first.click()
        page.get_by_text("Idempotency-Key", exact=True).first.wait_for()
        first = page.locator(".opblock-tag").first.inner_text()
        browser.close()

    assert complaints == []
    assert first.startswith("interactions")

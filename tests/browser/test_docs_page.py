"""The page of the API's description, under the site's policy."""

import pytest

pytestmark = pytest.mark.browser


def test_the_page_shows_the_operations_and_breaks_no_policy(visit):
    page = visit().open("/api/docs/")
    page.locator(".opblock-post").first.click()

    page.get_by_text("Idempotency-Key", exact=True).first.wait_for()

    assert page.locator(".opblock-tag").first.inner_text().startswith("interactions")

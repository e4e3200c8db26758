"""What a page may not do is reported to its server, and fails a browser test."""

import pytest

from tests.browser.conftest import PATIENCE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
INLINE = """() => {
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.body.append(script);
}"""


def test_a_script_in_a_page_does_not_run_and_is_reported(visit, people):
    visitor = visit()

    with visitor.page.expect_request("**/csp-reports/", timeout=PATIENCE) as sent:
        visitor.page.evaluate(INLINE)

    assert '"blocked-uri":"inline"' in sent.value.post_data
    assert visitor.page.evaluate("window.ran") is None
    reports = [text for text in visitor.complaints if text.startswith("CSP report")]
    assert len(reports) == 1
    visitor.complaints.clear()

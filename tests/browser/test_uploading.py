"""A transcript is uploaded, looked at and verified, also without JavaScript."""

import pytest
from playwright.sync_api import expect

from tests.ingest.transcripts import ANSWERED, as_lines, claude_code_lines
from verifyhub.verification.models import Verification

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scripts", [True, False])
def test_from_a_file_to_answers_that_are_verified(visit, people, scripts):
    visitor = visit(java_script_enabled=scripts)
    page = visitor.open("/p/acme/answers/")
    page.get_by_role("link", name="Upload a transcript").first.click()
    page.get_by_label("File", exact=True).set_input_files(
        {
            "name": "session.jsonl",
            "mimeType": "application/x-ndjson",
            "buffer": as_lines(claude_code_lines()),
        }
    )

    page.get_by_role("button", name="Preview").click()

    understood = page.get_by_role("region", name="Understood", exact=True)
    file = page.get_by_role("region", name="The file", exact=True)
    expect(understood.get_by_text(ANSWERED[0])).to_be_visible()
    page.wait_for_load_state()
    left, right = understood.bounding_box(), file.bounding_box()
    assert left["x"] + left["width"] <= right["x"]
    page.set_viewport_size({"width": 390, "height": 844})
    left, right = understood.bounding_box(), file.bounding_box()
    assert left["x"] == right["x"]
    assert left["y"] + left["height"] <= right["y"]

    page.get_by_role("button", name="Verify these 2 answers").click()

    page.get_by_text("2 answers are being verified.").wait_for()
    assert Verification.objects.count() == 2

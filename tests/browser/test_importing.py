"""A file of answers is uploaded, and its page follows how far it is read."""

import json

import pytest
from playwright.sync_api import expect

from tests.ingest.runs import a_run
from verifyhub.ingest.bulk_reading import read_bulk
from verifyhub.ingest.models import Bulk

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_page_of_an_upload_follows_it_to_its_end(visit):
    runs = [a_run(id="run-1"), a_run(id="run-2", answer=5)]
    page = visit().open("/p/acme/bulk/")
    page.get_by_label("File", exact=True).set_input_files(
        {
            "name": "runs.jsonl",
            "mimeType": "application/jsonl",
            "buffer": "\n".join(json.dumps(run) for run in runs).encode(),
        }
    )
    page.get_by_role("button", name="Upload and verify").click()
    expect(page.get_by_label("Share of the file read so far")).to_be_visible()

    assert read_bulk(bulk_id=Bulk.objects.get().id)

    # Without a click: the page asks for itself until the file is read.
    refused = page.get_by_role("region", name="Rejected lines")
    expect(refused).to_contain_text("answer")
    expect(page.get_by_label("Share of the file read so far")).to_have_count(0)
    expect(page.locator("#bulk")).not_to_have_attribute("hx-trigger", "every 2s")

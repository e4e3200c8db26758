"""Files that are uploaded on a page and read by a worker, a while at a time."""

import gzip
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests.ingest.runs import a_run
from verifyhub.ingest import bulk_reading, bulk_services
from verifyhub.ingest.bulk_reading import read_bulk
from verifyhub.ingest.models import Bulk, BulkPart, Interaction
from verifyhub.verification.services import backlog


def data_of(*runs) -> bytes:
    return b"".join(json.dumps(run).encode() + b"\n" for run in runs)


@pytest.fixture
def upload(browse, project, reviewer):
    """Upload a file; return the reply and the bulk it became."""

    def sent(data: bytes, name: str = "runs.jsonl", user=reviewer):
        url = reverse("ingest:bulk-upload", args=[project.slug])
        file = SimpleUploadedFile(name, data)
        reply = browse(user).post(url, {"file": file, "format": "auto"})
        return reply, Bulk.objects.order_by("-created_at").first()

    return sent


def test_a_file_is_read_in_the_background_and_the_page_says_how_far(
    upload, browse, project, viewer
):
    data = data_of(a_run(id="run-1"), a_run(id="run-2"), {"task": "<b>"})

    reply, bulk = upload(data)
    page = browse(viewer).get(reply.url)
    assert bulk.state == "pending"
    assert b'hx-trigger="every 2s"' in page.content
    assert read_bulk(bulk_id=bulk.id)

    bulk.refresh_from_db()
    assert [bulk.state, bulk.line, bulk.created_count] == ["finished", 3, 2]
    assert not BulkPart.objects.exists()
    page = browse(viewer).get(reply.url).content.decode()
    assert "every 2s" not in page
    assert "answer" in page
    table = browse(viewer).get(
        reverse("ingest:bulk-refusals", args=[project.slug, bulk.id, "csv"])
    )
    assert b"".join(table.streaming_content).count(b"\r\n") == 2


def test_a_packed_file_in_many_pieces_is_one_stream(upload, monkeypatch):
    monkeypatch.setattr(bulk_reading, "PART_BYTES", 50)
    runs = [a_run(id=str(n), answer=f"{n} " * 40) for n in range(8)]

    _, bulk = upload(gzip.compress(data_of(*runs)), "runs.jsonl.gz")
    assert BulkPart.objects.count() > 3
    read_bulk(bulk_id=bulk.id)

    assert Interaction.objects.count() == 8


def test_a_worker_goes_on_where_the_last_one_stopped(upload, monkeypatch):
    monkeypatch.setattr(bulk_services, "BATCH_LINES", 2)
    monkeypatch.setattr(bulk_reading, "TURN_SECONDS", 0)
    _, bulk = upload(data_of(*(a_run(id=str(n)) for n in range(5))))

    lines = []
    while not read_bulk(bulk_id=bulk.id):
        Bulk.objects.update(next_at=None)
        bulk.refresh_from_db()
        lines.append(bulk.line)

    bulk.refresh_from_db()
    assert lines == [2, 4, 5]
    assert [bulk.state, bulk.created_count, bulk.attempts] == ["finished", 5, 1]


def test_without_room_the_file_waits_and_nothing_is_lost(upload, settings, monkeypatch):
    monkeypatch.setattr(bulk_services, "BATCH_LINES", 2)
    settings.MAX_WAITING_ANSWERS = 1
    _, bulk = upload(data_of(*(a_run(id=str(n)) for n in range(4))))

    read_bulk(bulk_id=bulk.id)
    bulk.refresh_from_db()
    assert [bulk.state, bulk.line] == ["pending", 2]
    assert bulk.next_at
    settings.MAX_WAITING_ANSWERS = 100
    monkeypatch.setattr(backlog, "GOOD_FOR_SECONDS", 0)
    Bulk.objects.update(next_at=None)

    assert read_bulk(bulk_id=bulk.id)
    assert Interaction.objects.count() == 4


def test_a_file_that_breaks_off_keeps_what_was_whole(upload):
    _, bulk = upload(gzip.compress(data_of(*(a_run(id=str(n)) for n in range(3))))[:-9])

    read_bulk(bulk_id=bulk.id)

    bulk.refresh_from_db()
    assert bulk.state == "broken"
    assert bulk.error


def test_a_file_can_be_stopped_by_who_may_upload(
    upload, browse, project, viewer, reviewer
):
    _, bulk = upload(data_of(a_run(id="run-1")))
    url = reverse("ingest:bulk-cancel", args=[project.slug, bulk.id])

    assert browse(viewer).post(url).status_code == 403
    browse(reviewer).post(url)

    bulk.refresh_from_db()
    assert bulk.state == "cancelled"
    assert not read_bulk(bulk_id=bulk.id)
    assert not Interaction.objects.exists()


def test_who_may_not_judge_may_not_upload(upload, viewer, outsider):
    refused, _ = upload(data_of(a_run()), user=viewer)
    unknown, _ = upload(data_of(a_run()), user=outsider)

    assert [refused.status_code, unknown.status_code] == [403, 404]
    assert not Bulk.objects.exists()


def test_an_empty_or_too_large_file_is_refused_on_the_page(upload, settings):
    settings.MAX_UPLOAD_BYTES = 10

    assert upload(b"")[0].status_code == 422
    assert upload(b"x" * 11)[0].status_code == 422
    assert not Bulk.objects.exists()

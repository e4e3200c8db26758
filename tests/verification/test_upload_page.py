"""A person uploads a transcript, looks at what was understood, and has it verified."""

import json
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.conftest import member
from tests.factories import MembershipFactory, ProjectFactory
from tests.ingest.transcripts import (
    ANSWERED,
    as_document,
    as_lines,
    claude_code_lines,
    openai_messages,
)
from verifyhub.accounts.models import Role
from verifyhub.audit.models import AuditEvent
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import TranscriptUpload, Verification
from verifyhub.verification.services import UPLOAD_RETENTION

pytestmark = pytest.mark.django_db
UPLOAD = "/p/acme/upload/"


def send(client, data, **more):
    file = SimpleUploadedFile("session.jsonl", data)
    return client.post(UPLOAD, {"file": file, "format": "auto", **more})


@pytest.fixture
def preview(reviewer, project, browse):
    """Upload a transcript; gives the client and where its preview is."""

    def uploaded(data):
        client = browse(reviewer)
        return client, send(client, data).headers["Location"]

    return uploaded


def test_what_was_understood_stands_beside_the_file(preview):
    client, where = preview(as_lines(claude_code_lines()))

    page = client.get(where).content.decode()

    assert "read as claude_code" in page
    assert "Verify these 2 answers" in page
    assert "Verify all but the last: 1" in page
    assert all(answer in page for answer in ANSWERED)
    assert 'id="line-1"' in page
    assert "file-history-snapshot" in page
    assert "#line-1" in page
    assert not Interaction.objects.exists()


def test_verifying_stores_the_answers_and_forgets_the_file(preview, project, reviewer):
    client, where = preview(as_lines(claude_code_lines()))

    reply = client.post(where, {"final": "1"}, follow=True)

    assert reply.redirect_chain[0][0] == "/p/acme/answers/"
    assert "2 answers are being verified." in reply.content.decode()
    assert Verification.objects.filter(project=project, state="pending").count() == 2
    assert not TranscriptUpload.objects.exists()
    event = AuditEvent.objects.get(action="verification.transcript_uploaded")
    assert event.after["answers"] == 2
    assert client.get(where).status_code == 404


def test_the_last_answer_can_be_left_out_and_comes_with_the_next_upload(preview):
    client, where = preview(as_lines(claude_code_lines()))

    reply = client.post(where, {"final": "0"})

    only = Interaction.objects.get()
    assert reply.headers["Location"] == f"/p/acme/answers/{only.id}/"
    client, where = preview(as_lines(claude_code_lines()))
    page = client.get(where).content.decode()
    assert "Verify this answer" in page
    assert "1 answer is here already" in page


def test_pasted_text_is_read_too(reviewer, project, browse):
    client = browse(reviewer)
    text = json.dumps(openai_messages())

    reply = client.post(UPLOAD, {"text": text, "format": "openai_chat"}, follow=True)

    page = reply.content.decode()
    assert "read as openai_chat" in page
    assert "Formatted for reading" in page
    assert "Verify all but" not in page


def test_a_file_that_is_known_already_offers_nothing(preview):
    client, where = preview(as_document(openai_messages()))
    client.post(where, {"final": "1"})

    client, where = preview(as_document(openai_messages()))

    page = client.get(where).content.decode()
    assert "All of its answers are stored already." in page


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ({"format": "auto"}, "Choose a file, or paste its text."),
        ({"text": "{", "format": "auto"}, "This cannot be read"),
        ({"text": '{"a": 1}', "format": "auto"}, "of no known format"),
        ({"text": "{}", "format": "klingon"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_read_is_told_beside_its_field(
    reviewer, project, browse, form, said
):
    reply = browse(reviewer).post(UPLOAD, form)

    assert reply.status_code == 422
    assert said in reply.content.decode()
    assert not TranscriptUpload.objects.exists()


def test_a_file_over_the_limit_is_refused_at_its_field(
    reviewer, project, browse, settings
):
    settings.MAX_BODY_BYTES = 1024 * 1024

    reply = send(browse(reviewer), b"[" + b" " * 1024 * 1024 + b"]")

    assert reply.status_code == 422
    assert reply.context["form"].errors["file"] == [
        "The file exceeds the limit of 1 MB."
    ]


def test_hostile_text_is_shown_and_never_run(preview):
    messages = openai_messages()
    messages[1]["content"] = "<script>alert(1)</script>\u202e"
    messages[-1]["content"] = "<img src=x onerror=alert(1)>"
    client, where = preview(as_document(messages))

    page = client.get(where).content.decode()

    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "\u202e" not in page


def test_a_viewer_may_not(viewer, project, browse):
    client = browse(viewer)

    assert client.get(UPLOAD).status_code == 403
    assert UPLOAD not in client.get("/p/acme/answers/").content.decode()


def test_the_answers_lead_here(reviewer, project, browse):
    page = browse(reviewer).get("/p/acme/answers/").content.decode()

    # In the navigation, at the top, and in what an empty list says.
    assert page.count(f'href="{UPLOAD}"') == 3


def test_nobody_else_sees_an_upload(preview, project, browse):
    _, where = preview(as_document(openai_messages()))
    colleague = member(project, Role.ADMIN)
    other = ProjectFactory(slug="other")
    row = TranscriptUpload.objects.get()
    MembershipFactory(project=other, user=row.user, role=Role.ADMIN)

    assert browse(colleague).get(where).status_code == 404
    assert browse(colleague).post(where, {"final": "1"}).status_code == 404
    foreign = where.replace("/p/acme/", "/p/other/")
    assert browse(row.user).get(foreign).status_code == 404
    assert not Interaction.objects.exists()


def test_each_person_has_one_upload_and_time_ends_it(preview):
    preview(as_lines(claude_code_lines()))
    preview(as_document(openai_messages()))
    row = TranscriptUpload.objects.get()

    early = UPLOAD_RETENTION.apply(now=timezone.now() + timedelta(minutes=59))
    late = UPLOAD_RETENTION.apply(now=timezone.now() + timedelta(minutes=61))

    assert (row.name, early, late) == ("session.jsonl", 0, 1)


def test_a_long_preview_costs_no_more_queries(preview):
    counts = []
    for messages in (openai_messages(), openai_messages() * 20):
        client, where = preview(as_document(messages))
        with CaptureQueriesContext(connection) as asked:
            client.get(where)
        counts.append(len(asked))

    assert counts[0] == counts[1] <= 14


def test_a_file_of_many_lines_is_shown_in_parts(preview):
    client, where = preview(as_lines(claude_code_lines() * 40))

    page = client.get(f"{where}?raw=2").content.decode()

    assert 'id="line-201"' in page
    assert 'id="line-1"' not in page
    for odd in ("0", "-1", "999999999999", "x", "²"):
        assert client.get(where, {"raw": odd}).status_code == 200

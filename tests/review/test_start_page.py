"""The first page of an empty project: three ways in, and what has arrived."""

import re

import pytest

from tests.ingest.transcripts import as_lines, claude_code_lines
from tests.review.conftest import send
from verifyhub.accounts.models import ApiKey, Scope
from verifyhub.accounts.services import secret_digest

PAGE = "/p/acme/start/"


def test_an_admin_gets_snippets_with_a_key_that_works(browse, admin, client):
    page = browse(admin).post(PAGE)

    secrets = set(re.findall(r"vh_[\w-]+", page.content.decode()))
    assert page.status_code == 201
    assert "no-store" in page.headers["Cache-Control"]
    (secret,) = secrets
    key = ApiKey.objects.get(secret_sha256=secret_digest(secret))
    assert (set(key.scopes), key.created_by) == ({Scope.INGEST, Scope.READ}, admin)
    assert key.expires_at is not None
    body = {"task": "Who?", "answer": "Nobody.", "tool_calls": []}
    reply = client.post(
        "/api/v1/interactions/",
        body,
        content_type="application/json",
        headers={"authorization": f"Bearer {secret}"},
    )
    assert reply.status_code in {201, 202}


def test_others_get_no_key(browse, lead):
    page = browse(lead).post(PAGE)

    assert b"vh_" not in page.content
    assert b"Admins of the project create keys." in page.content
    assert not ApiKey.objects.exists()


def test_it_waits_then_shows_the_verdict_of_the_first_run(browse, reviewer, project):
    client = browse(reviewer)
    waiting = client.get(PAGE, headers={"hx-request": "true"}).content.decode()
    interaction = send(project)
    arrived = client.get(PAGE, headers={"hx-request": "true"}).content.decode()

    assert "Waiting for the first run." in waiting
    assert 'hx-trigger="every 2s"' in waiting
    assert "First run received." in arrived
    assert "hx-trigger" not in arrived
    assert "<html" not in arrived
    assert f"/p/acme/answers/{interaction.id}/" in arrived


@pytest.mark.parametrize("who", ["viewer", "reviewer"])
def test_who_may_upload_finds_the_two_forms(request, browse, who):
    page = browse(request.getfixturevalue(who)).get(PAGE).content.decode()

    assert ("Paste a transcript" in page.split("</header>")[-1]) == (who == "reviewer")


def test_a_pasted_transcript_leads_to_its_preview(browse, reviewer):
    values = {"text": as_lines(claude_code_lines()).decode(), "format": "auto"}

    reply = browse(reviewer).post("/p/acme/upload/", values, follow=True)

    assert reply.status_code == 200
    assert "/upload/" in reply.redirect_chain[-1][0]


def test_an_empty_queue_leads_here(browse, reviewer):
    assert PAGE in browse(reviewer).get("/p/acme/review/").content.decode()


def test_strangers_find_nothing(browse, outsider, project):
    assert browse(outsider).get(PAGE).status_code == 404

"""Verifying a filter again by hand: the count, the question, the progress."""

import pytest

from tests.factories import VerificationFactory
from verifyhub.verification.models import Batch
from verifyhub.verification.services import advance_batches

NEW = "/p/acme/answers/verify-again/"


@pytest.fixture
def answers(project):
    for verdict in ("accept", "accept", "reject"):
        VerificationFactory(interaction__project=project, verdict=verdict)


def test_the_list_offers_to_verify_what_it_shows(answers, reviewer, browse):
    page = browse(reviewer).get("/p/acme/answers/?verdict=accept").content.decode()

    assert f"{NEW}?verdict=accept" in page
    assert "Verify these 2 again" in page


def test_the_question_names_count_and_filter(answers, reviewer, browse):
    page = browse(reviewer).get(f"{NEW}?verdict=accept").content.decode()

    assert "Verify 2 answers again?" in page


def test_starting_leads_to_the_progress(answers, reviewer, browse):
    reply = browse(reviewer).post(f"{NEW}?verdict=reject", {"strictness": "strict"})
    batch = Batch.objects.get()
    advance_batches()

    page = browse(reviewer).get(reply.url).content.decode()

    assert reply.url == f"/p/acme/batches/{batch.id}/"
    assert (batch.total, batch.strictness) == (1, "strict")
    assert "0 of 1" in page
    assert "Cancel the rest" in page


def test_a_second_one_is_refused_while_one_runs(answers, reviewer, browse):
    browse(reviewer).post(NEW, {})

    reply = browse(reviewer).post(NEW, {})

    assert reply.status_code == 409
    assert "is already running" in reply.content.decode()


def test_it_can_be_cancelled(answers, reviewer, browse):
    browse(reviewer).post(NEW, {})
    batch = Batch.objects.get()

    browse(reviewer).post(f"/p/acme/batches/{batch.id}/cancel/")

    batch.refresh_from_db()
    assert batch.state == Batch.State.CANCELLED


def test_a_viewer_may_look_and_not_start(answers, reviewer, viewer, browse):
    browse(reviewer).post(NEW, {})
    batch = Batch.objects.get()

    page = browse(viewer).get(f"/p/acme/batches/{batch.id}/")

    assert browse(viewer).get(NEW).status_code == 403
    assert page.status_code == 200
    assert "Cancel the rest" not in page.content.decode()


def test_another_projects_batch_is_not_there(answers, reviewer, outsider, browse):
    browse(reviewer).post(NEW, {})
    batch = Batch.objects.get()
    other = outsider.memberships.get().project.slug

    assert browse(outsider).get(f"/p/{other}/batches/{batch.id}/").status_code == 404

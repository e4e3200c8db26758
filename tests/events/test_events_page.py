"""People see what happened, newest first."""

import pytest
from django.urls import reverse

from tests.factories import InteractionFactory
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish


@pytest.fixture
def url(project):
    return reverse("events:list", args=[project.slug])


def test_each_is_shown_with_its_answer_newest_first(
    browse, viewer, project, url, settle
):
    answer = InteractionFactory(project=project)
    publish(
        project=project,
        type=EventType.VERIFICATION_FAILED,
        data={"error": "<script>alert(1)</script>"},
        subject={"interaction": str(answer.id), "name": "<b>run</b>"},
    )
    publish(
        project=project,
        type=EventType.VERIFICATION_COMPLETED,
        data={"verification": {"verdict": "reject"}},
        subject={"interaction": str(answer.id)},
    )
    settle()

    page = browse(viewer).get(url).content.decode()

    completed, failed = "Verification completed</b>", "Verification failed</b>"
    assert page.index(completed) < page.index(failed)
    assert reverse("review:answer-detail", args=[project.slug, answer.id]) in page
    assert "<script>alert" not in page
    assert "<b>run</b>" not in page


def test_a_filter_leaves_one_kind(browse, viewer, project, url, settle):
    for kind in (EventType.VERIFICATION_FAILED, EventType.VERIFICATION_COMPLETED):
        publish(project=project, type=kind, data={}, subject={})
    settle()

    page = browse(viewer).get(url, {"type": "verification.failed"}).content.decode()

    assert "Verification failed</b>" in page
    assert "Verification completed</b>" not in page


def test_who_is_no_member_finds_nothing(browse, outsider, url):
    assert browse(outsider).get(url).status_code == 404


def test_constraints_and_overrides_name_what_they_are_about(
    browse, viewer, project, url, settle
):
    publish(
        project=project,
        type=EventType.CONSTRAINT_ACTIVATED,
        data={"constraint": {"name": "mind-auth"}},
        subject={},
    )
    publish(
        project=project,
        type=EventType.REVIEW_OVERRIDDEN,
        data={"override": {"name": "shop/tax.py", "after": "verified"}},
        subject={},
    )
    settle()

    page = browse(viewer).get(url).content.decode()

    assert "mind-auth" in page
    assert "shop/tax.py" in page
    assert "Verified" in page

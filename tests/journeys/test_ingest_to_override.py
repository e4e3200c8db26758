"""The whole road, once: a run comes in, is flagged, overruled, and the next is told."""

import json

import pytest
from django.urls import reverse

from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

pytestmark = pytest.mark.django_db

LISTING = {
    "tool": "list",
    "input": {"path": "."},
    "output": "calendar.py\ndates.py\n",
    "status": "ok",
}


def send(api, **fields):
    body = {"session": "refactoring", "tool_calls": [LISTING], **fields}
    reply = api.post(
        "/api/v1/interactions/", json.dumps(body), content_type="application/json"
    )
    assert reply.status_code == 202, reply.content
    verification = Verification.objects.get(interaction__client_id=fields["id"])
    run_verification(verification_id=verification.id)
    return verification.interaction


def told(api, name: str) -> list[str]:
    """In which sections of the next prompt a name stands."""
    reply = api.get("/api/v1/sessions/refactoring/context/", {"task": "Time zones?"})
    assert reply.status_code == 200
    return [item["section"] for item in reply.json()["items"] if item["name"] == name]


def test_an_override_changes_what_the_next_agent_is_told(
    api, project, reviewer, browse
):
    interaction = send(
        api,
        id="run-1",
        task="Which module parses dates?",
        answer="`dates.py` does, with the help of `zones.py`.",
    )
    page = reverse("review:answer-detail", args=[project.slug, interaction.id])
    before = told(api, "zones.py")

    desk = browse(reviewer)
    queue = desk.get(reverse("review:queue", args=[project.slug]))
    shown = desk.get(page)
    mentions = interaction.verifications.get().mentions
    flip = reverse(
        "review:answer-flip",
        args=[project.slug, interaction.id, mentions.get(key="zones.py").index],
    )
    flipped = desk.post(
        flip,
        {
            "status": "verified",
            "reason": "It is generated at build time.",
            "version": ReviewItem.objects.get().version,
        },
        follow=True,
    )
    after = told(api, "zones.py")

    assert page in queue.content.decode()
    assert "zones.py" in shown.content.decode()
    assert "It is generated at build time." in flipped.content.decode()
    assert before == ["Known hallucinations"]
    assert after == ["User corrections"]
    assert mentions.get(key="zones.py").human_status == "verified"


def test_a_foreign_key_sees_nothing_of_it(api, client, outsider, browse):
    interaction = send(
        api, id="run-1", task="Where?", answer="In `dates.py` and `zones.py`."
    )

    page = browse(outsider).get(f"/p/acme/answers/{interaction.id}/")

    assert page.status_code == 404

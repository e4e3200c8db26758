"""A run with characters that no database keeps: taken in, marked, and said so."""

import json

import pytest

from tests.ingest.runs import a_call, a_run
from tests.markup import markup
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run_verification

pytestmark = pytest.mark.django_db

URL = "/api/v1/interactions/"
RUN = a_run(
    tool_calls=[a_call(tool="Bash", output="a\x00b\ud800"), a_call(tool="Bash")]
)


def post(api):
    return api.post(URL, RUN, content_type="application/json")


def post_bulk(api):
    reply = api.post(
        "/api/v1/bulk/", json.dumps(RUN), content_type="application/x-ndjson"
    )
    return b"".join(reply.streaming_content)


@pytest.mark.parametrize("send", [post, post_bulk])
def test_replaced_characters_are_a_warning_of_the_verdict_that_the_page_shows(
    api, browse, lead, send
):
    send(api)

    row = Interaction.objects.get()
    run_verification(verification_id=Verification.objects.get().pk)
    told = api.get(f"{URL}{row.pk}/verdict/").json()
    (warning,) = [
        one for one in told["warnings"] if one["code"] == "CHARACTERS_REPLACED"
    ]
    assert warning["details"] == {"tool_calls": [0], "characters": 2}
    page = browse(lead).get(f"/p/acme/answers/{row.pk}/checks/")
    assert "contains replacement characters (U+FFFD)" in markup(page)


@pytest.mark.parametrize(
    ("more", "field"),
    [({"id": "r\x00"}, "id"), ({"agent": {"name": "a\ud800"}}, "agent.name")],
)
def test_such_a_character_in_an_id_or_name_is_an_error_of_its_field(api, more, field):
    reply = api.post(URL, {**RUN, **more}, content_type="application/json")

    assert reply.status_code == 400, reply.content
    assert [one["field"] for one in reply.json()["errors"]] == [field]
    assert not Interaction.objects.exists()

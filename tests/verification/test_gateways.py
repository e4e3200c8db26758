"""Tool gateways: who may add one, and what their signatures do to a stored run."""

import base64
import json

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.builders import a_read, an_interaction
from tests.client.secrets import planted
from tests.factories import ProjectFactory
from verifyhub.audit.models import AuditEvent
from verifyhub.engine.ledger.seal import sign_trace
from verifyhub.ingest.formats.native import as_native
from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import GatewayKey, Verification
from verifyhub.verification.services import run_verification

pytestmark = pytest.mark.django_db
PAGE = "/p/acme/gateways/"
SECRET = bytes(range(32))
PUBLIC = base64.b64encode(
    Ed25519PrivateKey.from_private_bytes(SECRET)
    .public_key()
    .public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
).decode()


def a_signed_body(project="acme", number=1e2):
    call = a_read("src/app.py")
    call.input["limit"] = number
    run = an_interaction("See `src/app.py`.", call, id="run-1")
    body = as_native(run)
    body["trace_signature"] = sign_trace(
        SECRET, key_id="proxy", project=project, run="run-1", calls=run.tool_calls
    )
    return body


def verdict_of(api, body):
    sent = api.post("/api/v1/interactions/", json.dumps(body), "application/json")
    assert sent.status_code == 202, sent.content
    verification = Verification.objects.get()
    assert run_verification(verification_id=verification.id)
    return api.get("/api/v1/interactions/run-1/verdict/").json()


def test_a_signed_run_is_worth_grade_b(api, browse, admin):
    added = browse(admin).post(PAGE, {"key_id": "proxy", "public_key": PUBLIC})

    verdict = verdict_of(api, a_signed_body())

    assert added.status_code == 302
    assert verdict["mentions"][0]["grade"] == "B"
    assert AuditEvent.objects.get(action="verification.gateway_key_added")


def test_a_signature_is_checked_before_secrets_are_masked(api, browse, admin):
    browse(admin).post(PAGE, {"key_id": "proxy", "public_key": PUBLIC})
    given, secret = planted()["environment"]
    call = a_read("src/app.py", given)
    run = an_interaction("See `src/app.py`.", call, id="run-1")
    signed = sign_trace(
        SECRET, key_id="proxy", project="acme", run="run-1", calls=run.tool_calls
    )

    verdict = verdict_of(api, {**as_native(run), "trace_signature": signed})

    assert verdict["mentions"][0]["grade"] == "B"
    assert secret not in Interaction.objects.get().tool_calls.get().output
    detail = api.get("/api/v1/interactions/run-1/").json()
    assert detail["trace_signature"] == signed


def test_another_projects_signature_is_worth_nothing(api, browse, admin):
    browse(admin).post(PAGE, {"key_id": "proxy", "public_key": PUBLIC})

    verdict = verdict_of(api, a_signed_body(project="other"))

    assert verdict["mentions"][0]["grade"] == "C"
    assert verdict["checks"][0]["reason"] == "bad_signature"
    assert (verdict["verdict"], verdict["decision"]["reason"]) == (
        "reject",
        "check_failed",
    )


def test_a_revoked_gateway_is_believed_no_longer(api, browse, admin):
    client = browse(admin)
    client.post(PAGE, {"key_id": "proxy", "public_key": PUBLIC})
    row = GatewayKey.objects.get()

    first, again = (client.post(f"{PAGE}{row.id}/revoke/") for _ in range(2))
    verdict = verdict_of(api, a_signed_body())

    assert (first.status_code, again.status_code) == (302, 302)
    assert AuditEvent.objects.filter(action__endswith="key_revoked").count() == 1
    assert verdict["checks"][0]["reason"] == "unknown_key"
    taken = client.post(PAGE, {"key_id": "proxy", "public_key": PUBLIC})
    assert taken.status_code == 422


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"key_id": "a b"}, "Letters, digits, dots and dashes only."),
        ({"public_key": "x"}, "must be base64 of 32 bytes."),
        ({"public_key": ""}, "This field is required."),
    ],
)
def test_the_page_says_what_is_wrong(browse, admin, fields, said):
    values = {"key_id": "proxy", "public_key": PUBLIC} | fields

    reply = browse(admin).post(PAGE, values)

    assert reply.status_code == 422
    assert said in reply.content.decode()
    assert not GatewayKey.objects.exists()


@pytest.mark.parametrize(
    ("role", "status"),
    [("viewer", 403), ("reviewer", 403), ("lead", 403), ("admin", 200)],
)
def test_the_page_is_for_admins(request, browse, role, status):
    assert browse(request.getfixturevalue(role)).get(PAGE).status_code == status


def test_another_projects_gateway_does_not_exist(browse, admin):
    foreign = GatewayKey.objects.create(
        project=ProjectFactory(), key_id="theirs", public_key=PUBLIC, created_by="x"
    )
    client = browse(admin)

    assert "theirs" not in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}{foreign.id}/revoke/").status_code == 404


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 2}, "trace_signature.version"),
        ({"version": True}, "trace_signature.version"),
        ({"calls": []}, "trace_signature.calls"),
        ({"calls": [1, 0]}, "trace_signature.calls"),
        ({"calls": ["0"]}, "trace_signature.calls[0]"),
        ({"key_id": ""}, "trace_signature.key_id"),
        ({"signature": 7}, "trace_signature.signature"),
        ({"other": 1}, "trace_signature.other"),
    ],
)
def test_a_malformed_signature_is_refused_by_field(api, change, field):
    body = a_signed_body()
    body["trace_signature"] |= change

    reply = api.post("/api/v1/interactions/", json.dumps(body), "application/json")

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == field

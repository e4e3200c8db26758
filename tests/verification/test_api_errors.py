"""Every refusal of the REST interface is a problem that names what is wrong."""

import json

import pytest
from django.test import Client, override_settings

from tests.ingest.runs import a_run
from verifyhub.ingest.models import Interaction

pytestmark = pytest.mark.django_db
URL = "/api/v1/interactions/"
PROBLEM = "application/problem+json"


@pytest.mark.parametrize(
    "headers", [{}, {"authorization": "Bearer vh_wrong"}, {"authorization": "Bearer"}]
)
def test_without_a_good_key_the_reply_is_401(db, headers):
    reply = Client(headers=headers).get(URL)

    assert (reply.status_code, reply["Content-Type"]) == (401, PROBLEM)
    assert reply["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"task": NaN}', "task"),
        (b'{"id": "a\\u0000"}', "id"),
        (b'{"agent": {"name": "a\\ud800"}}', "agent.name"),
        (b'{"tool_calls": [{"tool": "a\\u0000"}]}', "tool_calls[0].tool"),
        (b'{"metadata": {"\\ud800": 1}}', "metadata"),
        (b'{"task": "t", "answer": "a", "tool_calls": [{"tool": 1}]}',
         "tool_calls[0].tool"),
        (b'{"task": "t", "answer": "a", "status": "done"}', "status"),
        (b"[" * 100_000, ""),
        (b"{", ""),
        (b"", "task"),
        (b"[]", ""),
        (b"\xff", ""),
    ],
)  # fmt: skip
def test_a_bad_body_is_400_and_names_the_field(api, body, field):
    reply = api.post(URL, body, content_type="application/json")

    problem = reply.json()
    assert (reply.status_code, reply["Content-Type"]) == (400, PROBLEM)
    assert (problem["title"], problem["status"]) == ("Bad Request", 400)
    assert problem["errors"][0]["field"] == field
    assert problem["errors"][0]["message"]
    assert not Interaction.objects.exists()


@override_settings(MAX_BODY_BYTES=1000, DATA_UPLOAD_MAX_MEMORY_SIZE=1000)
@pytest.mark.parametrize(("size", "status"), [(1000, 400), (1001, 413)])
def test_a_body_over_the_limit_is_413(api, size, status):
    reply = api.post(URL, b"x" * size, content_type="application/json")

    assert (reply.status_code, reply["Content-Type"]) == (status, PROBLEM)


@pytest.mark.parametrize(
    ("content_type", "headers"),
    [
        ("text/plain", {}),
        ("application/x-www-form-urlencoded", {}),
        ("application/json; charset=latin-1", {}),
        ("application/json; charset=utf-16", {}),
        ("application/json", {"content-encoding": "gzip"}),
    ],
)
def test_another_kind_of_body_is_415(api, content_type, headers):
    body = json.dumps(a_run())

    reply = api.generic("POST", URL, body, content_type, headers=headers)

    assert (reply.status_code, reply["Content-Type"]) == (415, PROBLEM)


def test_utf8_may_be_said(api):
    reply = api.generic(
        "POST", URL, json.dumps(a_run()), 'application/json; charset="UTF-8"'
    )

    assert reply.status_code == 202


def test_a_body_without_a_length_is_411(api):
    reply = api.generic(
        "POST", URL, b"", "application/json", headers={"transfer-encoding": "chunked"}
    )

    assert (reply.status_code, reply["Content-Type"]) == (411, PROBLEM)


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("PUT", URL, {}, 405),
        ("DELETE", f"{URL}x/", {}, 405),
        ("GET", URL, {"accept": "image/png"}, 406),
        ("GET", "/api/v1/nothing/", {}, 404),
        ("GET", f"{URL}?session=a%00b", {}, 400),
        ("GET", f"{URL}a%00b/", {}, 400),
        ("GET", f"{URL}?cursor=a", {}, 400),
        ("GET", f"{URL}?cursor=cD1nYXJiYWdl", {}, 400),
        ("GET", f"{URL}?session=%ff%fe", {}, 200),
        ("GET", URL, {"host": "evil.example"}, 400),
    ],
)
def test_every_error_of_the_api_is_a_problem(api, method, path, headers, status):
    reply = api.generic(method, path, headers=headers)

    assert reply.status_code == status
    assert status == 200 or (reply["Content-Type"], reply.json()["status"]) == (
        PROBLEM,
        status,
    )


def test_a_fault_of_the_server_is_a_problem_without_details(api, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("verifyhub.verification.api.views.interactions", fail)
    api.raise_request_exception = False

    reply = api.get(URL)

    assert (reply.status_code, reply["Content-Type"]) == (500, PROBLEM)
    assert b"secret" not in reply.content
    assert reply.json()["request_id"]


def test_a_nul_in_a_pages_address_is_400(client):
    assert client.get("/?q=%00").status_code == 400


def test_replies_are_not_to_be_cached(api):
    assert api.get(URL)["Cache-Control"] == "no-store"

import json

import pytest

from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory, InteractionFactory
from tests.mcp_server.conftest import RUN, over_http
from verifyhub.mcp_server.http import HostNames

pytestmark = pytest.mark.django_db(transaction=True)

LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).encode()
JSON = {
    "Content_Type": "application/json",
    "Accept": "application/json, text/event-stream",
}
KEY = {"Authorization": f"Bearer {API_SECRET}"}


def verify(arguments):
    async def act(client):
        return await client.call_tool("verify", arguments)

    return act


def test_a_request_with_a_key_is_answered_without_a_session(server, served):
    status, headers, body = served.request("POST", body=LIST, **JSON, **KEY)

    assert status == 200, body
    assert len(json.loads(body)["result"]["tools"]) == 4
    assert "mcp-session-id" not in {name.lower() for name in headers}


@pytest.mark.parametrize(
    "key",
    [
        {},
        {"Authorization": "Bearer vh_unknown_0123456789abcdef0123456789abcdef"},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer two words"},
        {"Authorization": f"Basic {API_SECRET}"},
    ],
)
def test_without_a_known_key_nothing_is_told(server, served, key):
    status, headers, body = served.request("POST", body=LIST, **JSON, **key)

    assert status == 401
    assert headers["www-authenticate"].startswith("Bearer")
    assert "tools" not in body


def test_a_revoked_key_reads_nothing_though_it_was_known(server, served):
    async def act(client):
        return await client.call_tool("context", {"session": "s"})

    key = ApiKeyFactory(secret="vh_revoked_0123456789abcdef0123456789abcdef")
    secret = "vh_revoked_0123456789abcdef0123456789abcdef"
    assert not over_http(served.url, act, secret).is_error

    key.delete()

    refused = over_http(served.url, act, secret)
    assert refused.is_error
    assert "unknown, revoked or expired" in refused.content[0].text


@pytest.mark.parametrize(
    ("scopes", "tool", "arguments"),
    [
        (["read"], "verify", RUN),
        (["ingest"], "context", {"session": "s"}),
        (["ingest"], "guard", {"text": "draft"}),
    ],
)
def test_a_key_does_what_its_scopes_allow(server, served, scopes, tool, arguments):
    secret = "vh_narrow_0123456789abcdef0123456789abcdef"
    ApiKeyFactory(secret=secret, scopes=scopes)

    async def act(client):
        return await client.call_tool(tool, arguments)

    refused = over_http(served.url, act, secret)

    assert refused.is_error
    assert "scope" in refused.content[0].text


def test_a_key_without_reading_still_verifies(server, served):
    secret = "vh_ingest_0123456789abcdef0123456789abcdef"
    ApiKeyFactory(secret=secret, scopes=["ingest"])

    result = over_http(served.url, verify({**RUN, "wait_seconds": 0}), secret)

    assert not result.is_error, result.content
    assert result.structured_content["id"]


def test_another_projects_answer_is_not_found(server, served):
    foreign = InteractionFactory()

    async def act(client):
        return await client.call_tool("explain_verdict", {"id": str(foreign.id)})

    refused = over_http(served.url, act)

    assert refused.is_error
    assert "no such interaction" in refused.content[0].text


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421),
        ({"Host": "127.0.0.1.evil.example:80"}, 421),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:3000"}, 200),
        ({"Content_Type": "text/plain"}, 400),
    ],
)
def test_only_its_own_names_and_pages_may_call(server, served, headers, status):
    sent = {**JSON, **KEY, **headers}

    assert served.request("POST", body=LIST, **sent)[0] == status


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_stream_to_open_and_no_session_to_end(server, served, method):
    status, headers, _ = served.request(method, **JSON, **KEY)

    assert (status, headers["allow"]) == (405, "POST")


def test_a_body_over_the_limit_is_refused(server, served):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x" * 100_000}).encode()

    assert served.request("POST", body=body, **JSON, **KEY)[0] == 413


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b'{"id": 1}', b"\xff", b"null", b"[" * 50_000]
)
def test_nonsense_is_answered_with_an_error_of_the_protocol(server, served, body):
    status, _, text = served.request("POST", body=body, **JSON, **KEY)

    assert status == 400
    assert "error" in json.loads(text)


def test_health_needs_no_key(server, served):
    assert served.request("GET", "/healthz")[0] == 200
    assert json.loads(served.request("GET", "/readyz")[2]) == {"status": "ok"}


@pytest.mark.parametrize(
    ("allowed", "host", "is_own"),
    [
        (["hub.org"], "HUB.org:443", True),
        (["hub.org"], "hub.org.", True),
        (["hub.org"], "a.hub.org", False),
        ([".hub.org"], "a.hub.org", True),
        ([".hub.org"], "hub.org", True),
        ([".hub.org"], "evilhub.org", False),
        (["[::1]"], "[::1]:8001", True),
        (["*"], "anything", True),
        (["hub.org"], "", False),
        (["hub.org"], "[bad", False),
    ],
)
def test_names_are_those_of_the_hub(allowed, host, is_own):
    assert HostNames(allowed).has(host) is is_own

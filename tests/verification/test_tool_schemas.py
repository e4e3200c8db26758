"""Schemas of tools' outputs: by the API, on the page, and who may."""

import json

import pytest
from django.test import Client

from tests.factories import ApiKeyFactory, ProjectFactory
from verifyhub.accounts.models import Scope
from verifyhub.audit.models import AuditEvent
from verifyhub.verification.models import ToolSchema
from verifyhub.verification.services import tool_schemas

pytestmark = pytest.mark.django_db
URL = "/api/v1/tool-schemas/"
PAGE = "/p/acme/schemas/"
REFERENCE = "@acme/search/schema#Result"


def body(**fields):
    return {
        "reference": REFERENCE,
        "tool": "search",
        "schema": {"type": "object"},
        **fields,
    }


def put(client, **fields):
    data = json.dumps(body(**fields))
    return client.put(URL, data, content_type="application/json")


def a_schema(project, **fields):
    return ToolSchema.objects.create(project=project, **body(**fields))


def test_a_schema_is_registered_and_then_replaced(api):
    first, second = put(api), put(api, schema={"type": "array"})

    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["id"] == second.json()["id"]
    assert api.get(URL).json()["results"] == [second.json()]
    assert second.json()["schema"] == {"type": "array"}


def test_a_schema_can_be_deleted(api):
    address = f"{URL}{put(api).json()['id']}/"

    assert api.get(address).status_code == 200
    assert api.delete(address).status_code == 204
    assert api.get(address).status_code == 404


def test_every_change_is_audited(api):
    api.delete(f"{URL}{put(api).json()['id']}/")

    events = AuditEvent.objects.order_by("created_at")
    assert [event.action for event in events] == [
        "verification.tool_schema_put",
        "verification.tool_schema_deleted",
    ]
    assert events[0].after["reference"] == events[1].before["reference"] == REFERENCE


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"reference": "no-name"}, "reference"),
        ({"reference": "https://evil.example/a#B"}, "reference"),
        ({"reference": 7}, "reference"),
        ({"tool": 7}, "tool"),
        ({"tool": "x" * 201}, "tool"),
        ({"schema": []}, "schema"),
        ({"schema": {"$ref": "https://evil.example/a#B"}}, "schema.$ref"),
        ({"schema": {"items": {"pattern": "(a)\\1"}}}, "schema.items.pattern"),
        ({"other": 1}, "other"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_by_field(api, fields, field):
    reply = put(api, **fields)

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == field
    assert not ToolSchema.objects.exists()


def test_a_tool_has_one_schema(api):
    put(api)

    reply = put(api, reference="acme/other#Result")

    assert reply.json()["errors"][0]["field"] == "tool"


def test_many_schemas_may_be_for_no_tool(api):
    replies = [put(api, tool="", reference=f"acme/s#S{n}") for n in range(2)]

    assert [reply.status_code for reply in replies] == [201, 201]


def test_a_project_has_a_bounded_number(api, monkeypatch):
    monkeypatch.setattr(tool_schemas, "MAX_SCHEMAS", 1)
    put(api)

    assert put(api, tool="", reference="acme/s#S2").status_code == 400
    assert put(api, schema={}).status_code == 200


@pytest.mark.parametrize("scope", [Scope.INGEST, Scope.READ])
def test_a_key_of_an_agent_cannot_change_what_it_is_held_to(project, scope):
    secret = "vh_agent_0123456789abcdef0123456789abcdef"
    ApiKeyFactory(project=project, secret=secret, scopes=[scope])
    row = a_schema(project)
    agent = Client(headers={"authorization": f"Bearer {secret}"})

    assert put(agent).status_code == 403
    assert agent.delete(f"{URL}{row.id}/").status_code == 403


def test_another_projects_schemas_do_not_exist(api, browse, admin):
    foreign = a_schema(ProjectFactory())

    assert api.get(URL).json()["results"] == []
    assert api.get(f"{URL}{foreign.id}/").status_code == 404
    assert api.delete(f"{URL}{foreign.id}/").status_code == 404
    client = browse(admin)
    assert REFERENCE not in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}{foreign.id}/delete/").status_code == 404


@pytest.mark.parametrize(
    ("role", "status"),
    [("viewer", 403), ("reviewer", 403), ("lead", 200), ("admin", 200)],
)
def test_the_page_is_for_leads_and_admins(request, browse, role, status):
    client = browse(request.getfixturevalue(role))

    assert client.get(PAGE).status_code == status


def test_to_strangers_the_page_does_not_exist(browse, project, outsider):
    assert browse(outsider).get(PAGE).status_code == 404


def test_the_empty_page_says_what_a_schema_is_for(browse, lead):
    page = browse(lead).get(PAGE).content.decode()

    assert "No schemas yet" in page
    assert "package/schema#Name" in page


def test_a_lead_registers_changes_and_deletes_on_the_page(browse, lead):
    client = browse(lead)

    sent = client.post(PAGE, body(schema='{"type": "object"}'))

    row = ToolSchema.objects.get()
    filled = client.get(PAGE, {"change": REFERENCE}).content.decode()
    gone = client.post(f"{PAGE}{row.id}/delete/")
    assert (sent.status_code, gone.status_code) == (302, 302)
    assert row.changed_by == str(lead)
    assert "&quot;type&quot;: &quot;object&quot;" in filled
    assert not ToolSchema.objects.exists()


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"schema": "{"}, "This is not JSON"),
        ({"schema": '{"type": "objekt"}'}, "is not what JSON Schema allows"),
        ({"reference": "x"}, "package/schema#Name"),
    ],
)
def test_the_page_says_what_is_wrong(browse, lead, fields, said):
    values = body(schema="{}") | fields

    reply = browse(lead).post(PAGE, values)

    assert reply.status_code == 422
    assert said in reply.content.decode()

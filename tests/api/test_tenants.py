"""No address leads to a row of another project."""

import json

import pytest
from django.test import Client

from tests.api.documents import operations, parameters_of
from tests.api.rows import fill
from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory, ProjectFactory
from verifyhub.audit.models import AuditEvent

# Names that a project gives itself: the same name is another row in each.
OWN_NAMES = {"session", "what"}
LEADING = [
    (path, method)
    for path, method in operations()
    if set(parameters_of(path, "other")) - OWN_NAMES and "detection/layers" not in path
]
# They make what the address names, in the key's own project.
MAKES_ITS_OWN = {
    ("/api/v1/documents/{document_id}/", "put"),
    ("/api/v1/snapshots/{name}/", "put"),
}
QUERIES = {"/api/v1/snapshots/{name}/": "?file=requirements.txt"}
BODIES = {
    "/api/v1/review/items/{item_id}/decisions/": {"version": 0, "agree": True},
    "/api/v1/review/items/{item_id}/decisions/preview/": {"version": 0, "agree": True},
    "/api/v1/review/items/{item_id}/decisions/undo/": {
        "act": "6f0c2c52-6b3e-4d6e-9d0e-2f1f5d0f1a11",
        "version": 0,
    },
    "/api/v1/review/items/{item_id}/assign/": {"assignee": None},
    "/api/v1/documents/{document_id}/": {"title": "Mine", "text": "The tax is 1 %."},
}


@pytest.fixture
def theirs(project, api_key):
    """Rows of another project, whose ids the key of this one will name."""
    other = ProjectFactory(slug="other", name="Other")
    fill(other, ApiKeyFactory(project=other))
    return other


def test_rows_of_another_project_are_not_there(theirs):
    client = Client(headers={"authorization": f"Bearer {API_SECRET}"})
    told = AuditEvent.objects.filter(project_id=theirs.id).count()

    # What is made would be there for those that ask afterwards.
    for path, method in sorted(LEADING, key=lambda one: one in MAKES_ITS_OWN):
        address = path.format(**parameters_of(path, "other"))
        if method == "put":
            address += QUERIES.get(path, "")
        reply = client.generic(method.upper(), address, *sent(path, method))

        expected = {200, 201} if (path, method) in MAKES_ITS_OWN else {404}
        assert reply.status_code in expected, (method, path)
        now = AuditEvent.objects.filter(project_id=theirs.id).count()
        assert now == told, (method, path)


def test_every_kind_of_row_is_named_by_some_address():
    named = {name for path, _ in LEADING for name in parameters_of(path, "other")}

    assert len(LEADING) > 30
    assert {"reference", "item_id", "document_id", "entry_id", "work_id"} <= named


def sent(path, method):
    if method in {"get", "delete"}:
        return ()
    if "snapshots" in path:
        return (b"django==5.2\n", "application/octet-stream")
    return (json.dumps(BODIES.get(path, {})), "application/json")

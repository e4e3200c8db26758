"""No scope of an API key reaches further than the pages let a role reach."""

import functools
from collections.abc import Callable, Mapping
from typing import Final

import pytest
from django.test import Client

from tests.api.documents import ENDLESS, document, operations
from tests.factories import ApiKeyFactory, MembershipFactory
from tests.pages import asks_for, url_of
from verifyhub.accounts.models import Role, Scope
from verifyhub.exports.catalogue import DATASETS

pytestmark = pytest.mark.django_db

# The role beyond which a scope must not reach.
ROLES: Final[Mapping[str, Role]] = {
    Scope.INGEST: Role.REVIEWER,  # Who uploads, and asks for work on an answer.
    Scope.READ: Role.VIEWER,
    Scope.REVIEW: Role.REVIEWER,
    Scope.MEMORY: Role.LEAD,
    Scope.MANAGE: Role.LEAD,
    Scope.WEBHOOKS: Role.ADMIN,
}
# What a viewer's pages do not show and `read` opens: files of what they do show, and
# the settings that verdicts follow from. None of it changes anything of others.
READ_BESIDES: Final = {
    "GET /api/v1/checks/",
    "GET /api/v1/masking/",
    "GET /api/v1/retention/",
    "GET /api/v1/exports/",
    "GET /api/v1/exports/{what}/",
    "GET /api/v1/exports/jobs/",
    "POST /api/v1/exports/jobs/",
    "GET /api/v1/exports/jobs/{job_id}/",
    "DELETE /api/v1/exports/jobs/{job_id}/",
    "GET /api/v1/exports/jobs/{job_id}/files/{name}",
    "GET /api/v1/memory/export/",
    "GET /api/v1/tool-schemas/",
    "GET /api/v1/tool-schemas/{schema_id}/",
}
# By the beginning of an operation: the page that shows or does the same. The longest
# beginning counts.
PAGES: Final[Mapping[str, str]] = {
    "POST /api/public/otel/": "verification:upload",
    "POST /v1/": "verification:upload",
    "POST /api/v1/otlp/": "verification:upload",
    "POST /api/v1/transcripts/": "verification:upload",
    "POST /api/v1/interactions/": "verification:upload",
    "POST /api/v1/bulk/": "ingest:bulk-upload",
    "GET /api/v1/bulk/": "ingest:bulk-list",
    "GET /api/v1/alerts/": "events:list",
    "GET /api/v1/events/": "events:list",
    "GET /api/v1/calibrations/": "learning:calibration",
    "POST /api/v1/calibrations/{model_id}/activate/": "learning:calibration-activate",
    "POST /api/v1/calibrations/blocking/": "learning:blocking-on",
    "DELETE /api/v1/calibrations/blocking/": "learning:blocking-off",
    "POST /api/v1/calibrations/fit/": "learning:calibration-fit",
    "POST /api/v1/calibrations/return/": "learning:calibration-return",
    "GET /api/v1/checks/": "verification:checks",
    "PUT /api/v1/checks/": "verification:checks",
    "GET /api/v1/constraints/": "memory:browser",
    "POST /api/v1/deliberations/": "review:answer-deliberate",
    "GET /api/v1/deliberations/": "review:deliberation",
    "GET /api/v1/detection/": "verification:detection",
    "POST /api/v1/detection/": "verification:answer-layers",
    # What they tell follows from the request and the project's settings alone.
    "POST /api/v1/detection/calibrate/": "learning:calibration",
    "POST /api/v1/detection/risk/": "verification:detection-list",
    "GET /api/v1/documents/": "knowledge:page",
    "POST /api/v1/documents/": "knowledge:upload",
    "PUT /api/v1/documents/": "knowledge:upload",
    "DELETE /api/v1/documents/": "knowledge:delete",
    "GET /api/v1/exports/": "exports:page",
    "POST /api/v1/exports/": "exports:new",
    "DELETE /api/v1/exports/": "exports:delete",
    "POST /api/v1/guard/": "memory:snapshots",
    "GET /api/v1/interactions/": "review:answer-list",
    "POST /api/v1/interactions/{reference}/deliberate/": "review:answer-deliberate",
    "POST /api/v1/interactions/{reference}/layers/": "verification:answer-layers",
    "POST /api/v1/interactions/{reference}/mitigate/": "review:answer-mitigate",
    "POST /api/v1/interactions/{reference}/reverify/": "review:answer-reverify",
    "POST /api/v1/interactions/{reference}/verifications/": "review:answer-reverify",
    "GET /api/v1/knowledge/": "knowledge:page",
    "GET /api/v1/learning/": "learning:page",
    "GET /api/v1/deletions/": "privacy:data",
    "POST /api/v1/deletions/": "privacy:data",
    "GET /api/v1/legal-holds/": "privacy:data",
    "POST /api/v1/legal-holds/": "privacy:hold",
    "POST /api/v1/legal-holds/{hold_id}/release/": "privacy:hold-release",
    "GET /api/v1/retention/": "privacy:data",
    "PUT /api/v1/retention/": "privacy:data",
    "GET /api/v1/masking/": "privacy:masking",
    "PUT /api/v1/masking/": "privacy:masking",
    "GET /api/v1/memory/": "memory:search",
    "GET /api/v1/memory/export/": "memory:export",
    "GET /api/v1/metrics/": "metrics:dashboard",
    "GET /api/v1/mitigations/": "review:answer-detail",
    "GET /api/v1/reports/": "reports:list",
    "GET /api/v1/review/acts/": "review:act",
    "GET /api/v1/review/items/": "review:queue",
    "POST /api/v1/review/items/": "review:item-take",
    "POST /api/v1/review/items/{item_id}/assign/": "review:queue-assign",
    "POST /api/v1/review/items/{item_id}/decisions/": "review:answer-override",
    "POST /api/v1/review/items/{item_id}/decisions/undo/": "review:act-undo",
    "GET /api/v1/sessions/": "memory:next-prompt",
    "GET /api/v1/shared/": "memory:shared",
    "POST /api/v1/shared/": "memory:shared-correct",
    "PATCH /api/v1/shared/": "memory:entry-edit",
    "DELETE /api/v1/shared/": "memory:shared-act",
    "GET /api/v1/snapshots/": "memory:snapshots",
    "PUT /api/v1/snapshots/": "memory:snapshot-upload",
    "DELETE /api/v1/snapshots/": "memory:snapshot-delete",
    "GET /api/v1/tool-schemas/": "verification:schema-list",
    "PUT /api/v1/tool-schemas/": "verification:schema-list",
    "DELETE /api/v1/tool-schemas/": "verification:schema-delete",
    "GET /api/v1/verification-batches/": "review:answer-list",
    "POST /api/v1/verification-batches/": "review:answer-batch",
    "POST /api/v1/verification-batches/{batch_id}/cancel/": "review:batch-cancel",
    "GET /api/v1/webhooks/": "events:webhook-list",
    "POST /api/v1/webhooks/": "events:webhook-add",
    "PATCH /api/v1/webhooks/": "events:webhook-change",
    "DELETE /api/v1/webhooks/": "events:webhook-delete",
}
# Parts of pages' addresses that are no ids; any will do.
WORDS: Final = {"to": "previous", "verb": "retire", "name": "x", "written_as": "csv"}
# Kinds of exports that the API gives under a scope of their own.
KINDS: Final = [f"GET /api/v1/exports/{name}/" for name in DATASETS]
OPERATIONS: Final = [
    f"{method.upper()} {path}"
    for path, method in operations(without=ENDLESS)
    if path != "/api/v1/exports/{what}/"
]


@pytest.fixture
def key_opens(project) -> Callable[[str, str], bool]:
    """Tell whether a key with this scope alone gets past the API's doors."""
    keys = {}
    for scope in Scope.values:
        secret = f"vh_scope_{scope:_<32}"
        # Exports are read with `read`; a kind may ask for another one besides.
        besides = set() if scope == Scope.INGEST else {Scope.READ}
        ApiKeyFactory(project=project, secret=secret, scopes=[*{scope} | besides])
        keys[scope] = Client(headers={"authorization": f"Bearer {secret}"})

    def opens(operation: str, scope: str) -> bool:
        method, path = operation.split(" ")
        made_up = "00000000-0000-4000-8000-000000000000"
        for name in _ids(path):
            path = path.replace(f"{{{name}}}", made_up)
        reply = keys[scope].generic(method, path, b"", "application/json")
        assert reply.status_code < 500
        return reply.status_code != 403

    return opens


@pytest.fixture
def person(project, browse):
    """The browser of somebody of a role."""
    return functools.cache(
        lambda role: browse(MembershipFactory(project=project, role=role).user)
    )


@pytest.fixture
def page_opens(project, person) -> Callable[[str, str, Role], bool]:
    """Tell whether a page lets somebody of a role in."""

    def opens(method: str, name: str, role: Role) -> bool:
        ids = {one: WORDS[one] for one in asks_for(name) if one in WORDS} | {
            "slug": project.slug,
            "index": 0,
            "user_id": 1,
        }
        browser = person(role)
        send = browser.get if method == "GET" else browser.post
        reply = send(url_of(name, ids))
        assert reply.status_code < 500
        return reply.status_code != 403

    return opens


def test_no_scope_opens_more_than_pages_open_to_its_role(key_opens, page_opens):
    too_far, by_nobody = [], []
    for operation in [*OPERATIONS, *KINDS]:
        opened = [scope for scope in Scope.values if key_opens(operation, scope)]
        if not opened:
            by_nobody.append(operation)
            continue
        if Scope.READ in opened and read_besides(operation):
            continue
        # Each role holds what those before it hold: the least one is enough to ask.
        least = min((ROLES[scope] for scope in opened), key=list(Role).index)
        if not page_opens(operation.split(" ")[0], page_of(operation), least):
            too_far.append(f"{operation} opens to {opened}, its page not to a {least}")

    assert by_nobody == []
    assert too_far == []


def page_of(operation: str) -> str:
    """The page that does the same as an operation."""
    begun = [one for one in PAGES if operation.startswith(one)]
    assert begun, f"Name the page that does what {operation} does."
    return PAGES[max(begun, key=len)]


def read_besides(operation: str) -> bool:
    """Whether `read` opens it to programs that read it in bulk, or as settings."""
    if operation in KINDS:
        return DATASETS[operation.split("/")[-2]].capability == "metrics.export"
    return operation in READ_BESIDES


def _ids(path: str) -> set[str]:
    return {part.strip("{}") for part in path.split("/") if part.startswith("{")}


def test_what_is_read_beyond_a_viewers_pages_still_stands_in_the_document():
    known = {f"{method.upper()} {path}" for path, method in operations()}

    assert known >= READ_BESIDES
    assert document()["paths"]["/api/v1/checks/"]["put"]["x-scope"] == "manage"

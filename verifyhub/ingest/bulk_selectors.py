"""Reads of bulks."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from verifyhub.accounts.models import Project
from verifyhub.common.http import uuid_in
from verifyhub.ingest.models import Bulk

REFUSAL_COLUMNS = ("line", "item", "status", "id", "field", "message")
CHUNK = 2000


def bulks(project: Project) -> QuerySet[Bulk]:
    """Return all bulks of a project, newest first."""
    return (
        Bulk.objects.filter(project=project)
        .select_related("user", "api_key")
        .order_by("-created_at", "-id")
    )


def find_bulk(project: Project, reference: str) -> Bulk | None:
    """Return the bulk with this client id or, if there is none, with this UUID."""
    rows = bulks(project)
    bulk = rows.filter(reference=reference).first() if reference else None
    if bulk is None and (bulk_id := uuid_in(reference)):
        bulk = rows.filter(pk=bulk_id).first()
    return bulk


def refusal_rows(bulk: Bulk) -> Iterator[dict[str, Any]]:
    """Return the refused lines of a bulk in order; `id` is None if unknown."""
    rows = bulk.refusals.order_by("line", "item")
    fields = ("line", "item", "status", "name", "field", "message")
    for row in rows.values_list(*fields).iterator(chunk_size=CHUNK):
        refusal = dict(zip(REFUSAL_COLUMNS, row, strict=True))
        yield refusal | {"id": refusal["id"] or None}

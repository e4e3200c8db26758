"""API: preferences and corrections that every session receives."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.db import transaction
from django.shortcuts import get_object_or_404
from pydantic import Field
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import ApiKey
from verifyhub.common.api import PAGE_PARAMETERS, page_of
from verifyhub.common.api_bodies import (
    RowBody,
    body_of,
    operation,
    read_from,
    shown_page,
)
from verifyhub.common.api_schema import reply
from verifyhub.common.contract import ContractModel, Moment
from verifyhub.engine.types import MentionKind
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.memory import services
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.selectors import shared_entries

Suggestion = Annotated[str, Field(max_length=200)]
Reason = Annotated[str, Field(max_length=500)]


class SharedEntryBody(RowBody):
    """A preference or a correction of a name, shared with every session."""

    id: UUID
    kind: MemoryEntry.Kind
    text: str
    name_kind: Annotated[str, read_from("mention_kind")]
    status: Annotated[str, read_from("mention_status")]
    suggestion: str
    reason: str
    state: MemoryEntry.State
    reach: MemoryEntry.Reach
    author: str
    created_at: datetime
    expires_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSharedEntry(ContractModel):
    """An entry to share with every session."""

    kind: Literal["preference", "correction"]
    text: Annotated[
        str,
        Field(
            min_length=1,
            max_length=500,
            json_schema_extra={"pattern": r"^[^\x00]*[^\s\x00][^\x00]*$"},
        ),
    ]
    """The preference in one line, or the name."""
    name_kind: MentionKind = MentionKind.PACKAGE
    status: Literal["verified", "unverified"] = "unverified"
    suggestion: Suggestion = ""
    reason: Reason = ""
    """Shown to people only."""
    expires_at: Moment | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EditedSharedEntry(ContractModel):
    """Fields to change; omitted fields do not change."""

    text: Annotated[str, Field(max_length=500)] = ""
    """Text of a preference. To change a name, create another correction."""
    suggestion: Suggestion = ""
    """The correct name of a hallucinated name; its constraint is updated too."""
    reason: Reason = ""
    expires_at: Moment | None = None
    state: Literal["active"] | None = None
    """`active` restores a retracted entry, and approves an entry proposed by another
    person."""


class SharedEntryList(APIView):
    """Shared memory of a project; agents can only read it."""

    @operation(
        "shared_entries",
        "List shared preferences and corrections",
        scope="read",
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(SharedEntryBody)},
    )
    def get(self, request: Request) -> Response:
        rows = shared_entries(key_of(request).project)
        return page_of(rows, request, body=SharedEntryBody.of)

    @operation(
        "share_entry",
        "Share a preference or correction with every session",
        scope="memory",
        request=NewSharedEntry,
        replies={201: reply(SharedEntryBody)},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        body = body_of(request, NewSharedEntry)
        entry = _create(key_of(request), body)
        return Response(SharedEntryBody.of(entry), status=201)


class SharedEntryDetail(APIView):
    """One shared entry."""

    @operation(
        "shared_entry",
        "Read a shared entry, including retracted ones",
        scope="read",
        replies={200: reply(SharedEntryBody)},
    )
    def get(self, request: Request, entry_id: UUID) -> Response:
        return Response(SharedEntryBody.of(_entry(request, entry_id)))

    @operation(
        "edit_shared_entry",
        "Change or restore a shared entry",
        scope="memory",
        request=EditedSharedEntry,
        replies={200: reply(SharedEntryBody)},
    )
    def patch(self, request: Request, entry_id: UUID) -> Response:
        body = body_of(request, EditedSharedEntry)
        entry = _entry(request, entry_id)
        changes = {name: getattr(body, name) for name in request.data}
        _edit(entry, key_of(request), changes)
        return Response(SharedEntryBody.of(_entry(request, entry_id)))

    @operation(
        "retract_shared_entry",
        "Retract a shared entry; the entry it replaced applies again",
        scope="memory",
        replies={204: None},
    )
    def delete(self, request: Request, entry_id: UUID) -> Response:
        key = key_of(request)
        entry = get_object_or_404(shared_entries(key.project), id=entry_id)
        try:
            services.retract_shared(entry=entry, actor=key)
        except services.SharedEntryError as error:
            raise ValidationError({"state": str(error)}) from error
        return Response(status=204)


def _entry(request: Request, entry_id: UUID) -> MemoryEntry:
    rows = shared_entries(key_of(request).project, retracted=True)
    return get_object_or_404(rows, id=entry_id)


@transaction.atomic
def _edit(entry: MemoryEntry, key: ApiKey, changes: dict[str, Any]) -> None:
    state = changes.pop("state", None)
    if unknown := sorted(set(changes) - services.editable(entry)):
        raise ValidationError(dict.fromkeys(unknown, "This field cannot be edited."))
    try:
        services.edit_entry(
            entry=entry, values=changes, loaded_at=entry.updated_at, actor=key
        )
        if state:
            agree = services.waits(entry)
            act = services.confirm_shared if agree else services.restore_shared
            act(entry=entry, actor=key)
    except services.EntryValuesError as error:
        raise ValidationError(error.errors) from error
    except services.EntryChangedError as error:
        raise ValidationError(
            {"state": "The entry was changed by someone else; load it again."}
        ) from error
    except services.SharedEntryError as error:
        raise ValidationError({"state": str(error)}) from error


def _create(key: ApiKey, body: NewSharedEntry) -> MemoryEntry:
    common: dict[str, Any] = {
        "project": key.project,
        "actor": key,
        "reason": body.reason,
        "expires_at": body.expires_at,
    }
    try:
        if body.kind == "preference":
            return services.prefer(text=body.text, **common)
        return services.correct_name(
            kind=body.name_kind,
            name=body.text,
            status=body.status,
            suggestion=body.suggestion,
            **common,
        )
    except services.SharedEntryError as error:
        raise ValidationError({"text": str(error)}) from error

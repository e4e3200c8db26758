"""What leads' programs tell every session: preferences and corrections."""

from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.models import ApiKey
from verifyhub.common.api import PAGE_PARAMETERS, page_of
from verifyhub.common.api_bodies import PageSerializer, RequestBody
from verifyhub.engine.reports import Status
from verifyhub.engine.types import MentionKind
from verifyhub.ingest.api.idempotency import idempotent
from verifyhub.memory import services
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.selectors import shared_entries

STATUSES = [str(Status.VERIFIED), str(Status.UNVERIFIED)]


class SharedEntrySerializer(serializers.ModelSerializer[MemoryEntry]):
    """A preference, or a correction of a name, told to every session."""

    name_kind = serializers.CharField(source="mention_kind", read_only=True)
    status = serializers.CharField(source="mention_status", read_only=True)

    class Meta:
        model = MemoryEntry
        fields = [
            "id",
            "kind",
            "text",
            "name_kind",
            "status",
            "suggestion",
            "reason",
            "state",
            "author",
            "created_at",
            "expires_at",
        ]


class SharedPage(PageSerializer):
    """One page of them."""

    results = SharedEntrySerializer(many=True)


class NewSharedEntry(RequestBody):
    """What to tell every session."""

    kind = serializers.ChoiceField(choices=["preference", "correction"])
    text = serializers.CharField(
        max_length=500, help_text="The preference in one line, or the name."
    )
    name_kind = serializers.ChoiceField(choices=list(MentionKind), default="package")
    status = serializers.ChoiceField(choices=STATUSES, default=STATUSES[1])
    suggestion = serializers.CharField(default="", allow_blank=True, max_length=200)
    reason = serializers.CharField(
        default="", allow_blank=True, max_length=500, help_text="For people only."
    )
    expires_at = serializers.DateTimeField(default=None, allow_null=True)


class EditedSharedEntry(RequestBody):
    """What to change; what is not sent stays."""

    text = serializers.CharField(
        max_length=500, help_text="Of a preference; a name is corrected anew."
    )
    suggestion = serializers.CharField(
        allow_blank=True,
        max_length=200,
        help_text="Of an invented name; its constraint says the same from then on.",
    )
    reason = serializers.CharField(allow_blank=True, max_length=500)
    expires_at = serializers.DateTimeField(allow_null=True)
    state = serializers.ChoiceField(
        choices=[str(MemoryEntry.State.ACTIVE)],
        help_text="`active` tells again what was retracted.",
    )


class SharedEntryList(APIView):
    """What a project tells every session; agents may only read it."""

    required_scopes = {"GET": "read", "POST": "memory"}

    @extend_schema(
        operation_id="shared_entries",
        summary="List the preferences and corrections told to every session",
        parameters=PAGE_PARAMETERS,
        responses={200: SharedPage},
    )
    def get(self, request: Request) -> Response:
        return page_of(
            shared_entries(cast(ApiKey, request.auth).project),
            request,
            ordering=("-created_at", "-id"),
            body=lambda row: SharedEntrySerializer(row).data,
        )

    @extend_schema(
        operation_id="share_entry",
        summary="Tell every session a preference or a correction",
        request=NewSharedEntry,
        responses={201: SharedEntrySerializer},
    )
    @idempotent
    def post(self, request: Request) -> Response:
        asked = NewSharedEntry(data=request.data)
        asked.is_valid(raise_exception=True)
        entry = _made(cast(ApiKey, request.auth), asked.validated_data)
        return Response(SharedEntrySerializer(entry).data, status=201)


class SharedEntryDetail(APIView):
    """One of them."""

    required_scopes = {"GET": "read", "PATCH": "memory", "DELETE": "memory"}

    @extend_schema(
        operation_id="shared_entry",
        summary="Read one of them, retracted or not",
        responses=SharedEntrySerializer,
    )
    def get(self, request: Request, entry_id: UUID) -> Response:
        return Response(SharedEntrySerializer(_one(request, entry_id)).data)

    @extend_schema(
        operation_id="edit_shared_entry",
        summary="Change its wording, right name, reason or end, or tell it again",
        request=EditedSharedEntry,
        responses=SharedEntrySerializer,
    )
    def patch(self, request: Request, entry_id: UUID) -> Response:
        asked = EditedSharedEntry(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        entry = _one(request, entry_id)
        _edit(entry, cast(ApiKey, request.auth), asked.validated_data)
        return Response(SharedEntrySerializer(_one(request, entry_id)).data)

    @extend_schema(
        operation_id="retract_shared_entry",
        summary="Stop telling it; what it outranked stands again",
        responses={204: None},
    )
    def delete(self, request: Request, entry_id: UUID) -> Response:
        key = cast(ApiKey, request.auth)
        entry = get_object_or_404(shared_entries(key.project), id=entry_id)
        try:
            services.retract_shared(entry=entry, actor=key)
        except services.SharedEntryError as error:
            raise ValidationError({"state": str(error)}) from error
        return Response(status=204)


def _one(request: Request, entry_id: UUID) -> MemoryEntry:
    rows = shared_entries(cast(ApiKey, request.auth).project, retracted=True)
    return get_object_or_404(rows, id=entry_id)


@transaction.atomic
def _edit(entry: MemoryEntry, key: ApiKey, asked: dict[str, Any]) -> None:
    again = asked.pop("state", None)
    if refused := sorted(set(asked) - services.editable(entry)):
        raise ValidationError(dict.fromkeys(refused, "It cannot be edited of this."))
    values = services.EntryValues.of(entry, **asked)
    try:
        services.edit_entry(
            entry=entry, values=values, seen=entry.updated_at, actor=key
        )
        if again:
            services.restore_shared(entry=entry, actor=key)
    except services.EntryValuesError as error:
        raise ValidationError(error.errors) from error
    except services.EntryChangedError as error:
        raise ValidationError({"state": "Somebody else changed it first."}) from error
    except services.SharedEntryError as error:
        raise ValidationError({"state": str(error)}) from error


def _made(key: ApiKey, asked: dict[str, Any]) -> MemoryEntry:
    common = {
        "project": key.project,
        "actor": key,
        "reason": asked["reason"],
        "expires_at": asked["expires_at"],
    }
    try:
        if asked["kind"] == "preference":
            return services.prefer(text=asked["text"], **common)
        return services.correct_name(
            kind=asked["name_kind"],
            name=asked["text"],
            status=asked["status"],
            suggestion=asked["suggestion"],
            **common,
        )
    except services.SharedEntryError as error:
        raise ValidationError({"text": str(error)}) from error

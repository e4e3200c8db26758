"""Shapes of the guard and of snapshots in the API."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from rest_framework import serializers

from verifyhub.common.api_bodies import PageSerializer
from verifyhub.common.contract import ContractModel
from verifyhub.memory.guard import MAX_TEXT_LENGTH, DraftFinding
from verifyhub.memory.models import Snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(ContractModel):
    """A draft; nothing of it is stored."""

    text: Annotated[
        str, Field(description=f"The draft, up to {MAX_TEXT_LENGTH} code points.")
    ]


class FindingSerializer(serializers.Serializer[DraftFinding]):
    """One place of a draft where a wrong name stands; all names are data."""

    text = serializers.CharField()
    kind = serializers.CharField()
    span = serializers.ListField(
        child=serializers.IntegerField(min_value=0),
        min_length=2,
        max_length=2,
        help_text="Half-open, in code points of the draft.",
    )
    reason = serializers.ChoiceField(choices=["constraint", "not_in_snapshot"])
    suggestion = serializers.CharField(allow_null=True)
    constraint = serializers.UUIDField(allow_null=True)


class GuardSerializer(serializers.Serializer[dict[str, object]]):
    """What is wrong with a draft; `ok` where nothing is."""

    ok = serializers.BooleanField()
    findings = FindingSerializer(many=True)


class SnapshotSerializer(serializers.ModelSerializer[Snapshot]):
    """Names that a project has; `pools` says what the snapshot is whole for."""

    names = serializers.IntegerField(source="name_count")

    class Meta:
        model = Snapshot
        fields = [
            "name",
            "format",
            "origin",
            "pools",
            "names",
            "sha256",
            "changed_by",
            "created_at",
            "updated_at",
        ]


class SnapshotPage(PageSerializer):
    """One page of snapshots, by name."""

    results = SnapshotSerializer(many=True)

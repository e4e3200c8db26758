"""Shapes of memory in the API."""

from dataclasses import dataclass
from typing import Annotated

from django.utils import timezone
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from pydantic import Field
from rest_framework import serializers

from verifyhub.common.contract import ContractModel
from verifyhub.common.shares import Share
from verifyhub.engine.memory.formats import ContextFormat
from verifyhub.engine.memory.sections import ContextLine
from verifyhub.memory.effect import ConstraintEffect, Sides, effect_in_force
from verifyhub.memory.models import Constraint
from verifyhub.memory.rates import Rate, Rates, rates
from verifyhub.memory.selectors import SessionContext

DEFAULT_BUDGET = 1000
MAX_BUDGET = 32_000
MAX_TASK_LENGTH = 20_000
MAX_SEARCH_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextQuery(ContractModel):
    """Parameters of a context."""

    task: Annotated[str, Field(max_length=MAX_TASK_LENGTH)] = ""
    """What the agent is about to do: what it concerns comes first."""
    budget: Annotated[int, Field(ge=1, le=MAX_BUDGET)] = DEFAULT_BUDGET
    """Tokens the text may have, estimated at 4 bytes of UTF-8 each."""
    format: ContextFormat = ContextFormat.JSON
    """`text` is the bare text for a prompt, `markdown` a fragment for AGENTS.md, `mcp`
    the result of `resources/read`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstraintQuery(ContractModel):
    """Filters of the list of constraints."""

    state: Constraint.State | None = None
    search: Annotated[str, Field(max_length=MAX_SEARCH_LENGTH)] = ""


class LineSerializer(serializers.Serializer[ContextLine]):
    """One thing the agent is told; `line` is safe in a prompt, `name` is raw."""

    section = serializers.CharField()
    line = serializers.CharField()
    name = serializers.CharField()
    kind = serializers.CharField(source="mention_kind")
    suggestion = serializers.CharField()
    confidence = serializers.FloatField(allow_null=True)
    id = serializers.CharField(
        source="source", help_text="The id of the entry or constraint that says it."
    )


class ContextSerializer(serializers.Serializer[SessionContext]):
    """What an agent of a session should be told."""

    session = serializers.CharField()
    known = serializers.BooleanField(
        help_text="False for a session that has sent nothing yet."
    )
    estimated_tokens = serializers.IntegerField(source="context.estimated_tokens")
    text = serializers.CharField(source="context.text")
    items = LineSerializer(many=True, source="context.lines")
    sha256 = serializers.CharField(
        help_text="To be sent as `context_sha256` with the answer it was told for."
    )


class McpContextSerializer(serializers.Serializer[SessionContext]):
    """The same as the result of `resources/read` of the Model Context Protocol."""

    contents = serializers.ListField(
        child=serializers.DictField(),
        help_text="One resource: `uri`, `mimeType`, `text`, and `_meta` with its hash.",
    )


CONTEXT_REPLY = PolymorphicProxySerializer(
    component_name="ContextReply",
    serializers=[ContextSerializer, McpContextSerializer],
    resource_type_field_name=None,
)


class ConstraintSerializer(serializers.ModelSerializer[Constraint]):
    """A name that agents of the project keep inventing."""

    kind = serializers.CharField(source="mention_kind")
    name = serializers.CharField(source="text")
    retired_reason = serializers.CharField(source="why_retired", read_only=True)

    class Meta:
        model = Constraint
        fields = [
            "id",
            "kind",
            "name",
            "suggestion",
            "state",
            "origin",
            "pinned",
            "interaction_count",
            "session_count",
            "key_count",
            "first_seen_at",
            "last_seen_at",
            "shadow_at",
            "confirmed_at",
            "active_at",
            "retired_at",
            "merged_into",
            "retired_reason",
            "created_at",
        ]


class RateSerializer(serializers.Serializer[Rate]):
    """A share of the project's answers that arrived in [since, until)."""

    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    count = serializers.IntegerField(source="share.count")
    n = serializers.IntegerField(source="share.total")
    share = serializers.FloatField(source="share.value", allow_null=True)
    low = serializers.FloatField(source="share.low", allow_null=True)
    high = serializers.FloatField(source="share.high", allow_null=True)


class RatesSerializer(serializers.Serializer[Rates]):
    """How often a name was invented before agents were told of it, and after."""

    before = RateSerializer(allow_null=True)
    after = RateSerializer(allow_null=True)
    in_shadow = serializers.BooleanField(
        help_text="Whether `before` was measured in the shadow, without selection."
    )


class ShareSerializer(serializers.Serializer[Share]):
    """A share of answers, with its 95 % interval."""

    count = serializers.IntegerField()
    n = serializers.IntegerField(source="total")
    share = serializers.FloatField(source="value", allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)


class SidesSerializer(serializers.Serializer[Sides]):
    """Answers that stated the name, of those who were told and of the others."""

    told = ShareSerializer()
    not_told = ShareSerializer()
    sessions_told = serializers.IntegerField()
    sessions_not_told = serializers.IntegerField()
    difference = serializers.FloatField(
        source="difference.value",
        allow_null=True,
        help_text="Told less not told, -1 to 1; below 0 telling helps.",
    )
    low = serializers.FloatField(source="difference.low", allow_null=True)
    high = serializers.FloatField(source="difference.high", allow_null=True)


class EffectSerializer(serializers.Serializer[ConstraintEffect]):
    """What telling agents did, by answers that arrived in [since, until)."""

    since = serializers.DateTimeField()
    until = serializers.DateTimeField()
    arms = SidesSerializer(
        help_text="By the arm that chance gave the session, while the project holds"
        " some out from constraints; not told are those held out."
    )
    contexts = SidesSerializer(
        help_text="By whether the context that the answer names by its hash held it."
    )


class MeasuredConstraintSerializer(ConstraintSerializer):
    """A constraint with what it does."""

    rates = serializers.SerializerMethodField()
    effect = serializers.SerializerMethodField()

    class Meta(ConstraintSerializer.Meta):
        fields = [*ConstraintSerializer.Meta.fields, "rates", "effect"]

    @extend_schema_field(RatesSerializer)
    def get_rates(self, constraint: Constraint) -> dict[str, object]:
        found = rates(constraint, now=timezone.now())
        return dict(RatesSerializer(found).data)

    @extend_schema_field(EffectSerializer(allow_null=True))
    def get_effect(self, constraint: Constraint) -> dict[str, object] | None:
        found = effect_in_force(constraint, now=timezone.now())
        return None if found is None else dict(EffectSerializer(found).data)

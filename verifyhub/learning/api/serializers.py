"""What the API says of learning."""

from dataclasses import dataclass
from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from verifyhub.common.contract import ContractModel
from verifyhub.learning.models import FeedbackKind, LabelledExample, PreferencePair
from verifyhub.learning.selectors.effects import MEASURES


@extend_schema_serializer(component_name="LearningShare")
class ShareSerializer(serializers.Serializer[Any]):
    """A share with its n and its 95 % Wilson interval; null where n is 0."""

    count = serializers.IntegerField()
    total = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    low = serializers.FloatField(allow_null=True)
    high = serializers.FloatField(allow_null=True)
    few = serializers.BooleanField(source="is_small", help_text="Fewer than 20 cases.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleQuery(ContractModel):
    """Which examples to list."""

    state: LabelledExample.State | None = None
    target: LabelledExample.Target | None = None


class ExampleSerializer(serializers.ModelSerializer[LabelledExample]):
    """One decision of a person about an answer, a name or a claim of work."""

    class Meta:
        model = LabelledExample
        fields = [
            "id",
            "interaction",
            "target",
            "subject",
            "subject_kind",
            "machine",
            "person",
            "reason",
            "task_excerpt",
            "answer_excerpt",
            "state",
            "active",
            "decided_at",
        ]


class PairSerializer(serializers.ModelSerializer[PreferencePair]):
    """A task with the answer a person wrote and the one they rejected."""

    task = serializers.CharField(source="interaction.task")
    rejected = serializers.CharField(
        source="interaction.answer", help_text="The agent's answer, as it was sent."
    )
    chosen = serializers.CharField(help_text="The person's correction of it, whole.")
    agent = serializers.CharField(source="interaction.agent_name")

    class Meta:
        model = PreferencePair
        fields = [
            "id",
            "interaction",
            "task",
            "chosen",
            "rejected",
            "agent",
            "machine",
            "reason",
            "decided_at",
        ]


class ReliabilityBinSerializer(serializers.Serializer[Any]):
    """Samples whose score lies in one tenth."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    score = serializers.FloatField(help_text="Mean score.")
    right = ShareSerializer(help_text="Of those, what people call right.")


class CalibrationSerializer(serializers.Serializer[Any]):
    """One check's scores against people's labels, over 90 days."""

    check = serializers.CharField()
    n = serializers.IntegerField(source="measured.n")
    few = serializers.BooleanField(source="measured.is_small")
    right = ShareSerializer(source="measured.right")
    brier = serializers.FloatField(
        source="measured.brier", help_text="0 best, 1 worst."
    )
    ece = serializers.FloatField(
        source="measured.ece", help_text="Expected calibration error, ten bins."
    )
    bins = ReliabilityBinSerializer(source="measured.bins", many=True)


class DifferenceSerializer(serializers.Serializer[Any]):
    """A difference of two shares with Newcombe's 95 % interval."""

    value = serializers.FloatField(allow_null=True)
    interval = serializers.ListField(
        child=serializers.FloatField(), allow_null=True, min_length=2, max_length=2
    )


class OneAdviceSerializer(serializers.Serializer[Any]):
    """A threshold whose other value would have served better."""

    name = serializers.CharField()
    now = serializers.JSONField()
    value = serializers.JSONField()
    caught = ShareSerializer(help_text="Of the rejected, those it would have held up.")
    extra = ShareSerializer(help_text="Of the accepted, those it would have held up.")
    gain = DifferenceSerializer()


class AdviceSerializer(serializers.Serializer[Any]):
    """How strict to be; no advice where there are fewer than 20 decisions."""

    days = serializers.IntegerField()
    rejected = ShareSerializer(
        help_text="Of answers that the machine accepts and people decided about."
    )
    few = serializers.BooleanField()
    advice = OneAdviceSerializer(many=True)


class PriorRowSerializer(serializers.Serializer[Any]):
    """One agent, model or tool."""

    name = serializers.CharField()
    answers = ShareSerializer(help_text="Answers that stood up.")
    names = ShareSerializer(help_text="Names with evidence, of those that count.")
    looked_at = serializers.IntegerField()


class PriorsSerializer(serializers.Serializer[Any]):
    """Records over 90 days, the most used first."""

    agents = PriorRowSerializer(many=True)
    models = PriorRowSerializer(many=True)
    tools = PriorRowSerializer(many=True)


class MeasuredSerializer(serializers.Serializer[Any]):
    """One figure in both arms."""

    name = serializers.ChoiceField(choices=[(name, name) for name in MEASURES])
    told = ShareSerializer()
    held_out = ShareSerializer()
    difference = DifferenceSerializer(help_text="Told less held out.")


@extend_schema_serializer(component_name="LearningEffect")
class EffectSerializer(serializers.Serializer[Any]):
    """One kind of feedback and what it showed so far."""

    kind = serializers.ChoiceField(choices=FeedbackKind.choices)
    share = serializers.IntegerField(help_text="Percent of new sessions held out.")
    sessions = serializers.ListField(
        child=serializers.IntegerField(),
        min_length=2,
        max_length=2,
        help_text="With answers: told, held out.",
    )
    few = serializers.BooleanField(
        source="is_few", help_text="Fewer than 20 sessions in either arm."
    )
    measures = MeasuredSerializer(many=True)


class EffectsSerializer(serializers.Serializer[Any]):
    """Every kind of feedback."""

    effects = EffectSerializer(many=True)


class CalibrationsSerializer(serializers.Serializer[Any]):
    """Every check that decisions label."""

    checks = CalibrationSerializer(many=True)

"""Shapes of alerts and weekly reports in the API."""

from dataclasses import dataclass
from typing import Literal

from rest_framework import serializers

from verifyhub.common.contract import ContractModel
from verifyhub.reports.measures import Measure
from verifyhub.reports.models import Alert, WeeklyReport


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertQuery(ContractModel):
    """Which alerts."""

    state: Literal["standing", "over"] | None = None
    """Else both."""
    measure: Measure | None = None


class AlertSerializer(serializers.ModelSerializer[Alert]):
    """A time during which a figure was above its bound."""

    rule = serializers.UUIDField(source="rule_id")
    unit = serializers.SerializerMethodField(
        help_text="Of value, threshold and peak: share, rise, answers, hours, minutes."
    )

    class Meta:
        model = Alert
        fields = [
            "id",
            "rule",
            "name",
            "measure",
            "unit",
            "threshold",
            "agent",
            "detail",
            "value",
            "n",
            "low",
            "high",
            "peak",
            "raised_at",
            "cleared_at",
        ]

    def get_unit(self, alert: Alert) -> str:
        """Return what the numbers count."""
        return Measure(alert.measure).unit


class ReportSerializer(serializers.ModelSerializer[WeeklyReport]):
    """A week's figures as they stood when the report was made."""

    first_day = serializers.DateField()
    last_day = serializers.DateField()
    figures = serializers.DictField(
        help_text="Shares have count, total, value, low and high (95 %, Wilson), and"
        " small; pairs of weeks a difference (95 %, Newcombe) and change: more, less,"
        " same, or unknown."
    )

    class Meta:
        model = WeeklyReport
        fields = ["id", "first_day", "last_day", "since", "until", "created_at"]
        fields += ["figures"]

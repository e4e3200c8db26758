"""What the API says of calibrations in force, their versions, and blocking."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from drf_spectacular.utils import OpenApiExample
from pydantic import Field
from rest_framework import serializers

from verifyhub.common.contract import ContractModel, Share
from verifyhub.engine.calibration.conformal import DEFAULT_AT_MOST, MAX_AT_MOST
from verifyhub.learning.models import MAX_CHECK_NAME, BlockingRule, CalibrationModel

VERSION = "`platt 3`, `isotonic 4`, or `uncalibrated`."
CALIBRATE = OpenApiExample(
    "A layer's score", {"check": "semantic_entropy", "score": 0.8}, request_only=True
)
CALIBRATED = OpenApiExample(
    "Calibrated",
    {
        "check": "semantic_entropy",
        "score": 0.8,
        "calibrated": 0.71,
        "calibration": "platt 3",
    },
    response_only=True,
)
FIT = OpenApiExample("The verdict", {"check": "verdict"}, request_only=True)
RETURN = OpenApiExample(
    "To the version before", {"check": "verdict", "to": "previous"}, request_only=True
)
BLOCK = OpenApiExample(
    "At most 5 %", {"check": "verdict", "at_most": 0.05}, request_only=True
)


ABOUT_CHECK = "`verdict` for its confidence, a layer, or another check."
CheckName = Annotated[
    str, Field(min_length=1, max_length=MAX_CHECK_NAME, description=ABOUT_CHECK)
]


class CheckField(serializers.CharField):
    """The name of a check."""

    def __init__(self, **options: Any) -> None:
        super().__init__(help_text=ABOUT_CHECK, **options)


@dataclass(frozen=True, slots=True, kw_only=True)
class FitRequest(ContractModel):
    """Which check to fit."""

    check: CheckName


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnRequest(ContractModel):
    """Which check to take back, and how far."""

    check: CheckName
    to: Literal["previous", "uncalibrated"] = "previous"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRequest(ContractModel):
    """Whose score blocks answers, and which share of right ones it may block."""

    check: CheckName = "verdict"
    at_most: Annotated[float, Field(strict=True, ge=0.001, le=MAX_AT_MOST)] = (
        DEFAULT_AT_MOST
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateRequest(ContractModel):
    """A raw score."""

    check: CheckName
    score: Share


class CalibratedSerializer(serializers.Serializer[Any]):
    """A score as the calibration in force has it."""

    check = CheckField()
    score = serializers.FloatField()
    calibrated = serializers.FloatField(
        allow_null=True,
        help_text="Probability that the thing is right; null while uncalibrated.",
    )
    calibration = serializers.CharField(help_text=VERSION)


class InForceSerializer(serializers.Serializer[Any]):
    """What is in force of a check."""

    check = CheckField()
    calibration = serializers.CharField(help_text=VERSION)


class HeldOutSerializer(serializers.Serializer[Any]):
    """Decisions that the fit had not seen, by one kind of score."""

    n = serializers.IntegerField()
    brier = serializers.FloatField()
    ece = serializers.FloatField()


class VersionSerializer(serializers.ModelSerializer[CalibrationModel]):
    """One version of a check's calibration."""

    check = CheckField(source="check_name")
    calibration = serializers.CharField(source="version", help_text=VERSION)
    wrong = serializers.IntegerField()
    before = HeldOutSerializer(help_text="By raw score.")
    after = HeldOutSerializer(
        allow_null=True, help_text="By calibrated score; null where the curve falls."
    )
    fitted_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = CalibrationModel
        fields = [
            "id",
            "check",
            "calibration",
            "state",
            "refusal",
            "kind",
            "parameters",
            "n",
            "right",
            "wrong",
            "before",
            "after",
            "since",
            "until",
            "fitted_at",
            "fitted_by",
            "activated_at",
            "activated_by",
        ]


class MissingSerializer(serializers.Serializer[Any]):
    """Decisions that a fit still needs."""

    in_all = serializers.IntegerField()
    right = serializers.IntegerField()
    wrong = serializers.IntegerField()


class CheckBoardSerializer(serializers.Serializer[Any]):
    """One check."""

    check = CheckField()
    calibration = serializers.CharField(help_text=VERSION)
    n = serializers.IntegerField(source="counted.n")
    right = serializers.IntegerField(source="counted.right")
    wrong = serializers.IntegerField(source="counted.wrong")
    missing = MissingSerializer()
    taken_back = serializers.IntegerField(
        help_text="Decisions that the version in force stands on and that do not count"
        " any more."
    )
    versions = VersionSerializer(many=True, help_text="The newest ones.")


class BlockingSerializer(serializers.ModelSerializer[BlockingRule]):
    """A threshold under which answers are blocked."""

    check = CheckField(source="check_name")
    score = serializers.FloatField(help_text="The least raw score that passes.")
    at_most = serializers.FloatField(help_text="Share of right answers blocked.")
    promise = serializers.CharField(source="threshold.promise")

    class Meta:
        model = BlockingRule
        fields = [
            "version",
            "check",
            "score",
            "at_most",
            "promise",
            "n",
            "rank",
            "caught",
            "wrong",
            "activated_by",
            "created_at",
            "ended_at",
        ]


class BoardSerializer(serializers.Serializer[Any]):
    """Every check that decisions label, and what blocks answers."""

    checks = CheckBoardSerializer(many=True)
    blocking = BlockingSerializer(allow_null=True)

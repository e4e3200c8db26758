"""API bodies of active calibrations, their versions, and blocking."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from drf_spectacular.utils import OpenApiExample
from pydantic import Field

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import ContractModel, Count, Share
from verifyhub.engine.calibration.conformal import DEFAULT_AT_MOST, MAX_AT_MOST
from verifyhub.learning.models import MAX_CHECK_NAME, CalibrationModel

Version = Annotated[
    str, Field(description="`platt 3`, `isotonic 4`, or `uncalibrated`.")
]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FitRequest(ContractModel):
    """Which check to fit."""

    check: CheckName


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnRequest(ContractModel):
    """The check to revert, and to which version."""

    check: CheckName
    to: Literal["previous", "uncalibrated"] = "previous"


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockRequest(ContractModel):
    """The check whose score blocks answers, and the share of correct answers it may
    block."""

    check: CheckName = "verdict"
    at_most: Annotated[float, Field(strict=True, ge=0.001, le=MAX_AT_MOST)] = (
        DEFAULT_AT_MOST
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateRequest(ContractModel):
    """A raw score."""

    check: CheckName
    score: Share


class CalibratedBody(RowBody):
    """A score with the active calibration applied."""

    check: CheckName
    score: float
    calibrated: float | None
    """Probability of being correct; null if uncalibrated."""
    calibration: Version


class InForceBody(RowBody):
    """The active version of a check."""

    check: CheckName
    calibration: Version


class HeldOutBody(RowBody):
    """Held-out decisions, by one kind of score."""

    n: Count
    brier: float
    ece: float


class VersionBody(RowBody):
    """One version of a check's calibration."""

    id: UUID
    check: Annotated[str, read_from("check_name")]
    calibration: Annotated[Version, read_from("version")]
    state: CalibrationModel.State
    refusal: CalibrationModel.Refusal | Literal[""]
    kind: str
    parameters: Any
    n: Count
    right: Count
    wrong: Count
    before: HeldOutBody
    """With raw scores."""
    after: HeldOutBody | None
    """With calibrated scores; null if the curve falls."""
    since: datetime
    until: datetime
    fitted_at: Annotated[datetime, read_from("created_at")]
    fitted_by: str
    activated_at: datetime | None
    activated_by: str


class MissingBody(RowBody):
    """Decisions that a fit still needs."""

    in_all: int
    right: int
    wrong: int


class CheckBoardBody(RowBody):
    """One check."""

    check: CheckName
    calibration: Version
    n: Annotated[Count, read_from("counted.n")]
    right: Annotated[Count, read_from("counted.right")]
    wrong: Annotated[Count, read_from("counted.wrong")]
    missing: MissingBody
    taken_back: Count
    """Decisions behind the active version that no longer count."""
    versions: list[VersionBody]
    """The newest versions."""


class BlockingBody(RowBody):
    """A threshold below which answers are blocked."""

    version: str
    check: Annotated[str, read_from("check_name")]
    score: float
    """The lowest raw score that passes."""
    at_most: float
    """Share of correct answers blocked."""
    promise: Annotated[str, read_from("threshold.promise")]
    n: Count
    rank: Count
    caught: Count
    wrong: Count
    activated_by: str
    created_at: datetime
    ended_at: datetime | None


class BoardBody(RowBody):
    """The checks that decisions label, and the blocking threshold."""

    checks: list[CheckBoardBody]
    blocking: BlockingBody | None

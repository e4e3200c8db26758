"""What the API says of active calibrations, their versions, and blocking."""

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


class CalibratedBody(RowBody):
    """A score as the active calibration has it."""

    check: CheckName
    score: float
    calibrated: float | None
    """Probability that the thing is right; null while uncalibrated."""
    calibration: Version


class InForceBody(RowBody):
    """What is in force of a check."""

    check: CheckName
    calibration: Version


class HeldOutBody(RowBody):
    """Decisions that the fit had not seen, by one kind of score."""

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
    """By raw score."""
    after: HeldOutBody | None
    """By calibrated score; null where the curve falls."""
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
    """Decisions that the version in force stands on and that do not count any more."""
    versions: list[VersionBody]
    """The newest ones."""


class BlockingBody(RowBody):
    """A threshold under which answers are blocked."""

    version: str
    check: Annotated[str, read_from("check_name")]
    score: float
    """The least raw score that passes."""
    at_most: float
    """Share of right answers blocked."""
    promise: Annotated[str, read_from("threshold.promise")]
    n: Count
    rank: Count
    caught: Count
    wrong: Count
    activated_by: str
    created_at: datetime
    ended_at: datetime | None


class BoardBody(RowBody):
    """Every check that decisions label, and what blocks answers."""

    checks: list[CheckBoardBody]
    blocking: BlockingBody | None

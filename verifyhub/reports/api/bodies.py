"""Alerts and weekly reports in the API."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from verifyhub.common.api_bodies import RowBody, read_from
from verifyhub.common.contract import ContractModel, Count
from verifyhub.reports.measures import Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertQuery(ContractModel):
    """Which alerts."""

    state: Literal["standing", "over"] | None = None
    """Else both."""
    measure: Measure | None = None


class AlertBody(RowBody):
    """A time during which a figure was above its bound."""

    id: UUID
    rule: Annotated[UUID, read_from("rule_id")]
    name: str
    measure: Measure
    unit: str
    """Of value, threshold and peak: share, rise, answers, hours, minutes."""
    threshold: float
    agent: str
    detail: str
    value: float
    n: Count
    low: float | None
    high: float | None
    peak: float
    raised_at: datetime
    cleared_at: datetime | None


class ReportBody(RowBody):
    """A week's figures as they stood when the report was made."""

    id: UUID
    first_day: date
    last_day: date
    since: datetime
    until: datetime
    created_at: datetime
    figures: dict[str, Any]
    """Shares have count, total, value, low and high (95 %, Wilson), and small; pairs
    of weeks a difference (95 %, Newcombe) and change: more, less, same, or unknown."""

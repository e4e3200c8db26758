"""API: read alerts and weekly reports."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.common.api import PAGE_PARAMETERS, page_of, page_parameters
from verifyhub.common.api_bodies import (
    RowBody,
    operation,
    query_of,
    read_from,
    shown,
    shown_page,
)
from verifyhub.common.contract import ContractModel, Count
from verifyhub.reports.measures import Measure
from verifyhub.reports.models import Alert
from verifyhub.reports.selectors import lists

ALERT: dict[str, Any] = {
    "id": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "rule": "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    "name": "Too many flagged",
    "measure": "flagged_share",
    "unit": "share",
    "threshold": 0.5,
    "agent": "coder",
    "detail": "",
    "value": 0.62,
    "n": 50,
    "low": 0.48,
    "high": 0.74,
    "peak": 0.66,
    "raised_at": "2026-11-21T08:00:00Z",
    "cleared_at": None,
}
_SHARE = {
    "count": 4,
    "total": 40,
    "value": 0.1,
    "low": 0.04,
    "high": 0.23,
    "small": False,
}
REPORT: dict[str, Any] = {
    "id": "0d9c3c5e-8f3c-4ad5-8f0e-6a2c8c5b1c77",
    "first_day": "2026-11-09",
    "last_day": "2026-11-15",
    "since": "2026-11-09T00:00:00Z",
    "until": "2026-11-16T00:00:00Z",
    "created_at": "2026-11-16T07:00:02Z",
    "figures": {
        "schema": 1,
        "days": {"first": "2026-11-09", "last": "2026-11-15", "zone": "UTC"},
        "checked": {"now": 40, "before": 38},
        "flagged": {
            "now": _SHARE,
            "before": {**_SHARE, "total": 38, "value": 0.105},
            "difference": -0.005,
            "difference_low": -0.15,
            "difference_high": 0.14,
            "change": "same",
        },
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertQuery(ContractModel):
    """Which alerts."""

    state: Literal["standing", "over"] | None = None
    """Only alerts in this state; default: both."""
    measure: Measure | None = None


class AlertBody(RowBody):
    """A period during which a metric exceeded its threshold."""

    id: UUID
    rule: Annotated[UUID, read_from("rule_id")]
    name: str
    measure: Measure
    unit: str
    """Unit of value, threshold and peak: share, rise, answers, hours, minutes."""
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
    """The metrics of a week at the time of the report."""

    id: UUID
    first_day: date
    last_day: date
    since: datetime
    until: datetime
    created_at: datetime
    figures: dict[str, Any]
    """Shares have count, total, value, low and high (95 %, Wilson), and small; pairs
    of weeks a difference (95 %, Newcombe) and change: more, less, same, or unknown."""


WEEKS, MAX_WEEKS = 20, 100


def _alert(alert: Alert) -> dict[str, Any]:
    return AlertBody.of(alert, unit=Measure(alert.measure).unit)


class AlertListView(APIView):
    """The project's alerts."""

    @operation(
        "listAlerts",
        "List alerts, newest first",
        scope="read",
        query=AlertQuery,
        parameters=PAGE_PARAMETERS,
        replies={200: shown_page(AlertBody, ALERT)},
    )
    def get(self, request: Request) -> Response:
        query = query_of(request, AlertQuery)
        rows = lists.alerts(key_of(request).project)
        if query.measure:
            rows = rows.filter(measure=query.measure)
        if query.state:
            rows = rows.filter(cleared_at__isnull=query.state == "standing")
        return page_of(rows, request, ordering=("-raised_at", "-id"), body=_alert)


class ReportListView(APIView):
    """The project's weekly reports."""

    @operation(
        "listWeeklyReports",
        "List weekly reports, newest first",
        scope="read",
        parameters=page_parameters(WEEKS, MAX_WEEKS),
        replies={200: shown_page(ReportBody, REPORT)},
    )
    def get(self, request: Request) -> Response:
        return page_of(
            lists.reports(key_of(request).project),
            request,
            ordering=("-until", "-id"),
            body=ReportBody.of,
            size=WEEKS,
            most=MAX_WEEKS,
        )


class ReportView(APIView):
    """One weekly report."""

    @operation(
        "getWeeklyReport",
        "Read a weekly report",
        scope="read",
        replies={200: shown(ReportBody, REPORT)},
    )
    def get(self, request: Request, pk: UUID) -> Response:
        report = get_object_or_404(lists.reports(key_of(request).project), pk=pk)
        return Response(ReportBody.of(report))

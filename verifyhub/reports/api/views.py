"""Alerts and weekly reports for programs; all of it only reads."""

from typing import Any, cast
from uuid import UUID

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Project
from verifyhub.common.api import PAGE_PARAMETERS, page_of, page_parameters
from verifyhub.common.api_bodies import query_of, shown, shown_page
from verifyhub.reports.api.bodies import AlertBody, AlertQuery, ReportBody
from verifyhub.reports.api.examples import ALERT, REPORT
from verifyhub.reports.measures import Measure
from verifyhub.reports.models import Alert
from verifyhub.reports.selectors import lists

WEEKS, MAX_WEEKS = 20, 100


def _project(request: Request) -> Project:
    return key_of(request).project


def _alert(alert: Alert) -> dict[str, Any]:
    return AlertBody.of(alert, unit=Measure(alert.measure).unit)


class AlertListView(APIView):
    """The project's alerts."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="listAlerts",
        tags=["reports"],
        summary="List the alerts, newest first (scope: read)",
        parameters=[cast(Any, AlertQuery), *PAGE_PARAMETERS],
        responses={200: shown_page(AlertBody, ALERT)},
    )
    def get(self, request: Request) -> Response:
        query = query_of(request, AlertQuery)
        rows = lists.alerts(_project(request))
        if query.measure:
            rows = rows.filter(measure=query.measure)
        if query.state:
            rows = rows.filter(cleared_at__isnull=query.state == "standing")
        return page_of(rows, request, ordering=("-raised_at", "-id"), body=_alert)


class ReportListView(APIView):
    """The project's weekly reports."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="listWeeklyReports",
        tags=["reports"],
        summary="List the weekly reports, newest first (scope: read)",
        parameters=page_parameters(WEEKS, MAX_WEEKS),
        responses={200: shown_page(ReportBody, REPORT)},
    )
    def get(self, request: Request) -> Response:
        return page_of(
            lists.reports(_project(request)),
            request,
            ordering=("-until", "-id"),
            body=ReportBody.of,
            size=WEEKS,
            most=MAX_WEEKS,
        )


class ReportView(APIView):
    """One weekly report."""

    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="getWeeklyReport",
        tags=["reports"],
        summary="Read one weekly report (scope: read)",
        responses={
            200: shown(ReportBody, REPORT),
            404: OpenApiResponse(description="There is no such report."),
        },
    )
    def get(self, request: Request, pk: UUID) -> Response:
        report = get_object_or_404(lists.reports(_project(request)), pk=pk)
        return Response(ReportBody.of(report))

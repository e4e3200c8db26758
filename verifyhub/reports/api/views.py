"""Alerts and weekly reports for programs; all of it only reads."""

from typing import Any, cast

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiExample, OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from verifyhub.accounts.authentication import key_of
from verifyhub.accounts.models import Project
from verifyhub.common.api import LimitedPages
from verifyhub.common.api_bodies import query_of
from verifyhub.reports.api.examples import ALERT, REPORT
from verifyhub.reports.api.serializers import (
    AlertQuery,
    AlertSerializer,
    ReportSerializer,
)
from verifyhub.reports.models import Alert, WeeklyReport
from verifyhub.reports.selectors import lists


def _project(request: Request) -> Project:
    return key_of(request).project


class NewestAlerts(LimitedPages):
    """The last raised first."""

    ordering = ("-raised_at", "-id")


class AlertListView(ListAPIView[Alert]):
    """The project's alerts."""

    required_scopes = {"GET": "read"}
    serializer_class = AlertSerializer
    pagination_class = NewestAlerts

    @extend_schema(
        operation_id="listAlerts",
        tags=["reports"],
        summary="List the alerts, newest first (scope: read)",
        parameters=[cast(Any, AlertQuery)],
        examples=[OpenApiExample("An alert", ALERT, response_only=True)],
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Alert]:
        query = query_of(self.request, AlertQuery)
        rows = lists.alerts(_project(self.request))
        if query.measure:
            rows = rows.filter(measure=query.measure)
        if query.state:
            rows = rows.filter(cleared_at__isnull=query.state == "standing")
        return rows


class NewestReports(LimitedPages):
    """The last week first."""

    ordering = ("-until", "-id")
    page_size = 20
    max_page_size = 100


class ReportListView(ListAPIView[WeeklyReport]):
    """The project's weekly reports."""

    required_scopes = {"GET": "read"}
    serializer_class = ReportSerializer
    pagination_class = NewestReports

    @extend_schema(
        operation_id="listWeeklyReports",
        tags=["reports"],
        summary="List the weekly reports, newest first (scope: read)",
        examples=[OpenApiExample("A report", REPORT, response_only=True)],
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[WeeklyReport]:
        return lists.reports(_project(self.request))


class ReportView(RetrieveAPIView[WeeklyReport]):
    """One weekly report."""

    required_scopes = {"GET": "read"}
    serializer_class = ReportSerializer

    @extend_schema(
        operation_id="getWeeklyReport",
        tags=["reports"],
        summary="Read one weekly report (scope: read)",
        responses={
            200: OpenApiResponse(
                ReportSerializer, examples=[OpenApiExample("A report", REPORT)]
            ),
            404: OpenApiResponse(description="There is no such report."),
        },
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[WeeklyReport]:
        return lists.reports(_project(self.request))

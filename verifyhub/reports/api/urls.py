"""Addresses of alerts and weekly reports below `/api/v1/`."""

from django.urls import path

from verifyhub.reports.api import views

urlpatterns = [
    path("alerts/", views.AlertListView.as_view(), name="api-alerts"),
    path("reports/", views.ReportListView.as_view(), name="api-reports"),
    path("reports/<uuid:pk>/", views.ReportView.as_view(), name="api-report"),
]

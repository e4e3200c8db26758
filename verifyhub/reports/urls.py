"""Alerts and weekly reports, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.reports import views

app_name = "reports"

urlpatterns = [
    path("alerts/", views.alert_list, name="alerts"),
    path("alerts/<uuid:rule_id>/", views.rule_edit, name="rule"),
    path("alerts/<uuid:rule_id>/delete/", views.rule_delete, name="rule-delete"),
    path("alerts/test-letter/", views.trial_letter, name="trial-letter"),
    path("reports/", views.report_list, name="list"),
    path("reports/plan/", views.plan_save, name="plan"),
    path("reports/make/", views.report_make, name="make"),
    path("reports/<uuid:report_id>/", views.report, name="report"),
]

"""Exports under the API's root."""

from django.urls import path

from verifyhub.metrics.api.views import ExportView

app_name = "metrics-api"

urlpatterns = [path("exports/<slug:what>/", ExportView.as_view(), name="export")]

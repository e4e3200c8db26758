"""Schemas of tools' outputs and gateways that sign traces, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.verification.pages import (
    check_views,
    gateway_views,
    preset_views,
    upload_views,
    views,
)

app_name = "verification"

urlpatterns = [
    path("gateways/", gateway_views.gateway_list, name="gateway-list"),
    path(
        "gateways/<uuid:key_id>/revoke/",
        gateway_views.gateway_revoke,
        name="gateway-revoke",
    ),
    path("settings/claims/", check_views.checks, name="checks"),
    path("detection/", check_views.detection_list, name="detection-list"),
    path("detection/<uuid:detection_id>/", check_views.detection, name="detection"),
    path(
        "answers/<uuid:uuid>/layers/", check_views.answer_layers, name="answer-layers"
    ),
    path("upload/", upload_views.upload, name="upload"),
    path("upload/<uuid:upload_id>/", upload_views.preview, name="upload-preview"),
    path("settings/presets/", preset_views.presets, name="presets"),
    path("schemas/", views.schema_list, name="schema-list"),
    path("schemas/<uuid:schema_id>/delete/", views.schema_delete, name="schema-delete"),
]

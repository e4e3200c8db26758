"""Secrets and personal data, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.privacy import deletion_views, disk_use_views, views

app_name = "privacy"

urlpatterns = [
    path("settings/secrets/", views.masking, name="masking"),
    path("answers/<uuid:uuid>/secrets/", views.values, name="values"),
    path("settings/disk-use/", disk_use_views.page, name="disk-use"),
    path("settings/data/", deletion_views.data, name="data"),
    path("settings/data/delete/", deletion_views.ask, name="deletion-ask"),
    path("settings/data/hold/", deletion_views.hold, name="hold"),
    path(
        "settings/data/hold/<uuid:hold_id>/release/",
        deletion_views.release,
        name="hold-release",
    ),
    path("settings/data/<uuid:deletion_id>/", deletion_views.deletion, name="deletion"),
    path(
        "settings/data/<uuid:deletion_id>/<slug:verb>/",
        deletion_views.act,
        name="deletion-act",
    ),
]

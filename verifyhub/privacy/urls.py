"""Secrets and personal data, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.privacy import deletion_views, views

app_name = "privacy"

DATA = "settings/data/"

urlpatterns = [
    path("settings/secrets/", views.masking, name="masking"),
    path("answers/<uuid:uuid>/secrets/", views.values, name="values"),
    path("settings/disk-use/", views.disk_use_page, name="disk-use"),
    path(DATA, deletion_views.data, name="data"),
    path(f"{DATA}delete/", deletion_views.ask, name="deletion-ask"),
    path(f"{DATA}hold/", deletion_views.hold, name="hold"),
    path(
        f"{DATA}hold/<uuid:hold_id>/release/",
        deletion_views.release,
        name="hold-release",
    ),
    path(f"{DATA}<uuid:deletion_id>/", deletion_views.deletion, name="deletion"),
    path(
        f"{DATA}<uuid:deletion_id>/<slug:verb>/",
        deletion_views.act,
        name="deletion-act",
    ),
]

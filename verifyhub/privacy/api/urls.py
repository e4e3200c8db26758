"""Addresses of secrets and personal data below `/api/v1/`."""

from django.urls import path

from verifyhub.privacy.api import deletions, holds, views

DELETION = "deletions/<uuid:deletion_id>/"

urlpatterns = [
    path("masking/", views.Masking.as_view(), name="api-masking"),
    path("retention/", deletions.RetentionSettings.as_view(), name="api-retention"),
    path("legal-holds/", holds.LegalHolds.as_view(), name="api-legal-holds"),
    path(
        "legal-holds/<uuid:hold_id>/release/",
        holds.LegalHoldRelease.as_view(),
        name="api-legal-hold-release",
    ),
    path("deletions/", deletions.Deletions.as_view(), name="api-deletions"),
    path(DELETION, deletions.DeletionDetail.as_view(), name="api-deletion"),
    path(
        f"{DELETION}confirm/",
        deletions.DeletionConfirm.as_view(),
        name="api-deletion-confirm",
    ),
    path(
        f"{DELETION}stop/", deletions.DeletionStop.as_view(), name="api-deletion-stop"
    ),
]

"""Addresses of secrets and personal data below `/api/v1/`."""

from django.urls import path

from verifyhub.privacy.api import views

urlpatterns = [
    path("masking/", views.Masking.as_view(), name="api-masking"),
]

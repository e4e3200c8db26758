"""Secrets and personal data, below `/p/<slug>/`."""

from django.urls import path

from verifyhub.privacy import views

app_name = "privacy"

urlpatterns = [
    path("settings/secrets/", views.masking, name="masking"),
    path("answers/<uuid:uuid>/secrets/", views.values, name="values"),
]

"""The HTML root."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("verifyhub.accounts.urls")),
]

"""The API's root, its description and the page that shows it."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import TemplateView

from verifyhub.config.openapi import openapi

urlpatterns: list[URLPattern | URLResolver] = [
    path("v1/", include("verifyhub.verification.api.urls")),
    path("v1/", include("verifyhub.events.api.urls")),
    path("v1/", include("verifyhub.memory.api.urls")),
    path("v1/", include("verifyhub.knowledge.api.urls")),
    path("v1/", include("verifyhub.learning.api.urls")),
    path("v1/", include("verifyhub.review.api.urls")),
    path("v1/", include("verifyhub.metrics.api.urls")),
    path("v1/", include("verifyhub.exports.api.urls")),
    path("v1/", include("verifyhub.reports.api.urls")),
    path("v1/", include("verifyhub.privacy.api.urls")),
    path("openapi.json", openapi, name="openapi"),
    path(
        "docs/",
        TemplateView.as_view(template_name="api/docs.html"),
        name="api-docs",
    ),
]

"""The HTML root."""

from django.urls import URLPattern, URLResolver, include, path

from verifyhub.config import health
from verifyhub.config.csp_reports import csp_report
from verifyhub.review.home import home, project_list

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("projects/", project_list, name="project-list"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("csp-reports/", csp_report, name="csp-report"),
    path("api/", include("verifyhub.config.api_urls")),
    # Exporters append `v1/traces` to their endpoint.
    path("", include("verifyhub.ingest.api.otlp_urls")),
    path("", include("verifyhub.accounts.urls")),
    path("", include("verifyhub.metrics.urls")),
    path("p/<slug:slug>/", include("verifyhub.review.urls")),
    path("p/<slug:slug>/", include("verifyhub.memory.urls")),
    path("p/<slug:slug>/", include("verifyhub.knowledge.urls")),
    path("p/<slug:slug>/", include("verifyhub.learning.urls")),
    path("p/<slug:slug>/", include("verifyhub.inference.urls")),
    path("p/<slug:slug>/", include("verifyhub.events.urls")),
    path("p/<slug:slug>/", include("verifyhub.exports.urls")),
    path("p/<slug:slug>/", include("verifyhub.verification.urls")),
    path("p/<slug:slug>/", include("verifyhub.ingest.urls")),
    path("p/<slug:slug>/", include("verifyhub.reports.urls")),
    path("p/<slug:slug>/", include("verifyhub.privacy.urls")),
]

handler400 = "verifyhub.common.api.bad_request"
handler404 = "verifyhub.common.api.not_found"
handler500 = "verifyhub.common.api.server_error"

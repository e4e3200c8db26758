"""URLs that OpenTelemetry exporters send to; the request guard lists them too."""

from django.urls import re_path

from verifyhub.common.request_guard import OTLP_LOGS, OTLP_TRACES
from verifyhub.ingest.api.otlp import OtlpLogs, OtlpTraces

urlpatterns = [
    # Some exporters add a slash; a redirect would lose the body.
    re_path(rf"^{path.removeprefix('/')}/?$", view.as_view(), name=name)
    for paths, view, name in (
        (OTLP_TRACES, OtlpTraces, "api-otlp"),
        (OTLP_LOGS, OtlpLogs, "api-otlp-logs"),
    )
    for path in paths
]

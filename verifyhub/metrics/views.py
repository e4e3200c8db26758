"""The metrics page, its plots, exports for people, and the scrape for Prometheus."""

from collections.abc import Callable
from ipaddress import ip_address

from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
)
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client.exposition import choose_encoder

from verifyhub.accounts.models import Project
from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.drawing import Theme, theme_from
from verifyhub.common.http import page_or_fragment
from verifyhub.metrics import plots, prometheus
from verifyhub.metrics.selectors import answers
from verifyhub.metrics.selectors.dashboard import dashboard as read_dashboard
from verifyhub.metrics.windows import CHOICES, Window, window_from

PLOTS: dict[str, Callable[[Project, Window, Theme], str]] = {
    "flagged-by-agent": lambda project, window, theme: plots.flagged_by_agent(
        answers.by_agent(project, window), theme
    ),
    "confidence": lambda project, window, theme: plots.confidence(
        answers.confidence_bins(project, window)[0], theme
    ),
    "verdicts-by-day": lambda project, window, theme: plots.verdicts_by_day(
        answers.by_day(project, window), theme
    ),
}


@require_safe
@project_page("metrics.view")
def dashboard(request: ProjectRequest) -> HttpResponse:
    """Show a project's figures for the window that `days` asks for."""
    now = timezone.now()
    window = window_from(request.GET.get("days", ""), now)
    context = {
        "project": request.project,
        "board": read_dashboard(request.project, window, now),
        "window": window,
        "windows": [str(days) if days else "all" for days in CHOICES],
        "answer_list": reverse("review:answer-list", args=[request.project.slug]),
        "queue": reverse("review:queue", args=[request.project.slug]),
    }
    return page_or_fragment(
        request, "metrics/dashboard.html", "metrics/_figures.html", context
    )


@require_safe
@project_page("metrics.view")
def plot(request: ProjectRequest, name: str) -> HttpResponse:
    """Draw one plot; `theme` is light or dark, `download` makes it a file."""
    if name not in PLOTS:
        raise Http404
    theme = theme_from(request.GET.get("theme"))
    window = window_from(request.GET.get("days", ""), timezone.now())
    response = HttpResponse(
        PLOTS[name](request.project, window, theme), content_type="image/svg+xml"
    )
    response["Cache-Control"] = "private, max-age=30"
    if "download" in request.GET:
        response["Content-Disposition"] = _attachment(request.project, f"{name}.svg")
    return response


@require_safe
def scrape(request: HttpRequest) -> HttpResponse:
    """Answer Prometheus: with the token where one is set, else only on loopback."""
    if not _may_scrape(request):
        raise Http404
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(prometheus.registry()), content_type=content_type)


def _may_scrape(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}")
    # A proxy on this machine would make every visitor look local.
    proxied = {"X-Forwarded-For", "Forwarded", "X-Real-Ip"} & set(request.headers)
    try:
        local = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        local = False
    return local and not proxied


def _attachment(project: Project, name: str) -> str:
    # Slugs hold only letters, digits, hyphens and underscores.
    return f'attachment; filename="{project.slug}-{name}"'

"""The metrics page, its plots, and the scrape for Prometheus."""

from ipaddress import ip_address

from django.conf import settings
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
)
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client.exposition import choose_encoder

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.replica import from_replica
from verifyhub.inference.selectors import budget_state
from verifyhub.metrics.counting.reading import one_reading
from verifyhub.metrics.pages.context import (
    asked_by,
    page_context,
    plot_file,
    plot_named,
)
from verifyhub.metrics.pages.tabs import PLOTS, TABS
from verifyhub.metrics.scrape import prometheus


@project_page("metrics.view", "GET")
@from_replica
def dashboard(request: ProjectRequest, tab: str = "overview") -> HttpResponse:
    """Show one tab for the window and the agents of the URL."""
    page = asked_by(request)
    with one_reading():
        answer = TABS[tab].answer(page)
    context = {
        **page_context(request, page, tab),
        "tab_word": TABS[tab].word,
        "question": TABS[tab].question,
        "answer": answer,
        "budget": budget_state(request.project, page.now),
    }
    return page_or_fragment(
        request, "metrics/dashboard.html", "metrics/_figures.html", context
    )


@project_page("metrics.view", "GET")
@from_replica
def plot(request: ProjectRequest, drawing: str, ending: str) -> HttpResponseBase:
    """Return one plot as a file: a drawing (`theme` is light or dark), or its table."""
    if drawing not in PLOTS:
        raise Http404
    figure = plot_named(asked_by(request), drawing)
    response = plot_file(figure, ending, request.GET.get("theme"))
    response["Cache-Control"] = "private, max-age=30"
    response["Content-Disposition"] = (
        f'attachment; filename="{request.project.slug}-{drawing}.{ending}"'
    )
    return response


@require_safe
def scrape(request: HttpRequest) -> HttpResponse:
    """Answer Prometheus: with the configured token, or else only on loopback."""
    if not _may_scrape(request):
        raise Http404
    encode, content_type = choose_encoder(request.headers.get("Accept", ""))
    return HttpResponse(encode(prometheus.registry()), content_type=content_type)


def _may_scrape(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        authorization = request.headers.get("Authorization", "")
        return constant_time_compare(authorization, f"Bearer {settings.METRICS_TOKEN}")
    # A proxy on this machine would make every client look local.
    proxied = {"X-Forwarded-For", "Forwarded", "X-Real-Ip"} & set(request.headers)
    try:
        local = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        local = False
    return local and not proxied

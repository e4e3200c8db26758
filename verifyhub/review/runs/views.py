"""Pages of runs: the sessions of a project, and one session as a tree."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.replica import from_replica
from verifyhub.ingest.models import Session
from verifyhub.review.runs.forms import RunFilterForm
from verifyhub.review.runs.pages import SessionPaginator, counted, run_context, sessions


@project_page("answers.view", "GET")
@from_replica
def run_list(request: ProjectRequest) -> HttpResponse:
    """List sessions with their last activity, last verdict and open flags."""
    form = RunFilterForm(request.GET)
    filters = form.filters()
    rows = sessions(request.project.id, filters, request.membership.user)
    pages = SessionPaginator(rows, request.project.id)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "rows": counted(request.project.id, page, request.membership.user),
        "filtered": bool(filters),
        "list_url": reverse("review:run-list", args=[request.project.slug]),
        "hub_url": request.build_absolute_uri("/").rstrip("/"),
    }
    return page_or_fragment(
        request, "review/run_list.html", "review/_run_table.html", context
    )


@project_page("answers.view", "GET")
def run_detail(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Show a session's tree; htmx polls while it is incomplete."""
    sessions = Session.objects.filter(project=request.project)
    session = get_object_or_404(sessions.select_related("project"), id=uuid)
    viewer = request.membership.user
    context = run_context(session, request.GET.get("page"), timezone.now(), viewer)
    if request.GET.get("known") == context["known"]:
        return HttpResponse(status=204)
    return page_or_fragment(
        request, "review/run.html", "review/_run_tree.html", context
    )

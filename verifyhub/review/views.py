"""Pages of the reviewer: the queue, the answers, and one answer with its evidence."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from verifyhub.accounts.models import Project
from verifyhub.accounts.permissions import ProjectRequest, project_page


@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Lead to the first project's queue."""
    project = (
        Project.objects.filter(memberships__user=request.user.pk)
        .order_by("created_at", "id")
        .first()
    )
    if project is None:
        return render(request, "no_project.html")
    return redirect("review:queue", slug=project.slug)


@project_page("answers.view")
def queue(request: ProjectRequest) -> HttpResponse:
    return render(request, "review/queue.html")

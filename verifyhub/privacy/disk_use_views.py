"""The page of a project's disk use."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.replica import from_replica
from verifyhub.privacy.disk_use import database_size, disk_use


@require_safe
@project_page("data.delete")
@from_replica
def page(request: ProjectRequest) -> HttpResponse:
    """Show the project's disk use in the database, by table."""
    tables = disk_use().get(request.project.id, [])
    context = {
        "project": request.project,
        "tables": tables,
        "size": sum(use.size for use in tables),
        "whole": database_size(),
    }
    return render(request, "privacy/disk_use.html", context)

"""Pages of secrets and personal data, and of a project's disk use."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from verifyhub.accounts.masking import set_masking
from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.replica import from_replica
from verifyhub.common.sealing import UnsealError
from verifyhub.ingest.models import Interaction
from verifyhub.privacy import services
from verifyhub.privacy.disk_use import database_size, disk_use
from verifyhub.privacy.forms import MaskingForm


@project_page("checks.manage", "GET", "POST")
def masking(request: ProjectRequest) -> HttpResponse:
    """Show and change the masking settings."""
    if request.method != "POST":
        return _settings(request, MaskingForm.of(request.project))
    form = MaskingForm(request.POST)
    if not form.is_valid():
        return _settings(request, form, status=422)
    set_masking(
        project=request.project, values=form.values(), actor=request.membership.user
    )
    messages.success(request, _("Saved. It applies to runs received from now on."))
    return redirect("privacy:masking", slug=request.project.slug)


def _settings(
    request: ProjectRequest, form: MaskingForm, *, status: int = 200
) -> HttpResponse:
    context = {"form": form}
    return render(request, "privacy/masking.html", context, status=status)


@never_cache
@project_page("answers.view", "GET", "POST")
def values(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Ask for confirmation, then show the values of a run's masks."""
    rows = Interaction.objects.filter(project=request.project)
    interaction = get_object_or_404(rows.select_related("masked_values"), pk=uuid)
    if not services.may_see_values(request.membership):
        raise PermissionDenied
    context: dict[str, Any] = {
        "interaction": interaction,
        "is_kept": hasattr(interaction, "masked_values"),
    }
    if request.method == "POST":
        try:
            context["values"] = services.show_values(
                interaction=interaction, membership=request.membership
            )
        except UnsealError:
            context["lost"] = True
    return render(request, "privacy/values.html", context)


@project_page("data.delete", "GET")
@from_replica
def disk_use_page(request: ProjectRequest) -> HttpResponse:
    """Show the project's disk use in the database, by table."""
    tables = disk_use().get(request.project.id, [])
    context = {
        "tables": tables,
        "size": sum(use.size for use in tables),
        "whole": database_size(),
    }
    return render(request, "privacy/disk_use.html", context)

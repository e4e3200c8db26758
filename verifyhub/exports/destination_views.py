"""Pages of destinations for exports."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.exports import services
from verifyhub.exports.errors import ExportError
from verifyhub.exports.forms import DestinationForm
from verifyhub.exports.models import Destination
from verifyhub.exports.selectors import destinations_of

SHOWN = ("name", "kind", "path", "endpoint", "bucket", "region", "access_key_id")


@project_page("project.manage", "GET", "POST")
def add(request: ProjectRequest) -> HttpResponse:
    """Add a destination."""
    return _form(request, None)


@project_page("project.manage", "GET", "POST")
def edit(request: ProjectRequest, destination_id: UUID) -> HttpResponse:
    """Change a destination."""
    return _form(request, _destination(request, destination_id))


@project_page("project.manage", "POST")
def delete(request: ProjectRequest, destination_id: UUID) -> HttpResponse:
    """Delete a destination and its credentials."""
    destination = _destination(request, destination_id)
    try:
        services.delete_destination(
            destination=destination, actor=request.membership.user
        )
    except ExportError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The destination and its keys are deleted."))
    return redirect("exports:page", request.project.slug)


@project_page("project.manage", "POST")
def test(request: ProjectRequest, destination_id: UUID) -> HttpResponse:
    """Write a small file there, and show the result."""
    destination = _destination(request, destination_id)
    wrong = services.try_destination(destination=destination)
    if wrong:
        messages.error(request, f"{destination.name}: {wrong}")
    else:
        messages.success(request, _("A test file was written to the destination."))
    return redirect("exports:page", request.project.slug)


def _form(request: ProjectRequest, destination: Destination | None) -> HttpResponse:
    initial = {name: getattr(destination, name) for name in SHOWN if destination}
    sent = request.POST if request.method == "POST" else None
    form = DestinationForm(sent, initial=initial)
    if sent is not None and form.is_valid():
        data = form.cleaned_data
        secret = data.pop("secret_access_key")
        with form.errors_shown():
            services.save_destination(
                project=request.project,
                values=Destination(**data),
                actor=request.membership.user,
                destination=destination,
                secret_access_key=secret,
            )
            messages.success(request, _("The destination is saved."))
            return redirect("exports:page", request.project.slug)
        if destination is not None:
            destination.refresh_from_db()
    context = {"destination": destination, "form": form}
    status = 200 if sent is None else 422
    return render(request, "exports/destination.html", context, status=status)


def _destination(request: ProjectRequest, destination_id: UUID) -> Destination:
    return get_object_or_404(destinations_of(request.project), pk=destination_id)

"""Pages of schedules for exports."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.exports import services
from verifyhub.exports.errors import ExportError
from verifyhub.exports.filter_form import ExportFilterForm
from verifyhub.exports.forms import ScheduleForm
from verifyhub.exports.models import Schedule
from verifyhub.exports.selectors import schedules_of


@project_page("project.manage", "GET", "POST")
def add(request: ProjectRequest) -> HttpResponse:
    """Add a schedule."""
    return _form(request, None)


@project_page("project.manage", "GET", "POST")
def edit(request: ProjectRequest, schedule_id: UUID) -> HttpResponse:
    """Change a schedule."""
    return _form(request, _schedule(request, schedule_id))


@project_page("project.manage", "POST")
def delete(request: ProjectRequest, schedule_id: UUID) -> HttpResponse:
    """Delete a schedule."""
    schedule = _schedule(request, schedule_id)
    services.delete_schedule(schedule=schedule, actor=request.membership.user)
    messages.success(request, _("The schedule is deleted."))
    return redirect("exports:page", request.project.slug)


@project_page("project.manage", "POST")
def run(request: ProjectRequest, schedule_id: UUID) -> HttpResponse:
    """Run a schedule now."""
    schedule = _schedule(request, schedule_id)
    try:
        services.run_now(
            schedule=schedule, now=timezone.now(), actor=request.membership.user
        )
    except ExportError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _("The export has been started."))
    return redirect("exports:page", request.project.slug)


def _form(request: ProjectRequest, schedule: Schedule | None) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    zone = request.membership.user.time_zone
    form = ScheduleForm(
        sent,
        project=request.project,
        role=request.membership.role,
        instance=schedule,
        initial={"time_zone": zone} if zone and schedule is None else {},
    )
    filters = ExportFilterForm(sent or (schedule.filters if schedule else {}))
    if sent is not None and form.is_valid() and filters.is_valid():
        row = form.save(commit=False)
        row.project, row.filters = request.project, filters.raw_filters()
        with form.errors_shown():
            services.save_schedule(
                schedule=row, actor=request.membership.user, now=timezone.now()
            )
            messages.success(request, _("The schedule is saved."))
            return redirect("exports:page", request.project.slug)
    if sent is not None and schedule is not None:
        schedule.refresh_from_db()
    context = {
        "schedule": schedule,
        "form": form,
        "filters": filters,
    }
    status = 200 if sent is None else 422
    return render(request, "exports/schedule.html", context, status=status)


def _schedule(request: ProjectRequest, schedule_id: UUID) -> Schedule:
    return get_object_or_404(schedules_of(request.project), pk=schedule_id)

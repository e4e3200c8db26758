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
    role = request.membership.role
    initial = _initial(request, schedule)
    sent = request.POST if request.method == "POST" else None
    form = ScheduleForm(sent, project=request.project, role=role, initial=initial)
    filters = ExportFilterForm(sent or (schedule.filters if schedule else {}))
    if sent is not None and form.is_valid() and filters.is_valid():
        try:
            _save(request, form, filters, schedule)
        except ExportError as error:
            form.show(error)
        else:
            messages.success(request, _("The schedule is saved."))
            return redirect("exports:page", request.project.slug)
    context = {
        "project": request.project,
        "schedule": schedule,
        "form": form,
        "filters": filters,
    }
    status = 200 if sent is None else 422
    return render(request, "exports/schedule.html", context, status=status)


def _save(
    request: ProjectRequest,
    form: ScheduleForm,
    filters: ExportFilterForm,
    schedule: Schedule | None,
) -> None:
    data = form.cleaned_data
    services.save_schedule(
        project=request.project,
        values=services.ScheduleValues(
            name=data["name"],
            wanted=form.wanted(filters.raw_filters()),
            every=data["every"],
            hour=data["hour"],
            weekday=data["weekday"] or 0,
            time_zone=data["time_zone"],
            is_incremental=data["is_incremental"],
            is_on=data["is_on"],
            destination=data["destination"],
        ),
        actor=request.membership.user,
        now=timezone.now(),
        schedule=schedule,
    )


def _initial(request: ProjectRequest, schedule: Schedule | None) -> dict[str, object]:
    if schedule is None:
        return {"time_zone": request.membership.user.time_zone or "UTC"}
    names = (*("name", "every", "weekday", "hour", "time_zone", "is_incremental"),
             *("is_on", "destination", "datasets", "written_as"))  # fmt: skip
    return {name: getattr(schedule, name) for name in names}


def _schedule(request: ProjectRequest, schedule_id: UUID) -> Schedule:
    return get_object_or_404(schedules_of(request.project), pk=schedule_id)

"""Pages of a queue's reviewers: duty, progress, rules and saved views."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.models import User
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.accounts.services import save_settings
from verifyhub.common.http import or_404
from verifyhub.ingest.selectors import agent_names
from verifyhub.review.models import AssignmentRule, SavedView
from verifyhub.review.queue import selectors as queues
from verifyhub.review.queue import settings as desk
from verifyhub.review.queue.assignment import reviewer_named, reviewers_of
from verifyhub.review.queue.forms import (
    AssignmentForm,
    ColumnsForm,
    DutyForm,
    QueueFilterForm,
    QueueSettingsForm,
    ViewForm,
)
from verifyhub.review.queue.progress import reviewer_progress
from verifyhub.review.queue.reason_words import KIND_NAMES


@project_page("review.decide", "GET")
def team(request: ProjectRequest) -> HttpResponse:
    """Show the reviewers' progress: everybody's to a lead, their own to others."""
    return _team(request)


@project_page("review.manage", "POST")
def settings(request: ProjectRequest) -> HttpResponse:
    form = QueueSettingsForm(request.POST)
    if not form.is_valid():
        return _team(request, settings_form=form, status=422)
    desk.change_queue_settings(
        project_id=request.project.id,
        values=form.cleaned_data,
        actor=request.membership.user,
    )
    messages.success(request, _("Saved. Open items move to their new places."))
    return _back(request)


@project_page("review.decide", "POST")
def duty(request: ProjectRequest) -> HttpResponse:
    """Go on or off duty; a lead may set it for anybody."""
    form = DutyForm(request.POST)
    if not form.is_valid():
        return _team(request, status=422)
    user, data = request.membership.user, form.cleaned_data
    person = _person(request, data["person"])
    if person != user and not can(request.membership.role, "review.manage"):
        raise Http404
    desk.set_duty(
        project_id=request.project.id,
        user=person,
        on_duty=data["on_duty"],
        weight=data["weight"],
        actor=user,
    )
    return _back(request)


@project_page("review.manage", "POST")
def rule_add(request: ProjectRequest) -> HttpResponse:
    form = AssignmentForm(request.POST)
    if not form.is_valid():
        return _team(request, rule_form=form, status=422)
    data = form.cleaned_data
    desk.add_rule(
        project_id=request.project.id,
        agent_name=data["agent_name"],
        reason_kind=data["reason_kind"],
        user=_person(request, data["person"]),
        actor=request.membership.user,
    )
    return _back(request)


@project_page("review.manage", "POST")
def rule_delete(request: ProjectRequest, rule_id: UUID) -> HttpResponse:
    rule = get_object_or_404(AssignmentRule, project=request.project, pk=rule_id)
    desk.remove_rule(rule=rule, actor=request.membership.user)
    return _back(request)


@project_page("answers.view", "POST")
def view_save(request: ProjectRequest) -> HttpResponse:
    """Save the filters of the page under a name; only a lead may share them."""
    form = ViewForm(request.POST)
    filters = QueueFilterForm(QueryDict(request.POST.get("query", ""))).filters()
    if not form.is_valid():
        messages.error(request, _("Give the view a name of at most 60 characters."))
        return redirect("review:queue", slug=request.project.slug)
    data = form.cleaned_data
    view = desk.save_view(
        project_id=request.project.id,
        owner=request.membership.user,
        name=data["name"],
        filters=filters,
        shared=data["shared"] and can(request.membership.role, "review.manage"),
        default=data["default"],
    )
    return _queue(request, {"view": view.id})


@project_page("answers.view", "POST")
def columns(request: ProjectRequest) -> HttpResponse:
    """Set the columns that a person sees, in every project."""
    form = ColumnsForm(request.POST)
    if form.is_valid():
        save_settings(
            user=request.membership.user,
            values={"queue_columns": form.cleaned_data["columns"]},
        )
    else:
        messages.error(request, _("This column does not exist."))
    return _queue(request, QueryDict(request.POST.get("query", "")) or {"all": 1})


@project_page("answers.view", "POST")
def view_default(request: ProjectRequest) -> HttpResponse:
    """Set the default view, or none."""
    user = request.membership.user
    view_id = request.POST.get("view", "")
    views = queues.views_for(request.project.id, user)
    view = next((view for view in views if str(view.id) == view_id), None)
    desk.choose_default_view(project_id=request.project.id, user=user, view=view)
    return _queue(request, {"view": view_id} if view else {"all": 1})


@project_page("answers.view", "POST")
def view_delete(request: ProjectRequest, view_id: UUID) -> HttpResponse:
    user = request.membership.user
    own = SavedView.objects.filter(project=request.project, owner=user)
    view = get_object_or_404(own, pk=view_id)
    desk.delete_view(view=view, actor=user)
    return redirect("review:queue", slug=request.project.slug)


def _team(
    request: ProjectRequest,
    *,
    settings_form: QueueSettingsForm | None = None,
    rule_form: AssignmentForm | None = None,
    status: int = 200,
) -> HttpResponse:
    project_id, user = request.project.id, request.membership.user
    manages = can(request.membership.role, "review.manage")
    now = timezone.now()
    context = {
        "may_manage": manages,
        "progress": reviewer_progress(
            project_id, now=now, user_id=None if manages else user.pk
        ),
        "settings_form": settings_form
        or QueueSettingsForm(instance=queues.queue_settings(project_id)),
        "rule_form": rule_form or AssignmentForm(),
        "rules": [
            (rule, KIND_NAMES.get(rule.reason_kind, ""))
            for rule in AssignmentRule.objects.filter(project_id=project_id)
            .select_related("user")
            .order_by("created_at", "id")
        ],
        "reviewers": reviewers_of(project_id),
        "agents": agent_names(project_id),
    }
    return render(request, "review/queue_team.html", context, status=status)


def _person(request: ProjectRequest, name: str) -> User:
    return or_404(reviewer_named(request.project.id, name))


def _queue(request: ProjectRequest, query: Mapping[str, object]) -> HttpResponse:
    return redirect(reverse("review:queue", args=[request.project.slug], query=query))


def _back(request: ProjectRequest) -> HttpResponse:
    return redirect("review:team", slug=request.project.slug)

"""Pages that verify all answers of a filter again, and show the progress."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.accounts.services import prefer_strictness
from verifyhub.common.http import page_or_fragment
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.review.answer_list.forms import AnswerFilterForm
from verifyhub.review.answer_list.selectors import answers
from verifyhub.verification import services
from verifyhub.verification.models import Batch
from verifyhub.verification.pages.forms import StrictnessForm
from verifyhub.verification.selectors import batches, progress

SHOWN = 20


@project_page("review.decide", "GET", "POST")
def batch_new(request: ProjectRequest) -> HttpResponse:
    """Show how many answers a filter of the list has; on POST, start."""
    filters = AnswerFilterForm(request.GET).sent_values()
    rows = answers(request.project.id, filters, request.membership.user)
    if request.method != "POST":
        liked = {"strictness": request.membership.strictness}
        return _confirm(request, filters, rows.count(), StrictnessForm(initial=liked))
    choice = StrictnessForm(request.POST)
    if not choice.is_valid():
        return _confirm(request, filters, rows.count(), choice, status=422)
    chosen = choice.cleaned_data["strictness"]
    try:
        batch = services.open_batch(
            project=request.project,
            interactions=rows,
            filters=filters,
            strictness=Strictness(chosen) if chosen else None,
            actor=request.membership.user,
        )
    except services.BatchError as error:
        choice.add_error(None, str(error))
        return _confirm(request, filters, rows.count(), choice, status=409)
    prefer_strictness(membership=request.membership, strictness=chosen)
    return redirect("review:batch", slug=request.project.slug, batch_id=batch.id)


@project_page("answers.view", "GET")
def batch_detail(request: ProjectRequest, batch_id: UUID) -> HttpResponse:
    """Show one batch, and the ones before it."""
    batch = _project_batch(request, batch_id)
    context = {
        "batch": batch,
        "far": progress(batch),
        "others": batches(request.project).exclude(pk=batch.pk)[:SHOWN],
        "may_decide": can(request.membership.role, "review.decide"),
    }
    return page_or_fragment(request, "review/batch.html", "review/_batch.html", context)


@project_page("review.decide", "POST")
def batch_cancel(request: ProjectRequest, batch_id: UUID) -> HttpResponse:
    """Cancel a batch."""
    batch = _project_batch(request, batch_id)
    if services.cancel_batch(batch=batch, actor=request.membership.user):
        messages.success(request, _("Cancelled: no further answer is verified again."))
    else:
        messages.info(request, _("It has already ended."))
    return redirect("review:batch", slug=request.project.slug, batch_id=batch.id)


def _project_batch(request: ProjectRequest, batch_id: UUID) -> Batch:
    return get_object_or_404(batches(request.project), id=batch_id)


def _confirm(
    request: ProjectRequest,
    filters: Mapping[str, str],
    count: int,
    form: StrictnessForm,
    *,
    status: int = 200,
) -> HttpResponse:
    context: dict[str, Any] = {
        "filters": filters,
        "count": count,
        "form": form,
        "preset": request.project.strictness,
    }
    return render(request, "review/batch_new.html", context, status=status)

"""Pages of learning: examples, advice, priors and the effect of feedback."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from verifyhub.accounts.fault_words import fault_words
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.engine.errors import ThresholdError
from verifyhub.learning import selectors, services
from verifyhub.learning.forms import (
    AdviceForm,
    ExampleFilterForm,
    HoldOutForm,
    OutlookForm,
)
from verifyhub.learning.models import AppliedAdvice, FeedbackKind, LabelledExample

PAGE_SIZE = 25
# Number of examples on the overview.
NEWEST = 5
SHOWN_ADVICE = 5
CHANGED = gettext_lazy(
    "It was changed by someone else first; this is the current version."
)


@project_page("memory.view", "GET")
def page(request: ProjectRequest) -> HttpResponse:
    """Show examples, calibration, advice and effects."""
    project, now = request.project, timezone.now()
    applied = (
        AppliedAdvice.objects.filter(project=project, undone_at=None)
        .select_related("applied_by")
        .order_by("-created_at")[:SHOWN_ADVICE]
    )
    context = {
        **_base(request),
        **_examples(request, NEWEST),
        "accepted": selectors.accepted_answers(project, now=now),
        "advice": selectors.advice(project, now=now),
        "applied": applied,
        "calibrations": selectors.calibrations(project, now=now),
        "priors": selectors.priors(project, now=now),
        "effects": selectors.effects(project, now=now),
    }
    return render(request, "learning/page.html", context)


@project_page("memory.view", "GET")
def example_list(request: ProjectRequest) -> HttpResponse:
    """Show the examples, searched and filtered."""
    return page_or_fragment(
        request,
        "learning/examples.html",
        "learning/_examples.html",
        {**_base(request), **_examples(request, PAGE_SIZE)},
    )


@project_page("memory.edit", "POST")
def example_act(request: ProjectRequest, example_id: UUID, verb: str) -> HttpResponse:
    """Retire or restore an example."""
    rows = LabelledExample.objects.filter(project=request.project)
    example = get_object_or_404(rows.select_related("reviewer"), id=example_id)
    acts = {"retire": services.retire_example, "restore": services.restore_example}
    if verb not in acts:
        raise Http404
    message, level = _("Saved."), "success"
    try:
        acts[verb](example=example, actor=request.user)
    except services.ExampleChangedError:
        message, level = str(CHANGED), "error"
    if getattr(request, "htmx", False):
        example.refresh_from_db()
        context = {"example": example, "message": message, "level": level}
        return render(
            request, "learning/_example_row.html", {**_base(request), **context}
        )
    say = messages.error if level == "error" else messages.success
    say(request, message)
    return redirect("learning:example-list", request.project.slug)


@project_page("memory.edit", "POST")
def advice_apply(request: ProjectRequest) -> HttpResponse:
    """Apply advice to a threshold, if it is still advised."""
    form, now = AdviceForm(request.POST), timezone.now()
    data = form.cleaned_data if form.is_valid() else {}
    advices = {
        (advice.name, str(advice.value)): advice
        for advice in selectors.advice(request.project, now=now)
    }
    advice = advices.get((data.get("name", ""), data.get("value", "")))
    try:
        if advice is None:
            raise services.ThresholdMovedError
        services.apply_advice(
            project=request.project, advice=advice, actor=request.user
        )
    except services.ThresholdMovedError:
        message = _("This recommendation no longer applies; nothing was changed.")
        messages.error(request, message)
    else:
        messages.success(request, _("Saved. The next verification uses it."))
    return _to(request, "advice")


@project_page("memory.edit", "POST")
def advice_undo(request: ProjectRequest, applied_id: UUID) -> HttpResponse:
    """Restore a threshold's value from before the advice."""
    rows = AppliedAdvice.objects.filter(project=request.project)
    applied = get_object_or_404(rows.select_related("project"), id=applied_id)
    try:
        services.undo_advice(applied=applied, actor=request.user)
    except services.ThresholdMovedError:
        messages.error(request, str(CHANGED))
    else:
        messages.success(request, _("Undone. The next verification uses it."))
    return _to(request, "advice")


@project_page("memory.edit", "POST")
def hold_out(request: ProjectRequest, kind: str) -> HttpResponse:
    """Start, change or end an experiment."""
    if kind not in FeedbackKind.values:
        raise Http404
    form = HoldOutForm(request.POST)
    if form.is_valid():
        services.set_hold_out(
            project=request.project,
            kind=FeedbackKind(kind),
            share=form.cleaned_data["share"],
            actor=request.user,
        )
        message = _("Saved. Sessions that began before keep their side.")
        messages.success(request, message)
    else:
        messages.error(request, _("The share is a whole number from 0 to 50."))
    return _to(request, "effects")


@project_page("memory.view", "GET")
def outlook(request: ProjectRequest) -> HttpResponse:
    """Return how many answers another value of a threshold would send to review."""
    form = OutlookForm(request.GET)
    tried = form.tried()
    result, why = None, ""
    if tried and set(tried) <= set(selectors.REPLAYABLE):
        try:
            result = selectors.outlook(request.project, tried, now=timezone.now())
        except ThresholdError as error:
            why = f"{error.name}: {error.value!r} {fault_words(error.fault)}"
    return render(request, "learning/_outlook.html", {"outlook": result, "why": why})


def _base(request: ProjectRequest) -> dict[str, Any]:
    role = request.membership.role
    return {"may_edit": can(role, "memory.edit")}


def _examples(request: ProjectRequest, size: int) -> dict[str, Any]:
    form = ExampleFilterForm(request.GET)
    filters = form.filters()
    project, user = request.project, request.membership.user
    matching = selectors.examples(project, **filters)
    rows = selectors.readable(matching, project, user)
    return {
        "form": form,
        "filters": filters,
        "is_whole": size == PAGE_SIZE,
        "page": Paginator(rows, size).get_page(request.GET.get("page")),
    }


def _to(request: ProjectRequest, section: str) -> HttpResponse:
    address = reverse("learning:page", args=[request.project.slug])
    return redirect(f"{address}#{section}")

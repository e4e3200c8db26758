"""Pages of check settings and of detections."""

import json
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.common.layer_words import LAYERS, RISKS
from verifyhub.engine.errors import PairsError, ProfileError
from verifyhub.engine.risk.profiles import read_profiles
from verifyhub.ingest.models import Interaction
from verifyhub.verification import services
from verifyhub.verification.check_choices import RISK_CHOICES
from verifyhub.verification.models import Detection
from verifyhub.verification.pages.check_forms import (
    AskedForm,
    ChecksForm,
    DetectionForm,
)
from verifyhub.verification.pages.layer_page import shown
from verifyhub.verification.selectors import detections

PAGE_SIZE = 25


@project_page("checks.manage", "GET", "POST")
def checks(request: ProjectRequest) -> HttpResponse:
    """Show and change which claims and layers are checked."""
    project = request.project
    if request.method != "POST":
        settings = services.NewCheckSettings.of(project)
        own = json.dumps(settings.profiles, indent=2) if settings.profiles else ""
        form = ChecksForm(
            initial={
                "claims": settings.claims,
                "layers": settings.layers,
                "layers_off": list(settings.layers_off),
                "entropy_by": settings.entropy_by,
                "risk": settings.risk,
                "profiles": own,
                "names": "\n".join(f"{x.value} = {x.name}" for x in settings.names),
                "deeds": "\n".join(f"{x.tool} {x.deed}" for x in settings.deeds),
            }
        )
        return _settings(request, form)
    form = ChecksForm(request.POST)
    if form.is_valid():
        try:
            services.update_checks(
                project=project, values=form.values(), actor=request.membership.user
            )
        except ProfileError as error:
            form.show(error)
        except PairsError as error:
            form.show_pairs(error)
        else:
            messages.success(request, _("Saved. The next verification uses it."))
            return redirect("verification:checks", slug=project.slug)
    return _settings(request, form, status=422)


@project_page("answers.view", "GET", "POST")
def detection_list(request: ProjectRequest) -> HttpResponse:
    """Take a text to run layers over, and list earlier runs."""
    form = DetectionForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and _may_run(request) and form.is_valid():
        row = services.open_detection(
            project=request.project,
            subject=form.subject(),
            layers_request=form.layers_request(),
            actor=request.membership.user,
        )
        return redirect("verification:detection", request.project.slug, row.pk)
    rows = detections(request.project).defer("result", "sources", "context", "task")
    page = Paginator(rows, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "form": form,
        "page": page,
        "may_run": _may_run(request),
        "risks": RISKS,
    }
    status = 422 if form.is_bound else 200
    return render(request, "verification/detections.html", context, status=status)


@project_page("answers.view", "GET")
def detection(request: ProjectRequest, detection_id: UUID) -> HttpResponse:
    """Show a run of layers; for htmx nothing until it has ended."""
    rows = detections(request.project).select_related("interaction")
    row = get_object_or_404(rows, pk=detection_id)
    waits = row.state in Detection.WAITING
    if waits and "HX-Request" in request.headers:
        return HttpResponse(status=204)
    context = {"row": row, "waits": waits, "shown": shown(row.detection_result)}
    return page_or_fragment(
        request,
        "verification/detection.html",
        "verification/_detection.html",
        context,
    )


@project_page("review.decide", "POST")
def answer_layers(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Run the layers over a stored answer."""
    interaction = (
        Interaction.objects.select_related("project", "session")
        .filter(project=request.project, pk=uuid, outputs_removed_at=None)
        .first()
    )
    form = AskedForm(request.POST)
    if interaction is None or not form.is_valid():
        raise Http404
    row = services.open_answer_detection(
        interaction=interaction,
        layers_request=form.layers_request(),
        actor=request.membership.user,
    )
    return redirect("verification:detection", request.project.slug, row.pk)


def _may_run(request: ProjectRequest) -> bool:
    return can(request.membership.role, "review.decide")


def _settings(
    request: ProjectRequest, form: ChecksForm, *, status: int = 200
) -> HttpResponse:
    layers_off = set(request.project.layers_off)
    rows: list[dict[str, Any]] = [
        {
            "level": RISKS[level],
            "profile": profile,
            "layers": [
                LAYERS[name] for name in profile.layers if str(name) not in layers_off
            ],
            "dollars": profile.microdollars,
        }
        for level, profile in read_profiles(request.project.risk_profiles).items()
    ]
    context = {
        "form": form,
        "rows": rows,
        "risk_choices": RISK_CHOICES,
    }
    return render(request, "verification/checks.html", context, status=status)

"""The page of a project's models: endpoints, tiers, caps and spending."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import posted_from, uuid_in
from verifyhub.common.templatetags.ui import duration
from verifyhub.engine.ports import ModelError
from verifyhub.inference import services
from verifyhub.inference.errors import ModelSettingError
from verifyhub.inference.forms import (
    CapsForm,
    EmbeddingForm,
    EndpointForm,
    TierForm,
    embedding_initial,
    endpoint_initial,
    tier_initial,
)
from verifyhub.inference.models import ModelEndpoint, TierModel
from verifyhub.inference.page import SLOTS, TierRow, models_page, tier_rows
from verifyhub.inference.selectors import budget_of, embedding_choice


@project_page("project.manage", "GET")
def models(request: ProjectRequest) -> HttpResponse:
    """Show the active models, the spending, and the forms to change them."""
    endpoint_id = uuid_in(request.GET.get("endpoint", ""))
    endpoint = _endpoint(request, endpoint_id) if endpoint_id else None
    tier = request.GET.get("tier", "")
    return _page(
        request,
        endpoint=endpoint,
        endpoint_form=EndpointForm(
            initial=endpoint_initial(endpoint) if endpoint else None
        ),
        row=_row(request, tier, request.GET.get("slot", "")) if tier else None,
    )


@posted_from("inference:models")
@project_page("project.manage")
def endpoint_save(
    request: ProjectRequest, endpoint_id: UUID | None = None
) -> HttpResponse:
    """Add an endpoint, or change one."""
    endpoint = _endpoint(request, endpoint_id) if endpoint_id else None
    form = EndpointForm(request.POST)
    if form.is_valid():
        with form.errors_shown():
            row = services.save_endpoint(
                project=request.project,
                values=form.endpoint(),
                actor=request.membership.user,
                endpoint=endpoint,
                key=form.cleaned_data["key"],
                drop_key=form.cleaned_data["drop_key"],
            )
            return _done(
                request, _("The endpoint %(name)s is saved.") % {"name": row.name}
            )
        if endpoint is not None:
            endpoint.refresh_from_db()
    return _page(request, endpoint=endpoint, endpoint_form=form)


@posted_from("inference:models")
@project_page("project.manage")
def endpoint_delete(request: ProjectRequest, endpoint_id: UUID) -> HttpResponse:
    """Delete an endpoint with its key."""
    row = _endpoint(request, endpoint_id)
    try:
        services.delete_endpoint(endpoint=row, actor=request.membership.user)
    except ModelSettingError as error:
        return _done(request, f"{row.name}: {error}", level=messages.ERROR)
    return _done(
        request,
        _("The endpoint %(name)s and its key are deleted.") % {"name": row.name},
    )


@posted_from("inference:models")
@project_page("project.manage")
def tier_save(request: ProjectRequest, tier: str, slot: str) -> HttpResponse:
    """Set a tier's model, disable the tier, or return it to the server's model."""
    row = _row(request, tier, slot)
    form = TierForm(request.POST, endpoints=_endpoints(request))
    if form.is_valid():
        with form.errors_shown():
            services.set_tier(
                project=request.project,
                tier=row.tier,
                second=SLOTS[slot],
                choice=form.chosen(),
                actor=request.membership.user,
            )
            return _done(
                request,
                _("%(tier)s: saved. The next call uses it.") % {"tier": row.words},
            )
    return _page(request, row=row, tier_form=form)


@posted_from("inference:models")
@project_page("project.manage")
def tier_probe(request: ProjectRequest, tier: str, slot: str) -> HttpResponse:
    """Probe the model of a tier with a small request, and show the result."""
    row = _row(request, tier, slot)
    if row.model is None:
        raise Http404
    try:
        probe = services.probe_model(
            project=request.project, model=row.model, actor=request.membership.user
        )
    except ModelError as error:
        return _done(request, f"{row.words}: {error}.", level=messages.ERROR)
    took = duration(probe.latency_ms)
    if probe.reply_mode:
        return _done(
            request,
            _("%(tier)s: %(said)s It took %(took)s.")
            % {"tier": row.words, "said": probe.message, "took": took},
        )
    return _done(
        request, f"{row.words}: {probe.message} ({took})", level=messages.ERROR
    )


@posted_from("inference:models")
@project_page("project.manage")
def embedding_save(request: ProjectRequest) -> HttpResponse:
    """Choose the project's embedding model; a small call finds its dimension."""
    form = EmbeddingForm(request.POST, endpoints=_endpoints(request))
    if form.is_valid():
        with form.errors_shown():
            services.set_embedding(
                project=request.project,
                choice=form.chosen(),
                actor=request.membership.user,
            )
            return _done(
                request, _("Saved. Knowledge is embedded with it from now on.")
            )
    return _page(request, embedding_form=form)


@posted_from("inference:models")
@project_page("project.manage")
def caps_save(request: ProjectRequest) -> HttpResponse:
    """Replace the project's caps."""
    form = CapsForm(request.POST, budget=budget_of(request.project))
    if form.is_valid():
        with form.errors_shown():
            services.set_caps(
                project=request.project,
                values=form.values(),
                actor=request.membership.user,
            )
            return _done(
                request, _("The caps are saved and apply from the next call on.")
            )
    return _page(request, caps_form=form)


def _page(
    request: ProjectRequest,
    *,
    endpoint: ModelEndpoint | None = None,
    endpoint_form: EndpointForm | None = None,
    row: TierRow | None = None,
    tier_form: TierForm | None = None,
    caps_form: CapsForm | None = None,
    embedding_form: EmbeddingForm | None = None,
) -> HttpResponse:
    project = request.project
    shown = models_page(project, timezone.now())
    if row is not None and tier_form is None:
        rows = TierModel.objects.filter(project=request.project).select_related(
            "endpoint"
        )
        tier_form = TierForm(
            initial=tier_initial(
                rows.filter(tier=row.tier, is_second=SLOTS[row.slot]).first()
            ),
            endpoints=shown["endpoints"],
        )
    forms = [endpoint_form, tier_form, caps_form, embedding_form]
    embedding = embedding_choice(project)
    context: dict[str, Any] = shown | {
        "endpoint": endpoint,
        "endpoint_form": endpoint_form or EndpointForm(),
        "row": row,
        "tier_form": tier_form,
        "caps_form": caps_form or CapsForm(budget=budget_of(project)),
        "embedding": embedding,
        "embedding_form": embedding_form
        or EmbeddingForm(
            initial=embedding_initial(embedding), endpoints=shown["endpoints"]
        ),
    }
    wrong = any(form is not None and form.errors for form in forms)
    return render(
        request, "inference/models.html", context, status=422 if wrong else 200
    )


def _done(
    request: ProjectRequest, message: str, *, level: int = messages.SUCCESS
) -> HttpResponse:
    messages.add_message(request, level, message)
    return redirect("inference:models", request.project.slug)


def _endpoints(request: ProjectRequest) -> list[ModelEndpoint]:
    return list(ModelEndpoint.objects.filter(project=request.project).order_by("name"))


def _endpoint(request: ProjectRequest, endpoint_id: UUID) -> ModelEndpoint:
    rows = ModelEndpoint.objects.filter(project=request.project)
    return get_object_or_404(rows, id=endpoint_id)


def _row(request: ProjectRequest, tier: str, slot: str) -> TierRow:
    for row in tier_rows(request.project):
        if (row.tier.value, row.slot) == (tier, slot):
            return row
    raise Http404

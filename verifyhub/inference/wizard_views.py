"""Add a model in two steps: the endpoint, then the model with a test.

Each step has its own URL that can be reloaded. The first step saves an ordinary
endpoint, which is on the models page if a person stops there.
"""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.ports import ModelError
from verifyhub.inference import services
from verifyhub.inference.forms import AddressStepForm, ModelStepForm
from verifyhub.inference.models import ModelEndpoint

# The values of the second step's buttons.
TEST, USE, USE_ANYWAY = "test", "use", "anyway"


@project_page("project.manage", "GET", "POST")
def address(request: ProjectRequest) -> HttpResponse:
    """Ask for the provider, address and key."""
    form = AddressStepForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        names = ModelEndpoint.objects.filter(project=request.project)
        taken_names = set(names.values_list("name", flat=True))
        with form.errors_shown():
            row = services.save_endpoint(
                project=request.project,
                values=form.endpoint(taken_names),
                actor=request.membership.user,
                key=form.cleaned_data["key"],
            )
            return redirect("inference:model-new-tier", request.project.slug, row.id)
    context = {"step": 1, "form": form}
    status = 422 if form.errors else 200
    return render(request, "inference/model_new.html", context, status=status)


@project_page("project.manage", "GET", "POST")
def model(request: ProjectRequest, endpoint_id: UUID) -> HttpResponse:
    """Ask for the model, test it by a small call, and assign it to a tier."""
    rows = ModelEndpoint.objects.filter(project=request.project)
    endpoint = get_object_or_404(rows, id=endpoint_id)
    form = ModelStepForm(request.POST if request.method == "POST" else None)
    tested: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        act = request.POST.get("act", TEST)
        with form.errors_shown():
            tested = _tested(request, endpoint, form) if act != USE_ANYWAY else {}
            if act == USE_ANYWAY or (act == USE and tested["works"]):
                services.set_tier(
                    project=request.project,
                    tier=Tier(form.cleaned_data["tier"]),
                    second=False,
                    choice=form.chosen_at(endpoint),
                    actor=request.membership.user,
                )
                messages.success(
                    request,
                    _("%(model)s is active. The next call uses it.")
                    % {"model": form.cleaned_data["model"]},
                )
                return redirect("inference:models", request.project.slug)
    wrong = bool(form.errors) or (bool(tested) and not tested["works"])
    context = {
        "step": 2,
        "form": form,
        "endpoint": endpoint,
        **tested,
    }
    status = 422 if wrong else 200
    return render(request, "inference/model_new.html", context, status=status)


def _tested(
    request: ProjectRequest, endpoint: ModelEndpoint, form: ModelStepForm
) -> dict[str, Any]:
    """Test the model with a small request; return the result for the page."""
    model = services.model_of(
        project=request.project,
        tier=Tier(form.cleaned_data["tier"]),
        choice=form.chosen_at(endpoint),
    )
    try:
        probe = services.probe_model(
            project=request.project, model=model, actor=request.membership.user
        )
    except ModelError as error:
        return {"works": False, "reply": str(error), "how": ""}
    how = ""
    if probe.reason == "blocked":
        how = services.how_to_allow_model(endpoint.base_url)
    return {
        "works": bool(probe.reply_mode),
        "reply": probe.message,
        "how": how,
        "latency_ms": probe.latency_ms,
    }

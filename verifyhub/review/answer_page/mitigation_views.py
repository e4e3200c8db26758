"""Views that mitigate a failed answer, and that show a deliberation."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, project_page
from verifyhub.common.http import page_or_fragment
from verifyhub.engine.mitigation_results import MitigationAction
from verifyhub.ingest.models import Interaction
from verifyhub.review import selectors
from verifyhub.review.answer_page.mitigating import steps_of, what_to_do
from verifyhub.verification import services
from verifyhub.verification.models import Deliberation
from verifyhub.verification.selectors import latest_finished


@project_page("answers.view", "GET")
def mitigations(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Show the advice and mitigations for an answer; htmx polls while one runs."""
    interaction = selectors.interaction_of(request.project.id, uuid)
    if not getattr(request, "htmx", False):
        return redirect(_card_page(request, uuid))
    return _card(request, interaction)


@project_page("review.decide", "POST")
def mitigate(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Start one mitigation of an answer."""
    interaction = selectors.interaction_of(request.project.id, uuid)
    verification = latest_finished(interaction)
    chosen = request.POST.get("action", "")
    if verification is None or chosen not in set(MitigationAction):
        raise Http404
    _require_outputs(interaction)
    try:
        services.mitigate_answer(
            verification=verification,
            action=MitigationAction(chosen),
            actor=request.membership.user,
        )
    except services.NothingToMitigateError:
        messages.info(request, _("No findings against this answer."))
    if getattr(request, "htmx", False):
        return _card(request, interaction)
    return redirect(_card_page(request, uuid))


@project_page("review.decide", "POST")
def deliberate(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Start a deliberation on an answer."""
    interaction = selectors.interaction_of(request.project.id, uuid)
    _require_outputs(interaction)
    row = services.deliberate_answer(
        interaction=interaction, actor=request.membership.user
    )
    return redirect("review:deliberation", request.project.slug, row.id)


@project_page("answers.view", "GET")
def deliberation(request: ProjectRequest, deliberation_id: UUID) -> HttpResponse:
    """Show the four steps; htmx polls while they run."""
    rows = Deliberation.objects.select_related("interaction")
    row = get_object_or_404(rows, project=request.project, id=deliberation_id)
    context = {"row": row, "steps": steps_of(row), "interaction": row.interaction}
    return page_or_fragment(
        request, "review/deliberation.html", "review/_deliberation.html", context
    )


def _card(request: ProjectRequest, interaction: Interaction) -> HttpResponse:
    run = latest_finished(interaction)
    if run is None:
        raise Http404
    context = what_to_do(interaction, run.verdict_object, request.membership)
    return render(request, "review/_what_to_do.html", context)


def _card_page(request: ProjectRequest, uuid: UUID) -> str:
    """Return the place of the card, also without JavaScript."""
    args = [request.project.slug, uuid]
    return reverse("review:answer-checks", args=args, fragment="what-to-do")


def _require_outputs(interaction: Interaction) -> None:
    """Refuse work on a run whose tool outputs were removed; no page offers it."""
    if interaction.outputs_removed_at is not None:
        raise Http404

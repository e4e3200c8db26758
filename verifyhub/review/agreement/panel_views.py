"""Views of several reviewers: withdraw, adjudicate, confirm, decline."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import or_404, page_or_fragment
from verifyhub.review.agreement.forms import DeclineForm, RulingForm
from verifyhub.review.decide import (
    adjudicate,
    confirm_proposal,
    decline_proposal,
    withdraw,
    withdraw_proposal,
)
from verifyhub.review.errors import ItemChangedError, ReviewError
from verifyhub.review.models import Judgement, Proposal, ReviewItem
from verifyhub.review.panel import given_judgements

PAGE_SIZE = 25


@project_page("review.decide", "GET")
def second_opinions(request: ProjectRequest) -> HttpResponse:
    """List items that need a second person: different judgements, and proposals."""
    rules_on = can(request.membership.role, "review.adjudicate")
    disputed = (
        ReviewItem.objects.filter(
            project=request.project,
            state=ReviewItem.State.OPEN,
            disputed_at__isnull=False,
        )
        .select_related("interaction", "verification")
        .defer("interaction__answer_text", "verification__report")
        .order_by("disputed_at", "id")
    )
    proposals = (
        Proposal.objects.filter(project=request.project, state=Proposal.State.PENDING)
        .select_related("item__interaction", "proposer")
        .order_by("created_at", "id")
    )
    context = {
        "may_rule": rules_on,
        "page": Paginator(disputed, PAGE_SIZE).get_page(request.GET.get("page")),
        "proposals": proposals[:100],
        "me": request.membership.user,
    }
    return page_or_fragment(
        request, "review/second.html", "review/_second.html", context
    )


@project_page("review.decide", "POST")
def judgement_withdraw(request: ProjectRequest, judgement_id: UUID) -> HttpResponse:
    judgement = get_object_or_404(
        Judgement.objects.select_related("item"),
        project=request.project,
        id=judgement_id,
        reviewer=request.membership.user,
    )
    return _act(
        request,
        judgement.item,
        lambda: withdraw(judgement=judgement, actor=request.membership.user),
        _("Withdrawn: you can judge the answer again."),
    )


@project_page("review.adjudicate", "POST")
def rule(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    """Adjudicate an answer whose reviewers disagree."""
    rows = ReviewItem.objects.select_related("verification", "interaction", "project")
    rows = rows.filter(project=request.project, interaction_id=uuid)
    item = or_404(rows.order_by("-verification__number").first())
    form = RulingForm(request.POST)
    if not form.is_valid():
        errors = " ".join(str(error[0]) for error in form.errors.values())
        messages.error(request, errors)
        return _back(request, item)
    machine = item.verification.verdict
    return _act(
        request,
        item,
        lambda: adjudicate(
            item=item,
            decision=form.decision(machine, list(given_judgements(item))),
            adjudicator=request.membership.user,
            version=form.cleaned_data["version"],
        ),
        _("Adjudicated. The answer is settled."),
    )


@project_page("review.decide", "POST")
def proposal_confirm(request: ProjectRequest, proposal_id: UUID) -> HttpResponse:
    proposal = _proposal(request, proposal_id)

    def act() -> None:
        done = confirm_proposal(proposal=proposal, actor=request.membership.user)
        if done is None:
            raise ItemChangedError(str(proposal.pk))

    return _act(request, proposal.item, act, _("Approved and applied."))


@project_page("review.decide", "POST")
def proposal_decline(request: ProjectRequest, proposal_id: UUID) -> HttpResponse:
    proposal = _proposal(request, proposal_id)
    form = DeclineForm(request.POST)
    reason = form.cleaned_data["reason"] if form.is_valid() else ""
    return _act(
        request,
        proposal.item,
        lambda: decline_proposal(
            proposal=proposal, actor=request.membership.user, reason=reason
        ),
        _("Declined. The proposer sees the reason."),
    )


@project_page("review.decide", "POST")
def proposal_withdraw(request: ProjectRequest, proposal_id: UUID) -> HttpResponse:
    proposal = _proposal(request, proposal_id)
    return _act(
        request,
        proposal.item,
        lambda: withdraw_proposal(proposal=proposal, actor=request.membership.user),
        _("Withdrawn: nothing was changed."),
    )


def _act(
    request: ProjectRequest, item: ReviewItem, act: Callable[[], object], done: str
) -> HttpResponse:
    """Run an action, show a message, and show the answer."""
    try:
        act()
    except ItemChangedError:
        message = _("It changed while you had it open. Nothing was saved.")
        messages.error(request, message)
    except ReviewError as error:
        messages.error(request, error.sentence)
    else:
        messages.success(request, done)
    return _back(request, item)


def _back(request: ProjectRequest, item: ReviewItem) -> HttpResponse:
    return redirect("review:answer-detail", request.project.slug, item.interaction_id)


def _proposal(request: ProjectRequest, proposal_id: UUID) -> Proposal:
    rows = Proposal.objects.select_related(
        "item__verification", "item__interaction", "item__project", "proposer"
    )
    return get_object_or_404(rows, project=request.project, id=proposal_id)

"""Pages of agreement, of a reviewer's judgements, of gold and of review rules."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from verifyhub.accounts.models import Membership, User
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.review.agreement import selectors
from verifyhub.review.agreement.forms import GoldForm, GoldUploadForm, ReviewRulesForm
from verifyhub.review.agreement.gold_upload import Refused, upload_gold
from verifyhub.review.errors import UnchangedError
from verifyhub.review.gold import gold_items, gold_judged, mark_gold, retire_gold
from verifyhub.review.models import GoldItem, Judgement, ReviewItem
from verifyhub.review.panel import rules_of, set_review_rules
from verifyhub.review.queue import KIND_NAMES
from verifyhub.review.visibility import masked_items
from verifyhub.verification.models import Verdict

PAGE_SIZE = 25


@project_page("review.decide", "GET")
def agreement(request: ProjectRequest) -> HttpResponse:
    """Show everybody's agreement to those who oversee it, to others their own page."""
    if not can(request.membership.role, "review.oversee"):
        return redirect("review:my-judgements", request.project.slug)
    context = {
        "found": selectors.agreement(request.project.id),
        "most": selectors.MOST_ITEMS,
    }
    return render(request, "review/agreement.html", context)


@project_page("review.oversee", "GET")
def disagreements(request: ProjectRequest) -> HttpResponse:
    """List the answers behind a number: by pair, by reviewer, by reason."""
    items = selectors.judged_items(request.project.id)
    people = selectors.people_of(items)
    chosen = [
        int(value)
        for value in request.GET.getlist("who")[:2]
        if value.isdecimal() and len(value) < 10 and int(value) in people
    ]
    reason = request.GET.get("reason", "")
    differing = selectors.disagreements(items, people=chosen, reason=reason)
    page = Paginator(differing, PAGE_SIZE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [
            (row, [(people[who], verdict) for who, verdict in row.verdicts.items()])
            for row in page.object_list
        ],
        "who": [people[who] for who in chosen],
        "reason": KIND_NAMES.get(reason, ""),
    }
    return render(request, "review/disagreements.html", context)


@project_page("review.decide", "GET")
def my_judgements(request: ProjectRequest) -> HttpResponse:
    return _person(request, request.membership.user)


@project_page("review.oversee", "GET")
def person_judgements(request: ProjectRequest, user_id: int) -> HttpResponse:
    members = Membership.objects.select_related("user")
    membership = get_object_or_404(members, project=request.project, user_id=user_id)
    return _person(request, membership.user)


def _person(request: ProjectRequest, person: User) -> HttpResponse:
    """Show a reviewer's judgements and how they compare with final verdicts.

    Others' judgements of an answer are shown once it is settled; gold looks like any
    other answer to its reviewer.
    """
    judgements = (
        Judgement.objects.filter(project=request.project, reviewer=person)
        .exclude(state=Judgement.State.DRAFT)
        .select_related("item__interaction")
        .defer("item__interaction__answer_text")
        .order_by("-given_at", "-id")
    )
    page = Paginator(judgements, PAGE_SIZE).get_page(request.GET.get("page"))
    own = person == request.membership.user
    hidden = masked_items(request.project.id, person) if own else set()
    items = selectors.judged_items(request.project.id)
    context = {
        "person": person,
        "own": own,
        "page": page,
        "hidden": hidden,
        "row": selectors.reviewer_row(request.project.id, person, items),
    }
    return render(request, "review/my_judgements.html", context)


@project_page("review.gold", "GET", "POST")
def gold_list(request: ProjectRequest) -> HttpResponse:
    """List gold with its judgements, and import more of it."""
    form = GoldUploadForm(request.POST or None, request.FILES or None)
    refused: list[Refused] = []
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            accepted, refused = upload_gold(
                project=request.project,
                rows=form.cleaned_data["file"],
                actor=request.membership.user,
                now=timezone.now(),
            )
            message = ngettext("%d answer is gold.", "%d answers are gold.", accepted)
            messages.success(request, message % accepted)
            if not refused:
                return redirect("review:gold-list", request.project.slug)
            status = 200
    page = Paginator(gold_items(request.project), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    context = {
        "form": form,
        "refused": refused,
        "page": page,
        "rows": [(gold, gold_judged(gold)) for gold in page.object_list],
        "now": timezone.now(),
        "rules": rules_of(request.project.id),
    }
    return render(request, "review/gold.html", context, status=status)


@project_page("review.gold", "POST")
def gold_mark(request: ProjectRequest, uuid: UUID) -> HttpResponse:
    item = (
        ReviewItem.objects.filter(project=request.project, interaction_id=uuid)
        .exclude(human_verdict="")
        .order_by("-verification__number")
        .first()
    )
    form = GoldForm(request.POST)
    if item is None or not form.is_valid():
        raise Http404
    try:
        mark_gold(
            item=item,
            verdict=Verdict(item.human_verdict),
            note=form.cleaned_data["note"],
            actor=request.membership.user,
            now=timezone.now(),
        )
    except UnchangedError:
        messages.error(request, _("It is already gold."))
    else:
        done = _(
            "Added to the gold set: reviewers who have not seen it may receive it."
        )
        messages.success(request, done)
    return redirect("review:answer-detail", request.project.slug, uuid)


@project_page("review.gold", "POST")
def gold_retire(request: ProjectRequest, gold_id: UUID) -> HttpResponse:
    gold = get_object_or_404(
        GoldItem.objects.select_related("item"), project=request.project, id=gold_id
    )
    try:
        retire_gold(gold=gold, actor=request.membership.user, now=timezone.now())
    except UnchangedError:
        messages.error(request, _("It is already retired."))
    else:
        messages.success(request, _("Retired. It no longer measures reviewers."))
    return redirect("review:gold-list", request.project.slug)


@project_page("project.manage", "GET", "POST")
def review_rules(request: ProjectRequest) -> HttpResponse:
    """Show and set the review rules."""
    rules = rules_of(request.project.id)
    form = ReviewRulesForm(request.POST or None, instance=rules)
    context: dict[str, Any] = {"form": form}
    if request.method != "POST":
        return render(request, "review/rules.html", context)
    if not form.is_valid():
        return render(request, "review/rules.html", context, status=422)
    set_review_rules(
        project=request.project, values=form.values(), actor=request.membership.user
    )
    messages.success(request, _("Saved."))
    return redirect("review:rules", request.project.slug)

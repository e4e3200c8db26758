"""Views of acts on many answers: progress and undo."""

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.http import or_404, page_or_fragment
from verifyhub.common.jobs import enqueue_on_commit
from verifyhub.review.decide.bulk import advance_act, undo_bulk
from verifyhub.review.decide.reasons import reason_labels
from verifyhub.review.decide.undo import undo_act
from verifyhub.review.decisions import Decision
from verifyhub.review.errors import OverrideUndoneError, ReviewError, SeveralPeopleError
from verifyhub.review.models import Act, ActMember, ReviewItem
from verifyhub.review.selectors import member_counts

# How many answers are listed; all are counted.
LISTED = 200
# How long a request continues an act before a worker does.
SECONDS = 2.0


@project_page("answers.view", "GET")
def act_detail(request: ProjectRequest, act_id: UUID) -> HttpResponse:
    """Show an act's progress and skipped answers."""
    act = _act(request, act_id)
    members = act.members.select_related("item__interaction").order_by("id")
    members = members.defer("item__interaction__answer_text")
    counts = member_counts(act)
    return page_or_fragment(
        request,
        "review/act.html",
        "review/_act.html",
        {
            "act": act,
            "counts": counts,
            "total": sum(counts.values()),
            "over": sum(counts.values()) - counts["waiting"],
            "is_under_way": act.state in (Act.State.RUNNING, Act.State.UNDOING),
            "skipped": members.filter(state=ActMember.State.SKIPPED)[:LISTED],
            "waits": members.filter(state=ActMember.State.WAITS)[:LISTED],
            "done": members.filter(state=ActMember.State.DONE)[:LISTED],
            "may_decide": can(request.membership.role, "review.decide"),
            "decision": Decision.from_dict(act.decision),
            "reason_labels": reason_labels(request.project.id),
        },
    )


@project_page("review.decide", "POST")
def act_undo(request: ProjectRequest, act_id: UUID) -> HttpResponse:
    """Undo an act: on one answer at once, on many answer by answer."""
    act = _act(request, act_id)
    if act.kind == Act.Kind.SINGLE:
        return _undo_single(request, act)
    try:
        with transaction.atomic():
            undo_bulk(act=act, actor=request.membership.user)
            enqueue_on_commit("review.advance_act", act_id=str(act.id))
    except OverrideUndoneError:
        messages.error(request, _("It was already undone."))
    else:
        advance_act(act_id=act.id, seconds=SECONDS)
        messages.success(request, _("Undone, with all its effects."))
    return redirect("review:act", request.project.slug, act.id)


def _undo_single(request: ProjectRequest, act: Act) -> HttpResponse:
    item = or_404(
        ReviewItem.objects.filter(overrides__act=act)
        .select_related("verification", "project")
        .first()
    )
    try:
        undo_act(
            act=act, item=item, actor=request.membership.user, version=item.version
        )
        messages.success(request, _("Undone, with all its effects."))
    except SeveralPeopleError:
        messages.error(request, _("Several reviewers decided it: a lead can undo it."))
    except ReviewError:
        messages.error(request, _("Someone else changed it; nothing was undone."))
    slug = request.project.slug
    return redirect(reverse("review:answer-detail", args=[slug, item.interaction_id]))


def _act(request: ProjectRequest, act_id: UUID) -> Act:
    acts = Act.objects.filter(project=request.project).select_related(
        "reviewer", "api_key", "undone_by", "undone_by_key"
    )
    return get_object_or_404(acts, id=act_id)

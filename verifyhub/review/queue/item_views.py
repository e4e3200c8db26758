"""Views of one item: claim, release, assign, snooze, ask."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from verifyhub.accounts.models import Membership, User
from verifyhub.accounts.permissions import ProjectRequest, can, project_page
from verifyhub.common.counts import BoundedCount
from verifyhub.common.http import or_404, uuid_in
from verifyhub.review.errors import HeldByOtherError, NotAReviewerError, ReviewError
from verifyhub.review.models import ReviewItem
from verifyhub.review.queue import selectors as queues
from verifyhub.review.queue.assignment import (
    ask_colleague,
    assign_items,
    reply_to_question,
    requeue_item,
    reviewer_named,
    reviewers_of,
    skip_item,
)
from verifyhub.review.queue.forms import SKIP_HOURS
from verifyhub.review.queue.leases import (
    Holder,
    lease_item,
    leave_item,
    release_item,
    renew_lease,
)
from verifyhub.review.queue.progress import Sitting, sitting_of
from verifyhub.review.queue.rows import explain, row_of


@project_page("answers.view", "GET")
def bar(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    return _bar(request, _item(request, item_id))


@project_page("answers.view", "GET")
def why(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    """Explain an item's rank: its factors, and how many items are before it."""
    item = _item(request, item_id)
    ahead = queues.ahead_of(item)
    context = {"item": item, "why": explain(item), "ahead": ahead}
    return render(request, "review/_queue_why.html", context)


@project_page("review.decide", "POST")
def take(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    """Claim this item; a lead may take it over from another reviewer."""
    item, user = _item(request, item_id), request.membership.user
    over = "over" in request.POST and can(request.membership.role, "review.manage")
    return _carry_out(
        request,
        item,
        lambda: lease_item(item=item, holder=Holder(user=user), take_over=over),
    )


@project_page("review.decide", "POST")
def renew(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    """Renew a lease: the page's heartbeat. 409 if another reviewer has it."""
    item, token = _item(request, item_id), _token(request)
    lease = renew_lease(item=item, token=token) if token else None
    if lease is None:
        return JsonResponse({"held": False}, status=409)
    return JsonResponse({"held": True, "until": lease.until.isoformat()})


@project_page("review.decide", "POST")
def leave(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    """End the lease soon: the browser sends this when the page is left."""
    if token := _token(request):
        leave_item(item=_item(request, item_id), token=token)
    return HttpResponse(status=204)


@project_page("review.decide", "POST")
def release(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    item = _item(request, item_id)
    release_item(item=item, holder=Holder(user=request.membership.user))
    messages.info(request, _("Released. Another reviewer can claim it."))
    return _onwards(request, "review:queue")


@project_page("review.decide", "POST")
def skip(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    """Snooze an item for oneself, and continue with the next one."""
    item, user = _item(request, item_id), request.membership.user
    hours = request.POST.get("hours", "")
    until = timezone.now() + timedelta(hours=int(hours if hours in SKIP_HOURS else 1))

    if _refusal(request, lambda: skip_item(item=item, user=user, until=until)):
        return _bar(request, item)
    return _onwards(request, "review:queue-next")


@project_page("review.decide", "POST")
def requeue(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    item = _item(request, item_id)
    user = request.membership.user
    if _refusal(request, lambda: requeue_item(item=item, user=user)):
        return _bar(request, item)
    messages.info(request, _("Returned to the queue."))
    return _onwards(request, "review:queue")


@project_page("review.decide", "POST")
def assign(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    """Assign an item; only a lead may assign it to another reviewer."""
    item = _item(request, item_id)
    person = _person(request, "assignee")
    user = request.membership.user
    others = {person, item.assignee} - {user, None}
    if others and not can(request.membership.role, "review.manage"):
        messages.error(request, _("Only a lead may assign to others; ask a colleague."))
        return _bar(request, item)
    return _carry_out(
        request,
        item,
        lambda: assign_items(
            project_id=item.project_id, item_ids=[item.pk], assignee=person, actor=user
        ),
    )


@project_page("review.manage", "POST")
def assign_many(request: ProjectRequest) -> HttpResponse:
    """Assign the selected items to a reviewer, or to nobody."""
    person = _person(request, "assignee")
    ids = [
        item_id for text in request.POST.getlist("item") if (item_id := uuid_in(text))
    ]

    def act() -> None:
        moved = assign_items(
            project_id=request.project.id,
            item_ids=ids,
            assignee=person,
            actor=request.membership.user,
        )
        message = ngettext("%(n)s item assigned.", "%(n)s items assigned.", moved)
        messages.success(request, message % {"n": moved})

    _refusal(request, act)
    return _onwards(request, "review:queue")


@project_page("review.decide", "POST")
def ask(request: ProjectRequest, item_id: UUID) -> HttpResponse:
    item = _item(request, item_id)
    colleague = _person(request, "colleague")

    def act() -> None:
        if colleague is None:
            raise NotAReviewerError(_("Choose a colleague."))
        ask_colleague(
            item=item,
            asked_by=request.membership.user,
            asked_of=colleague,
            note=request.POST.get("note", ""),
        )

    return _carry_out(request, item, act)


@project_page("review.decide", "POST")
def reply(request: ProjectRequest, item_id: UUID, question_id: UUID) -> HttpResponse:
    item = _item(request, item_id)
    questions = {question.pk: question for question in queues.questions_of(item)}
    question = or_404(questions.get(question_id))

    def act() -> None:
        reply_to_question(
            question=question,
            user=request.membership.user,
            reply=request.POST.get("reply", ""),
        )

    return _carry_out(request, item, act)


def _carry_out(
    request: ProjectRequest, item: ReviewItem, act: Callable[[], object]
) -> HttpResponse:
    _refusal(request, act)
    return _bar(request, _item(request, item.pk))


def _refusal(request: ProjectRequest, act: Callable[[], object]) -> bool:
    """Run an action; if it is refused, show the reason."""
    try:
        act()
    except HeldByOtherError as error:
        message = _("Claimed by %(name)s until %(time)s.")
        when = timezone.localtime(error.until).strftime("%H:%M")
        messages.error(request, message % {"name": error.name, "time": when})
    except ReviewError as error:
        messages.error(request, error.sentence)
    else:
        return False
    return True


def _bar(request: ProjectRequest, item: ReviewItem) -> HttpResponse:
    """Return the bar for htmx, else the whole page of the answer."""
    if not getattr(request, "htmx", False):
        return redirect(
            "review:answer-detail",
            slug=request.project.slug,
            uuid=item.interaction_id,
        )
    context = bar_context(request, item) | {"says": messages.get_messages(request)}
    return render(request, "review/_item_bar.html", context)


def _onwards(request: ProjectRequest, name: str) -> HttpResponse:
    """Redirect to a page of the queue with the request's filters."""
    query = QueryDict(request.POST.get("query", ""))
    back = reverse(name, args=[request.project.slug], query=query)
    if getattr(request, "htmx", False):
        return HttpResponse(status=204, headers={"HX-Redirect": back})
    return redirect(back)


def _item(request: ProjectRequest, item_id: UUID) -> ReviewItem:
    return or_404(queues.item_of(request.project.id, item_id, request.membership.user))


def _person(request: ProjectRequest, field: str) -> User | None:
    name = request.POST.get(field, "")
    if not name:
        return None
    return or_404(reviewer_named(request.project.id, name))


def _token(request: ProjectRequest) -> UUID | None:
    return uuid_in(request.POST.get("token", ""))


def bar_context(
    request: ProjectRequest, item: ReviewItem, *, whole: bool = True
) -> dict[str, Any]:
    """Return the context of `review/_item_bar.html`.

    Args:
        request: The request.
        item: The item.
        whole: Whether to show what may be done with it. A page where the bar is folded
            loads it when the bar is opened; one with questions shows them.
    """
    user, role = request.membership.user, request.membership.role
    questions = queues.questions_of(item)
    whole = whole or bool(questions)
    people = reviewers_of(item.project_id) if whole else []
    settings = queues.queue_settings(item.project_id)
    row = row_of(
        item, user=user, now=timezone.now(), doubling_hours=settings.doubling_hours
    )
    query = request.POST.get("query")
    if request.method == "GET":
        shown = request.GET.copy()
        for name in ("run", "whole", "mention", "claim", "after", "peek", "bar"):
            shown.pop(name, None)
        query = shown.urlencode()
    return {
        "request": request,
        "project": request.project,
        "item": item,
        "is_whole": whole,
        "row": row,
        "query": query,
        "token": item.lease_token if row.held_by_me else "",
        "beat_seconds": settings.lease_minutes * 15,
        "may_decide": can(role, "review.decide"),
        "may_manage": can(role, "review.manage"),
        "is_open": item.state == ReviewItem.State.OPEN,
        "mine": item.assignee_id == user.pk,
        "reviewers": people,
        "colleagues": [person for person in people if person != user],
        "questions": questions,
        "skips": SKIP_HOURS.items(),
        "user": user,
    }


def place_context(
    membership: Membership, item: ReviewItem | None, waiting: BoundedCount | None
) -> dict[str, Any]:
    """Return an item's position among the open ones, and its reviewer's progress.

    Args:
        membership: The viewer's membership.
        item: An open item, if there is one.
        waiting: How many are open, if the page has counted them.
    """
    user, project_id = membership.user, membership.project_id
    ahead = queues.ahead_of(item) if item else BoundedCount(0)
    sitting = Sitting()
    if can(membership.role, "review.decide"):
        sitting = sitting_of(project_id, user.pk, timezone.now())
    return {
        "position": BoundedCount(ahead.value + 1, ahead.more),
        "open_count": waiting or queues.open_count(project_id, user),
        "sitting": sitting,
    }

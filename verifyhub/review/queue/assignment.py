"""Assign items to people, and snooze them."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, Membership, User
from verifyhub.accounts.permissions import CAPABILITIES
from verifyhub.audit.services import record_event
from verifyhub.common.prepared import PreparedQuery
from verifyhub.review.errors import (
    DecisionInvalidError,
    ItemChangedError,
    NotAReviewerError,
)
from verifyhub.review.models import FREE, Question, ReviewItem, Seat, Skip
from verifyhub.review.queue.items import hold_item
from verifyhub.review.queue.seats import is_open_to

# Maximum items of one action.
MAX_ITEMS = 500
JUDGING_ROLES = [role for role, may in CAPABILITIES.items() if "review.decide" in may]


@transaction.atomic
def assign_items(
    *,
    project_id: UUID,
    item_ids: Collection[UUID],
    assignee: User | None,
    actor: User | ApiKey,
) -> int:
    """Assign open items to a reviewer, or to nobody; at most 500 at once.

    Leases of other people end.

    Returns:
        How many were newly assigned.

    Raises:
        NotAReviewerError: If the assignee may not judge in this project.
    """
    if assignee is not None:
        check_reviewer(project_id, assignee)
    now = timezone.now()
    items = list(
        ReviewItem.objects.select_for_update(of=("self",))
        .filter(
            project_id=project_id,
            id__in=list(item_ids)[:MAX_ITEMS],
            state=ReviewItem.State.OPEN,
        )
        .select_related("assignee")
        .order_by("id")
    )
    moved = [item for item in items if item.assignee != assignee]
    for item in moved:
        before = {"assignee": item.assignee.username if item.assignee else None}
        item.assignee, item.assigned_at = assignee, now if assignee else None
        if assignee is not None and item.lease_holder_id != assignee.pk:
            for field, value in FREE.items():
                setattr(item, field, value)
        record_event(
            "review.item_assigned",
            item,
            actor,
            before=before,
            after={"assignee": assignee.username if assignee else None},
        )
    ReviewItem.objects.bulk_update(moved, ["assignee", "assigned_at", *FREE])
    return len(moved)


@transaction.atomic
def skip_item(*, item: ReviewItem, user: User, until: datetime) -> Skip:
    """Snooze an item for one person; others may still get it.

    Their lease ends, and so does its assignment to them.
    """
    stored = hold_item(item.pk)
    if not is_open_to(stored, user, timezone.now()):
        raise ItemChangedError(f"{item.id} is not open")
    Seat.objects.filter(item=item, user=user).delete()
    skip, _ = Skip.objects.update_or_create(
        item=stored,
        user=user,
        defaults={"project_id": item.project_id, "until": until},
    )
    if stored.lease_holder_id == user.pk:
        for field, value in FREE.items():
            setattr(stored, field, value)
    if stored.assignee_id == user.pk:
        stored.assignee, stored.assigned_at = None, None
    stored.save(update_fields=["assignee", "assigned_at", *FREE])
    record_event("review.item_skipped", item, user, after={"until": until.isoformat()})
    return skip


@transaction.atomic
def requeue_item(*, item: ReviewItem, user: User) -> None:
    """Return an item to the queue for everybody, including the user."""
    Skip.objects.filter(item=item, user=user).delete()
    Seat.objects.filter(item=item, user=user).delete()
    ReviewItem.objects.filter(pk=item.pk, lease_holder=user).update(**FREE)
    assign_items(
        project_id=item.project_id, item_ids=[item.pk], assignee=None, actor=user
    )


@transaction.atomic
def ask_colleague(
    *, item: ReviewItem, asked_by: User, asked_of: User, note: str
) -> Question:
    """Ask a colleague about an item, which is assigned to them until they reply.

    Raises:
        DecisionInvalidError: If the note is empty or too long, or the colleague is the
            user.
        NotAReviewerError: If the colleague may not judge in this project.
    """
    note = _text("note", note)
    if asked_of == asked_by:
        raise DecisionInvalidError(_("choose someone else"), field="colleague")
    assign_items(
        project_id=item.project_id,
        item_ids=[item.pk],
        assignee=asked_of,
        actor=asked_by,
    )
    question = Question.objects.create(
        project_id=item.project_id,
        item=item,
        asked_by=asked_by,
        asked_of=asked_of,
        note=note,
    )
    record_event(
        "review.colleague_asked",
        item,
        asked_by,
        after={"colleague": asked_of.username, "note": note},
    )
    return question


@transaction.atomic
def reply_to_question(*, question: Question, user: User, reply: str) -> Question:
    """Answer a colleague's question: the item goes back to the person who asked.

    Raises:
        DecisionInvalidError: If the reply is empty or too long.
        ItemChangedError: If it was addressed to another reviewer, or is answered.
    """
    reply = _text("reply", reply)
    answered = Question.objects.filter(
        pk=question.pk, asked_of=user, replied_at=None
    ).update(reply=reply, replied_at=timezone.now())
    if not answered:
        raise ItemChangedError(_("this question is not assigned to you"))
    if question.asked_by.is_active:
        assign_items(
            project_id=question.project_id,
            item_ids=[question.item_id],
            assignee=question.asked_by,
            actor=user,
        )
    record_event(
        "review.colleague_replied", question.item, user, after={"reply": reply}
    )
    question.refresh_from_db()
    return question


def check_reviewer(project_id: UUID, user: User) -> None:
    """Refuse a reviewer who may not judge in this project.

    Raises:
        NotAReviewerError: If they may not, or are no longer active.
    """
    if not judging_members(project_id).filter(user=user).exists():
        raise NotAReviewerError(
            _("%(user)s does not review in this project"), user=user
        )


def _text(field: str, text: str) -> str:
    text = text.strip()
    if not text:
        raise DecisionInvalidError(_("enter a text"), field=field)
    if len(text) > Question.MAX_NOTE:
        raise DecisionInvalidError(
            _("at most %(n)s characters"), field=field, n=Question.MAX_NOTE
        )
    return text


def judging_members(project_id: UUID) -> QuerySet[Membership]:
    """Return the members who may judge in a project."""
    return Membership.objects.filter(
        project_id=project_id, role__in=JUDGING_ROLES, user__is_active=True
    )


_REVIEWERS = PreparedQuery(
    lambda project: User.objects.filter(
        memberships__in=judging_members(project)
    ).order_by("username")
)


def reviewers_of(project_id: UUID) -> list[User]:
    """Return the people who may judge in a project, by name."""
    return _REVIEWERS(project=project_id)


def reviewer_named(project_id: UUID, name: str) -> User | None:
    """Return one of them by user name."""
    people = reviewers_of(project_id)
    return next((user for user in people if user.username == name), None)

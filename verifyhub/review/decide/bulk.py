"""Bulk acts: recorded first, applied answer by answer, undone as one.

Each answer is decided completely or not at all, in its own transaction (ADR 0026). So
nobody waits for a long act, and after a crash it continues where it stopped.
"""

import time
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override

from verifyhub.accounts.models import Project, User
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.review.decide.apply import DecisionResult
from verifyhub.review.decide.checks import acted_by
from verifyhub.review.decide.judgements import judge, withdraw_judgement_of_act
from verifyhub.review.decide.likeness import decision_for
from verifyhub.review.decide.proposals import withdraw_proposal_of_act
from verifyhub.review.decide.undo import undo_act, undone_fields
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.errors import (
    DecisionInvalidError,
    HeldByOtherError,
    ItemChangedError,
    OverrideUndoneError,
    ReviewError,
    SeveralPeopleError,
    UnchangedError,
)
from verifyhub.review.gold import undo_gold_of
from verifyhub.review.models import Act, ActMember, ReviewItem
from verifyhub.review.panel import FOR_OTHERS, FOR_SECOND, rules_of, wanted_for
from verifyhub.review.queue import holder_name
from verifyhub.review.selectors import member_counts

MOST_MEMBERS = 10_000
UNDER_WAY = (Act.State.RUNNING, Act.State.UNDOING)


@transaction.atomic
def open_bulk(
    *,
    project: Project,
    decision: Decision,
    items: Iterable[tuple[UUID, int]],
    chosen_by: Mapping[str, Any],
    reviewer: Reviewer,
) -> Act:
    """Record a bulk act; `advance_act` applies it.

    Args:
        project: The tenant.
        decision: The decision; parts about a name or claim are adapted to each answer.
        items: The answers' items and the versions that the reviewer saw.
        chosen_by: A likeness, a filter, or empty if they were selected one by one.
        reviewer: Who decides.

    Raises:
        DecisionInvalidError: If there are no answers, or too many.
    """
    rows = list(items)
    if not 1 <= len(rows) <= MOST_MEMBERS:
        raise DecisionInvalidError(_("1 to %(n)s"), field="answers", n=MOST_MEMBERS)
    act = Act.objects.create(
        project=project,
        kind=Act.Kind.BULK,
        state=Act.State.RUNNING,
        decision=decision.as_dict(),
        chosen_by=dict(chosen_by),
        **acted_by(reviewer),
    )
    members = (
        ActMember(project=project, act=act, item_id=item_id, version=version)
        for item_id, version in rows
    )
    ActMember.objects.bulk_create(members, batch_size=1000)
    _record(act, reviewer, "review.bulk_started", {"answers": len(rows)})
    return act


@transaction.atomic
def undo_bulk(*, act: Act, actor: Reviewer) -> None:
    """Start to undo a bulk act; a running one stops.

    Raises:
        OverrideUndoneError: If a reviewer has already started.
    """
    undoable_states = (Act.State.RUNNING, Act.State.DONE)
    if not update_if(
        act,
        expected={"undone_at": None, "state__in": undoable_states},
        state=Act.State.UNDOING,
        **undone_fields(actor),
    ):
        raise OverrideUndoneError(str(act.id))
    _record(act, actor, "review.bulk_undone", {})


def advance_act(*, act_id: UUID, seconds: float) -> bool:
    """Continue an act, or its undoing, answer by answer.

    Concurrent callers take turns, and no answer is processed twice.

    Args:
        act_id: The act.
        seconds: Maximum time.

    Returns:
        Whether it has finished.
    """
    until = time.monotonic() + seconds
    while _advance_one(act_id):
        if time.monotonic() >= until:
            return False
    return True


def advance_acts(*, seconds: float) -> None:
    """Continue all unfinished acts, oldest first."""
    rows = Act.objects.filter(state__in=UNDER_WAY).order_by("created_at")
    for act_id in rows.values_list("id", flat=True)[:100]:
        advance_act(act_id=act_id, seconds=seconds)


@transaction.atomic
def _advance_one(act_id: UUID) -> bool:
    """Process the next answer; False if there is none left and the act has ended."""
    # The weaker lock allows others to write overrides of the act. The act is read again
    # once it is locked, since joined rows are from before the wait.
    Act.objects.select_for_update(no_key=True).only("id").get(pk=act_id)
    people = ("reviewer", "api_key", "undone_by", "undone_by_key", "project")
    act = Act.objects.select_related(*people).get(pk=act_id)
    if act.state not in UNDER_WAY:
        return False
    running = act.state == Act.State.RUNNING
    to_come = (
        act.members.filter(state=ActMember.State.WAITING) if running else _to_undo(act)
    )
    member = to_come.select_related("item").order_by("id").first()
    if member is None:
        _end(act)
        return False
    try:
        if running:
            _decide(act, member)
        else:
            _undo(act, member)
    except ReviewItem.DoesNotExist:
        # The answer was deleted meanwhile with the member; continue with the next one.
        return True
    member.save(update_fields=["state", "reason", "detail"])
    return True


def _to_undo(act: Act) -> QuerySet[ActMember]:
    """Return the members to undo; answers that several people settled stay decided."""
    return act.members.filter(
        Q(state=ActMember.State.WAITS) | Q(state=ActMember.State.DONE, reason="")
    )


def _decide(act: Act, member: ActMember) -> None:
    reviewer = act.reviewer or act.api_key
    item, decision = member.item, Decision.from_dict(act.decision)
    fitted = decision_for(item, decision, act.chosen_by)
    try:
        if fitted is None or reviewer is None:
            raise UnchangedError(_("no longer applies"), field="decision")
        with transaction.atomic():
            judged = judge(
                item=item,
                decision=fitted,
                reviewer=reviewer,
                version=member.version,
                bulk=True,
                act=act,
            )
        member.state, member.reason = _became(judged, item)
    except ReviewError as error:
        member.state = ActMember.State.SKIPPED
        member.reason, member.detail = _why(error, item)


def _became(judged: DecisionResult, item: ReviewItem) -> tuple[ActMember.State, str]:
    """Return an answer's state, and whom it waits for, if anybody.

    Gold counts like any other answer.
    """
    if judged.proposal is not None:
        return ActMember.State.WAITS, FOR_SECOND
    if judged.outcome is not None:
        return ActMember.State.DONE, ""
    rules = rules_of(item.project_id)
    if wanted_for(item, rules) > 1:
        return ActMember.State.WAITS, FOR_OTHERS
    if rules.confirm_bulk:
        return ActMember.State.WAITS, FOR_SECOND
    return ActMember.State.DONE, ""


def _why(error: ReviewError, item: ReviewItem) -> tuple[str, str]:
    """Return the code of why an answer was skipped, with a detail such as a name."""
    item.refresh_from_db()
    if isinstance(error, HeldByOtherError):
        return "leased", holder_name(item)[:300]
    if isinstance(error, ItemChangedError):
        return "changed", item.resolver[:300]
    code = "unchanged" if isinstance(error, UnchangedError) else "refused"
    with override("en"):
        return code, str(error)[:300]


def _undo(act: Act, member: ActMember) -> None:
    item = ReviewItem.objects.select_for_update(of=("self",)).get(pk=member.item_id)
    # A reviewer may have confirmed, declined or settled it before the row was locked.
    member.refresh_from_db(fields=["state", "reason", "detail"])
    if not _to_undo(act).filter(pk=member.pk).exists():
        return
    actor = act.undone_by or act.undone_by_key
    waited = member.state == ActMember.State.WAITS
    member.state, member.reason = ActMember.State.UNDONE, ""
    if actor is None:
        return
    if waited:
        # Judgements and proposals that wait for other people are withdrawn.
        withdraw_proposal_of_act(act=act, item=item, actor=actor)
        withdraw_judgement_of_act(act=act, item=item, actor=actor)
        return
    own = actor == act.reviewer
    # Decisions about gold are not applied, but must look undone.
    if own and isinstance(actor, User) and undo_gold_of(item=item, actor=actor):
        return
    try:
        with transaction.atomic():
            undo_act(act=act, item=item, actor=actor, version=item.version)
    except OverrideUndoneError:
        member.reason = "undone_before"
    except ItemChangedError:
        # Superseded by a newer verification, so nothing of it applies any more.
        member.reason = "superseded"
    except SeveralPeopleError:
        # Others have judged it as well, so their judgement stays.
        member.state, member.reason = ActMember.State.DONE, "others"


def _end(act: Act) -> None:
    running = act.state == Act.State.RUNNING
    act.state = Act.State.DONE if running else Act.State.UNDONE
    act.save(update_fields=["state"])
    counts = member_counts(act)
    actor = act.reviewer or act.api_key if running else act.undone_by
    _record(
        act,
        actor,
        "review.bulk_ended" if running else "review.bulk_undoing_ended",
        {
            "decided": counts[ActMember.State.DONE],
            "skipped": counts[ActMember.State.SKIPPED],
            "waits": counts[ActMember.State.WAITS],
        },
    )


def _record(act: Act, actor: Any, action: str, after: Mapping[str, Any]) -> None:
    record_event(
        action,
        act,
        actor,
        after={"decision": act.decision, "chosen_by": act.chosen_by, **after},
    )

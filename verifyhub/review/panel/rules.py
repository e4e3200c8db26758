"""The review rules for one item: the number of judges, and permissions."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, Project, User
from verifyhub.accounts.permissions import holds
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.common.prepared import PreparedQuery
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.errors import SeveralPeopleError
from verifyhub.review.models import ActMember, Judgement, ReviewItem, ReviewRules
from verifyhub.review.panel.settlement import reviews_wanted

# Whom an answer waits for: `ActMember.reason`.
FOR_SECOND = "second"
FOR_OTHERS = "others"
State = Judgement.State
LIVE = (State.DRAFT, State.GIVEN)


_RULES = PreparedQuery(lambda project: ReviewRules.objects.filter(project=project))


def rules_of(project_id: UUID) -> ReviewRules:
    """Return a project's rules; unsaved defaults if it has none."""
    return _RULES.first(project=project_id) or ReviewRules(project_id=project_id)


def wanted_for(item: ReviewItem, rules: ReviewRules) -> int:
    """Return how many people judge an item: as fixed for it, or by the rules."""
    if item.reviews_wanted is not None:
        return item.reviews_wanted
    return reviews_wanted(
        rules, item_id=item.pk, risk=item.risk, kinds=item.reason_kinds
    )


def refuse_alone(item: ReviewItem, decision: Decision, reviewer: Reviewer) -> None:
    """Refuse a decision that one person, or a key, may not make alone.

    `decide.judge` involves the others; other callers are refused, so that no page and
    no program can bypass the project's rules.

    Raises:
        SeveralPeopleError: If others must judge the item, or confirm the decision.
    """
    rules = rules_of(item.project_id)
    # An adjudicator may add to a decision that several people settled.
    settled = item.state != ReviewItem.State.OPEN
    if wanted_for(item, rules) > 1 and not (settled and may_adjudicate(item, reviewer)):
        raise SeveralPeopleError(
            _("several reviewers judge it; decide on its page"), field="item"
        )
    if rules.confirm_overrides and decision.contradicts:
        raise SeveralPeopleError(_("an override needs a second approval"), field="item")


def may_adjudicate(item: ReviewItem, actor: Reviewer) -> bool:
    """Whether a reviewer may adjudicate an item with different judgements.

    A lead may; one who has judged the item only if the project allows it.
    """
    if isinstance(actor, ApiKey) or not oversees(item.project_id, actor):
        return False
    if rules_of(item.project_id).judge_may_adjudicate:
        return True
    return not given_judgements(item).filter(reviewer=actor).exists()


def may_undo(item: ReviewItem, actor: Reviewer) -> bool:
    """Whether a reviewer may undo a decision on an item alone.

    If several people settled it, only a lead or its adjudicator may; one of the
    reviewers would also undo the others' judgements.
    """
    if item.state not in (ReviewItem.State.CONFIRMED, ReviewItem.State.OVERRIDDEN):
        return True
    rows = Judgement.objects.filter(
        item=item, round=item.round, state=State.GIVEN, kind__in=Judgement.DECIDING
    )
    if len(set(rows.values_list("reviewer_id", flat=True))) < 2:
        return True
    if isinstance(actor, ApiKey):
        return False
    ruled = rows.filter(kind=Judgement.Kind.ADJUDICATION, reviewer=actor)
    return oversees(item.project_id, actor) or ruled.exists()


def oversees(project_id: UUID, actor: Reviewer) -> bool:
    """Whether a reviewer may adjudicate in a project: a lead, never a key."""
    if isinstance(actor, ApiKey):
        return False
    return holds(project_id, actor, "review.adjudicate")


def given_judgements(item: ReviewItem) -> QuerySet[Judgement]:
    """Return the judgements of an item's current round, oldest first."""
    return (
        Judgement.objects.filter(
            item=item,
            round=item.round,
            kind=Judgement.Kind.REVIEW,
            state=State.GIVEN,
        )
        .select_related("reviewer")
        .order_by("given_at", "id")
    )


def begin_round(item: ReviewItem, actor: Reviewer | None) -> None:
    """Start a new round of judgements, after an undo or a new verdict.

    Earlier judgements are kept as superseded, and everybody may judge again. The caller
    has locked the item's row.
    """
    live = Judgement.objects.filter(
        item=item, round=item.round, state__in=LIVE, kind__in=Judgement.DECIDING
    )
    skipped = ActMember.State.SKIPPED
    end_waiting(item=item, waits_for=FOR_OTHERS, state=skipped, reason="outdated")
    drafts = live.filter(state=State.DRAFT)
    ended = live.filter(state=State.GIVEN).update(state=State.SUPERSEDED)
    drafts.delete()
    if not ended and item.disputed_at is None:
        return
    before = {"round": item.round}
    changes = {"round": item.round + 1, "reviews_wanted": None, "disputed_at": None}
    update_if(item, expected={}, **changes)
    record_event(
        "review.round_begun",
        item,
        actor,
        before=before,
        after={"round": item.round, "superseded": ended},
    )


@transaction.atomic
def set_review_rules(
    *, project: Project, values: dict[str, Any], actor: User
) -> ReviewRules:
    """Set a project's review rules.

    An answer that a reviewer has judged keeps its number of judges.

    Args:
        project: The tenant.
        values: Validated values by field of `ReviewRules`.
        actor: Who changes them.
    """
    rules = rules_of(project.pk)
    before = {name: getattr(rules, name) for name in values}
    for name, value in values.items():
        setattr(rules, name, value)
    rules.save()
    record_event("review.rules_set", project, actor, before=before, after=dict(values))
    return rules


def end_waiting(
    *,
    item: ReviewItem,
    waits_for: str,
    state: ActMember.State,
    reason: str = "",
    detail: str = "",
    reviewer: User | None = None,
) -> None:
    """Update the state of a waiting answer in every bulk act.

    The caller has locked the item's row, so that concurrent undoing of an act sees a
    consistent state.

    Args:
        item: The answer's item.
        waits_for: FOR_SECOND or FOR_OTHERS.
        state: The new state.
        reason: The reason's code.
        detail: A name that belongs to the reason.
        reviewer: Whose acts; everybody's by default.
    """
    members = ActMember.objects.filter(
        item=item, state=ActMember.State.WAITS, reason=waits_for
    )
    if reviewer is not None:
        members = members.filter(act__reviewer=reviewer)
    members.update(state=state, reason=reason, detail=detail)

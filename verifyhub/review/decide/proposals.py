"""Decisions that need a second person's approval."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, User
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.memory.effect_words import WAITS
from verifyhub.review.decide.apply import AppliedDecision, apply_decision
from verifyhub.review.decide.preview import preview_decision
from verifyhub.review.decisions import MAX_REASON_LENGTH, Decision, Reviewer
from verifyhub.review.errors import (
    ItemChangedError,
    OwnProposalError,
    ReasonMissingError,
    SeveralPeopleError,
)
from verifyhub.review.models import Act, ActMember, Proposal, ReviewItem, ReviewRules
from verifyhub.review.panel import FOR_SECOND, FourEyes, end_waiting
from verifyhub.review.queue import Holder, hold_item, release_item

State = Proposal.State


def needs_second(
    rules: ReviewRules,
    item: ReviewItem,
    decision: Decision,
    reviewer: Reviewer,
    *,
    bulk: bool,
) -> FourEyes | None:
    """Return why a second approval is needed; None if it is not.

    Whether it would change a constraint, now or with a second voice, is tested by
    applying it in a rollback.
    """
    if bulk and rules.confirm_bulk:
        return FourEyes.BULK
    if not decision.contradicts:
        return None
    if rules.confirm_overrides:
        return FourEyes.OVERRIDE
    if rules.confirm_constraints:
        effects = preview_decision(item, decision, reviewer)
        if any(e["type"] == "constraint" or e["code"] == WAITS for e in effects):
            return FourEyes.CONSTRAINT
    return None


def propose(
    *,
    item: ReviewItem,
    decision: Decision,
    proposer: Reviewer,
    reason: FourEyes,
    act: Act | None = None,
) -> Proposal:
    """Store a decision for a second person; nothing else changes.

    The caller has locked the item's row. `act` is the bulk act that it is part of.

    Raises:
        SeveralPeopleError: If a key proposes it: only people may.
        ItemChangedError: If there is another open proposal.
        DecisionInvalidError: If it could not be applied.
    """
    if isinstance(proposer, ApiKey):
        raise SeveralPeopleError(
            _("a second approval is needed, and a key cannot request it"), field="item"
        )
    preview_decision(item, decision, proposer)
    if item.proposals.filter(state=State.PENDING).exists():
        raise ItemChangedError(f"{item.pk} has a proposal that waits")
    proposal = Proposal.objects.create(
        project_id=item.project_id,
        item=item,
        proposer=proposer,
        decision=decision.as_dict(),
        version=item.version,
        reason_code=reason,
        act=act,
    )
    release_item(item=item, holder=Holder(user=proposer))
    _record(proposal, proposer, "review.decision_proposed", {"reason": reason})
    return proposal


@transaction.atomic
def confirm_proposal(*, proposal: Proposal, actor: User) -> AppliedDecision | None:
    """Apply another person's proposal, in their name.

    Returns:
        The applied decision; None if the item has changed, so that the proposal is
        outdated and nothing was done.

    Raises:
        OwnProposalError: If it is the actor's own.
        ItemChangedError: If it is no longer open.
    """
    if proposal.proposer_id == actor.pk:
        raise OwnProposalError(_("someone else must approve it"), field="proposal")
    hold_item(proposal.item_id)
    _decided(proposal, State.CONFIRMED, actor)
    decision = Decision.from_dict(proposal.decision)
    try:
        with transaction.atomic():
            outcome = apply_decision(
                item=proposal.item,
                decision=decision,
                reviewer=proposal.proposer,
                version=proposal.version,
                act=proposal.act,
                settled=True,
                judgements=[(proposal.proposer, decision), (actor, decision)],
            )
    except ItemChangedError:
        update_if(proposal, expected={}, state=State.OUTDATED)
        _tell_act(proposal, ActMember.State.SKIPPED, "outdated")
        _record(proposal, actor, "review.proposal_outdated", {})
        return None
    _tell_act(proposal, ActMember.State.DONE)
    _record(proposal, actor, "review.proposal_confirmed", {})
    return outcome


@transaction.atomic
def decline_proposal(*, proposal: Proposal, actor: User, reason: str) -> Proposal:
    """Decline a proposal; the item stays open.

    Raises:
        OwnProposalError: If it is the actor's own: use `withdraw_proposal`.
        ReasonMissingError: If the reason is blank or too long.
        ItemChangedError: If it is no longer open.
    """
    reason = reason.strip()
    if proposal.proposer_id == actor.pk:
        raise OwnProposalError(_("withdraw your own instead"), field="proposal")
    if not reason or len(reason) > MAX_REASON_LENGTH:
        raise ReasonMissingError(_("give a reason for the proposer"), field="reason")
    hold_item(proposal.item_id)
    _decided(proposal, State.DECLINED, actor, decline_reason=reason)
    _tell_act(proposal, ActMember.State.SKIPPED, "declined", actor.username)
    _record(proposal, actor, "review.proposal_declined", {"reason": reason})
    return proposal


@transaction.atomic
def withdraw_proposal(*, proposal: Proposal, actor: User) -> Proposal:
    """Withdraw one's own proposal.

    Raises:
        OwnProposalError: If it is another reviewer's: use `decline_proposal`.
        ItemChangedError: If it is no longer open.
    """
    if proposal.proposer_id != actor.pk:
        raise OwnProposalError(_("only its author can withdraw it"), field="proposal")
    hold_item(proposal.item_id)
    _decided(proposal, State.WITHDRAWN, actor)
    _tell_act(proposal, ActMember.State.SKIPPED, "withdrawn")
    _record(proposal, actor, "review.proposal_withdrawn", {})
    return proposal


def withdraw_proposal_of_act(*, act: Act, item: ReviewItem, actor: Reviewer) -> None:
    """Withdraw a bulk act's proposal about an answer, when the act is undone.

    The caller has locked the item's row. Nothing happens without an open proposal.
    """
    for proposal in act.proposals.filter(item=item, state=State.PENDING):
        _decided(proposal, State.WITHDRAWN, actor)
        _record(proposal, actor, "review.proposal_withdrawn", {})


def _tell_act(
    proposal: Proposal, state: ActMember.State, reason: str = "", detail: str = ""
) -> None:
    """Update the answer's state in the bulk act that proposed the decision."""
    if proposal.act_id is not None:
        end_waiting(
            item=proposal.item,
            waits_for=FOR_SECOND,
            state=state,
            reason=reason,
            detail=detail,
            reviewer=proposal.proposer,
        )


def _decided(proposal: Proposal, state: State, actor: Reviewer, **changes: str) -> None:
    if not update_if(
        proposal,
        expected={"state": State.PENDING},
        state=state,
        decided_by=actor if isinstance(actor, User) else None,
        decided_at=timezone.now(),
        **changes,
    ):
        raise ItemChangedError(f"{proposal.pk} does not wait any more")


def _record(
    proposal: Proposal, actor: Reviewer, action: str, after: dict[str, str]
) -> None:
    record_event(
        action, proposal.item, actor, after={"proposal": str(proposal.pk), **after}
    )

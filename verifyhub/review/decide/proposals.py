"""Decisions that wait for a second approval."""

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
    """Return why a second approval is needed; None where it is not.

    Whether it would change a constraint, or would with a second voice, is found out by
    carrying it out in vain.
    """
    if bulk and rules.confirm_bulk:
        return FourEyes.BULK
    if not decision.contradicts:
        return None
    if rules.confirm_overrides:
        return FourEyes.OVERRIDE
    if rules.confirm_constraints and _changes_constraints(item, decision, reviewer):
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
    """Keep a decision for a second person; nothing else changes.

    The caller holds the item's row. `act` is the one on many answers that it is a part
    of.

    Raises:
        SeveralPeopleError: If a key proposes: a program's own word confirms nothing.
        ItemChangedError: If another proposal waits already.
        DecisionInvalidError: If it could not be carried out.
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
    """Carry out what another person proposed, in their name.

    Returns:
        What it changed; None if the item changed meanwhile, so that the proposal is
        outdated and nothing was done.

    Raises:
        OwnProposalError: If it is one's own.
        ItemChangedError: If it does not wait any more.
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
    """Turn a proposal down; the item waits for a decision as before.

    Raises:
        OwnProposalError: If it is one's own: that is withdrawn.
        ReasonMissingError: If the reason is blank or too long.
        ItemChangedError: If it does not wait any more.
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
    """Take one's own proposal back.

    Raises:
        OwnProposalError: If it is somebody else's: that is declined.
        ItemChangedError: If it does not wait any more.
    """
    if proposal.proposer_id != actor.pk:
        raise OwnProposalError(_("only its author can withdraw it"), field="proposal")
    hold_item(proposal.item_id)
    _decided(proposal, State.WITHDRAWN, actor)
    _tell_act(proposal, ActMember.State.SKIPPED, "withdrawn")
    _record(proposal, actor, "review.proposal_withdrawn", {})
    return proposal


def withdraw_proposal_of_act(*, act: Act, item: ReviewItem, actor: Reviewer) -> None:
    """Withdraw what an act on many proposed of an answer, as the act is undone.

    The caller holds the item's row. Nothing happens where nothing waits.
    """
    for proposal in act.proposals.filter(item=item, state=State.PENDING):
        _decided(proposal, State.WITHDRAWN, actor)
        _record(proposal, actor, "review.proposal_withdrawn", {})


def _tell_act(
    proposal: Proposal, state: ActMember.State, reason: str = "", detail: str = ""
) -> None:
    """Count the answer, in the act that proposed it, as what became of it."""
    if proposal.act_id is not None:
        end_waiting(
            item=proposal.item,
            waits_for=FOR_SECOND,
            state=state,
            reason=reason,
            detail=detail,
            reviewer=proposal.proposer,
        )


def _changes_constraints(
    item: ReviewItem, decision: Decision, reviewer: Reviewer
) -> bool:
    return any(
        effect["type"] == "constraint" or effect["code"] == WAITS
        for effect in preview_decision(item, decision, reviewer)
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
        project_id=proposal.project_id,
        actor=actor,
        action=action,
        obj=proposal.item,
        after={"proposal": str(proposal.pk), **after},
    )

"""Judge an answer: alone, with other reviewers, or for a second approval.

People's decisions go through `judge`. If a project requires one person per answer,
which is the default, it applies the decision at once.
"""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, User
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.review.decide.apply import (
    AppliedDecision,
    DecisionResult,
    apply_decision,
)
from verifyhub.review.decide.on_gold import judge_gold_item
from verifyhub.review.decide.preview import preview_decision, taken_back
from verifyhub.review.decide.proposals import needs_second, propose
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.errors import (
    ItemChangedError,
    JudgedAlreadyError,
    SeveralPeopleError,
)
from verifyhub.review.gold import uncount_gold
from verifyhub.review.models import (
    FREE,
    Act,
    ActMember,
    Judgement,
    ReviewItem,
    ReviewRules,
)
from verifyhub.review.panel import (
    FOR_OTHERS,
    Given,
    end_waiting,
    full_verdict,
    given_judgements,
    may_adjudicate,
    merged,
    rules_of,
    settle,
    wanted_for,
)
from verifyhub.review.queue import Holder, clear_seats, hold_item, release_item

# Longer times are ignored: the page was probably left open.
MOST_SECONDS = 3600
State = Judgement.State


@transaction.atomic
def judge(
    *,
    item: ReviewItem,
    decision: Decision,
    reviewer: Reviewer,
    version: int,
    seconds: int | None = None,
    bulk: bool = False,
    act: Act | None = None,
) -> DecisionResult:
    """Judge an answer, under the project's review rules.

    With several people per answer, only their own judgement changes until the rule is
    met; the last one settles the item in this transaction. Marked names without a
    verdict are stored as a draft.

    Args:
        item: The item.
        decision: The decision.
        reviewer: Who decides.
        version: The item's version that the reviewer saw.
        seconds: How long judging took; None if unknown.
        bulk: Whether it is part of a decision on many answers.
        act: The bulk act that this is part of.

    Raises:
        ItemChangedError: If the item's version has changed.
        JudgedAlreadyError: If the reviewer has judged it in this round.
        SeveralPeopleError: If a key would decide instead of the required people.
        DecisionInvalidError: As `apply_decision` raises it.
    """
    item = _locked(item, version)
    rules = rules_of(item.project_id)
    seconds = None if seconds is None else max(0, min(seconds, MOST_SECONDS))
    if measured := judge_gold_item(item, rules, decision, reviewer, seconds):
        return measured
    if wanted_for(item, rules) > 1:
        return _judge_with_others(item, rules, decision, reviewer, seconds)
    why = needs_second(rules, item, decision, reviewer, bulk=bulk)
    if not why:
        return _decide_alone(item, decision, reviewer, seconds, act)
    proposal = propose(
        item=item, decision=decision, proposer=reviewer, reason=why, act=act
    )
    return DecisionResult(proposal=proposal)


@transaction.atomic
def withdraw(*, judgement: Judgement, actor: User) -> Judgement:
    """Withdraw one's own judgement, unless all others have judged.

    Raises:
        ItemChangedError: If the item is settled or disputed, or there is no judgement.
    """
    item = _locked(judgement.item, None)
    own = judgement.reviewer_id == actor.pk and judgement.round == item.round
    waits = item.state == ReviewItem.State.OPEN and item.disputed_at is None
    if judgement.kind == Judgement.Kind.GOLD:
        waits = uncount_gold(judgement)
    reviewed = judgement.kind != Judgement.Kind.ADJUDICATION
    if not (own and waits and reviewed) or not update_if(
        judgement, expected={"state": State.GIVEN}, state=State.WITHDRAWN
    ):
        raise ItemChangedError(f"{judgement.pk} cannot be withdrawn any more")
    end_waiting(
        item=item,
        waits_for=FOR_OTHERS,
        state=ActMember.State.SKIPPED,
        reason="withdrawn",
        reviewer=actor,
    )
    _record_withdrawn(judgement, actor)
    return judgement


def withdraw_judgement_of_act(*, act: Act, item: ReviewItem, actor: Reviewer) -> None:
    """Withdraw a bulk act's judgement of an answer, when the act is undone.

    The caller has locked the item's row, and checked that the answer still waits for
    others. Nothing happens if the act's judgement was replaced.
    """
    for judgement in given_judgements(item).filter(reviewer=act.reviewer):
        update_if(judgement, expected={"state": State.GIVEN}, state=State.WITHDRAWN)
        _record_withdrawn(judgement, actor)


def _record_withdrawn(judgement: Judgement, actor: Reviewer) -> None:
    record_event(
        "review.judgement_withdrawn",
        judgement.item,
        actor,
        before={"judgement": str(judgement.pk)},
    )


def _judge_with_others(
    item: ReviewItem,
    rules: ReviewRules,
    decision: Decision,
    reviewer: Reviewer,
    seconds: int | None,
) -> DecisionResult:
    if item.state != ReviewItem.State.OPEN and may_adjudicate(item, reviewer):
        return DecisionResult(outcome=_carry_out(item, decision, reviewer))
    person = _refuse_judging(item, reviewer)
    judgement = _write(item, rules, decision, person, seconds)
    if judgement.state == State.DRAFT:
        return DecisionResult(judgement=judgement)
    release_item(item=item, holder=Holder(user=person))
    return DecisionResult(judgement=judgement, outcome=_settle(item, rules, person))


def check_judgement(item: ReviewItem, decision: Decision, reviewer: Reviewer) -> None:
    """Check that a reviewer may give a judgement of an item with several judges.

    Raises:
        ReviewError: As `judge` would.
    """
    _check(item, decision, _refuse_judging(item, reviewer))


def _refuse_judging(item: ReviewItem, reviewer: Reviewer) -> User:
    """Return the reviewer as a person who may judge the item with others now."""
    if isinstance(reviewer, ApiKey):
        raise SeveralPeopleError(
            _("several reviewers judge it; an API key cannot decide"), field="item"
        )
    if item.state != ReviewItem.State.OPEN:
        raise JudgedAlreadyError(f"{item.pk} is settled")
    if item.disputed_at is not None:
        raise JudgedAlreadyError(f"{item.pk} waits for an adjudicator")
    if given_judgements(item).filter(reviewer=reviewer).exists():
        raise JudgedAlreadyError(f"{reviewer} has judged {item.pk}")
    return reviewer


def _write(
    item: ReviewItem,
    rules: ReviewRules,
    decision: Decision,
    reviewer: User,
    seconds: int | None,
) -> Judgement:
    """Save a judgement over the reviewer's draft; without a verdict it is a draft."""
    draft = Judgement.objects.filter(
        item=item,
        reviewer=reviewer,
        round=item.round,
        kind=Judgement.Kind.REVIEW,
        state=State.DRAFT,
    ).first()
    full = merged(Decision.from_dict(draft.decision), decision) if draft else decision
    _check(item, full, reviewer)
    if item.reviews_wanted is None:
        update_if(item, expected={}, reviews_wanted=wanted_for(item, rules))
    judgement = draft or Judgement(
        project_id=item.project_id, item=item, reviewer=reviewer, round=item.round
    )
    judgement.decision = full.as_dict()
    judgement.blind = rules.blind
    if full.settles:
        judgement.state = State.GIVEN
        judgement.verdict = full_verdict(full, item.verification.verdict)
        judgement.given_at = timezone.now()
        judgement.seconds = seconds
    else:
        judgement.state = State.DRAFT
    judgement.save()
    # The audit log must not reveal the judgement before the item is settled.
    word = "given" if full.settles else "drafted"
    _record(item, reviewer, f"review.judgement_{word}", {})
    return judgement


def _settle(item: ReviewItem, rules: ReviewRules, last: User) -> AppliedDecision | None:
    """Apply the result of all judgements, once the last one is given."""
    judgements = list(given_judgements(item))
    if len(judgements) < wanted_for(item, rules):
        return None
    decisions = [
        (judgement.reviewer, Decision.from_dict(judgement.decision))
        for judgement in judgements
    ]
    decision = settle(
        rules.settlement,
        item.verification.verdict,
        [
            Given(str(who), judgement.verdict, decision)
            for judgement, (who, decision) in zip(judgements, decisions, strict=True)
        ],
    )
    verdicts = {str(judgement.reviewer): judgement.verdict for judgement in judgements}
    # Ends the lease of a reviewer beyond the required number.
    update_if(item, expected={}, **FREE)
    clear_seats(item)
    if decision is None:
        changes = {"disputed_at": timezone.now(), "version": item.version + 1}
        update_if(item, expected={}, **changes)
        _record(item, None, "review.judgements_differ", {"judgements": verdicts})
        return None
    _record(item, None, "review.judgements_settled", {"judgements": verdicts})
    done = ActMember.State.DONE
    end_waiting(item=item, waits_for=FOR_OTHERS, state=done, reason=FOR_OTHERS)
    return _carry_out(item, decision, last, judgements=decisions)


def _decide_alone(
    item: ReviewItem,
    decision: Decision,
    reviewer: Reviewer,
    seconds: int | None,
    act: Act | None,
) -> DecisionResult:
    machine = item.verification.verdict
    outcome = _carry_out(item, decision, reviewer, act)
    if not decision.settles or isinstance(reviewer, ApiKey):
        return DecisionResult(outcome=outcome)
    judgement = Judgement.objects.create(
        project_id=item.project_id,
        item=item,
        reviewer=reviewer,
        round=item.round,
        verdict=full_verdict(decision, machine),
        decision=decision.as_dict(),
        seconds=seconds,
        blind=False,
        given_at=timezone.now(),
    )
    return DecisionResult(outcome=outcome, judgement=judgement)


def _carry_out(
    item: ReviewItem,
    decision: Decision,
    reviewer: Reviewer,
    act: Act | None = None,
    judgements: Sequence[tuple[Reviewer, Decision]] = (),
) -> AppliedDecision:
    return apply_decision(
        item=item,
        decision=decision,
        reviewer=reviewer,
        version=item.version,
        act=act,
        settled=True,
        judgements=judgements,
    )


def _check(item: ReviewItem, decision: Decision, reviewer: Reviewer) -> None:
    """Refuse a decision that could not be applied later, by applying it in a rollback.

    Leases do not matter, since several people may judge the item at the same time.
    """
    with taken_back():
        ReviewItem.objects.filter(pk=item.pk).update(**FREE)
        preview_decision(item, decision, reviewer)


def _locked(item: ReviewItem, version: int | None) -> ReviewItem:
    """Return the current row of an item, locked until the transaction ends.

    Raises:
        ItemChangedError: If its version differs from the given one, or it was deleted.
    """
    # Without its verification, which may change while this waits for the lock.
    rows = ReviewItem.objects.select_related("interaction__session", "project")
    stored = hold_item(item.pk, rows)
    # A finished verification does not change, and its report is large.
    read = ReviewItem.verification.is_cached(item)
    if read and item.verification_id == stored.verification_id:
        stored.verification = item.verification
    if version is not None and stored.version != version:
        raise ItemChangedError(f"{item.pk} is no longer version {version}")
    return stored


def _record(
    item: ReviewItem, actor: User | None, action: str, after: dict[str, Any]
) -> None:
    record_event(action, item, actor, after={"round": item.round, **after})

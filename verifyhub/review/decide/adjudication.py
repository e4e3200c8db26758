"""Adjudicate an answer whose reviewers disagree."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import User
from verifyhub.audit.services import record_event
from verifyhub.common.db import update_if
from verifyhub.review.decide.apply import AppliedDecision, apply_decision
from verifyhub.review.decisions import Decision
from verifyhub.review.errors import (
    DecisionInvalidError,
    ItemChangedError,
    ReasonMissingError,
    SeveralPeopleError,
)
from verifyhub.review.models import FREE, ActMember, Judgement, ReviewItem
from verifyhub.review.panel import FOR_OTHERS, end_waiting, full_verdict, may_adjudicate


@transaction.atomic
def adjudicate(
    *, item: ReviewItem, decision: Decision, adjudicator: User, version: int
) -> AppliedDecision:
    """Adjudicate an item on which all judges disagree.

    The adjudicator sees all judgements and must give a reason, even if they agree with
    the verification, for those who judged otherwise.

    Raises:
        SeveralPeopleError: If they are no lead, or have judged it themselves.
        ItemChangedError: If the item is not disputed, or its version has changed.
        ReasonMissingError: If no reason is given.
        DecisionInvalidError: If no verdict is given, or as `apply_decision` raises it.
    """
    if not may_adjudicate(item, adjudicator):
        raise SeveralPeopleError(
            _("a lead who has not reviewed it must adjudicate"), field="item"
        )
    if not decision.settles:
        whole = _("decide on the answer as a whole")
        raise DecisionInvalidError(whole, field="verdict")
    if not decision.reason.strip() and not decision.reason_codes:
        missing = _("give a reason for those who judged otherwise")
        raise ReasonMissingError(missing, field="reason")
    disputed = {"state": ReviewItem.State.OPEN, "disputed_at__isnull": False}
    if not update_if(
        item, expected={"version": version, **disputed}, disputed_at=None, **FREE
    ):
        raise ItemChangedError(f"{item.pk} is not disputed, or no longer so")
    ruling = Judgement.objects.create(
        project_id=item.project_id,
        item=item,
        reviewer=adjudicator,
        kind=Judgement.Kind.ADJUDICATION,
        round=item.round,
        verdict=full_verdict(decision, item.verification.verdict),
        decision=decision.as_dict(),
        blind=False,
        given_at=timezone.now(),
    )
    end_waiting(
        item=item, waits_for=FOR_OTHERS, state=ActMember.State.DONE, reason=FOR_OTHERS
    )
    record_event(
        "review.adjudicated",
        item,
        adjudicator,
        after={"verdict": ruling.verdict, "reason": decision.reason},
    )
    return apply_decision(
        item=item,
        decision=decision,
        reviewer=adjudicator,
        version=version,
        settled=True,
    )

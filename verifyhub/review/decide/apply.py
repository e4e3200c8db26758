"""Apply a decision: the only code that decides an item and changes its state."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey, User
from verifyhub.common.db import update_if
from verifyhub.review.decide.checks import acted_by, check_decision
from verifyhub.review.decide.drafts import clear_draft
from verifyhub.review.decide.statements import StatementWriter, write_statements
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.errors import ItemChangedError, UnchangedError
from verifyhub.review.models import Act, Judgement, Override, Proposal, ReviewItem
from verifyhub.review.panel import refuse_alone
from verifyhub.review.queue import DECIDED, end_lease, keep_lease
from verifyhub.verification import services as verification

DECIDABLE = (ReviewItem.State.OPEN, *DECIDED)


@dataclass(frozen=True, slots=True)
class AppliedDecision:
    """An applied decision: the act, and one override for each statement."""

    act: Act
    item: ReviewItem
    overrides: list[Override]

    @property
    def effects(self) -> list[dict[str, Any]]:
        """The effects, in the order of the statements."""
        return [effect for override in self.overrides for effect in override.effects]


@transaction.atomic
def apply_decision(
    *,
    item: ReviewItem,
    decision: Decision,
    reviewer: Reviewer,
    version: int,
    act: Act | None = None,
    settled: bool = False,
    judgements: Sequence[tuple[Reviewer, Decision]] = (),
) -> AppliedDecision:
    """Apply all parts of a reviewer's decision about one answer, or none.

    The verification's verdict and statuses are kept beside the person's, since
    calibration learns from disagreement. Memory, constraints, learned examples and
    cached opinions change in this transaction; overrides store the effects.

    Args:
        item: The item.
        decision: The decision.
        reviewer: A person, or a key that acts as itself.
        version: The item's version that the reviewer saw.
        act: The bulk act that this is part of; a new act by default.
        settled: Whether the project's rules about several reviewers are met, as
            `decide.judge` ensures.
        judgements: Each person's judgement, if several led to this decision.

    Raises:
        SeveralPeopleError: If those rules require others as well, and are not met.
        ItemChangedError: If the item's version has changed, or the decision is about
            the whole answer and the item is already decided.
        HeldByOtherError: If another reviewer has taken the item.
        OwnAnswerError: If a key judges an answer that it sent.
        DecisionInvalidError: If a part is invalid; the message begins with its field.
    """
    if not settled:
        refuse_alone(item, decision, reviewer)
    decision = check_decision(item, decision, reviewer)
    _advance_for(item, decision, reviewer, version)
    if act is None:
        act = Act.objects.create(
            project_id=item.project_id,
            decision=decision.as_dict(),
            **acted_by(reviewer),
        )
    overrides = write_statements(
        StatementWriter(item, act, reviewer, decision, judgements)
    )
    if not overrides:
        raise UnchangedError(_("it would change nothing"), field="decision")
    if decision.settles and isinstance(reviewer, User):
        clear_draft(interaction_id=item.interaction_id, user=reviewer)
    return AppliedDecision(act, item, overrides)


def advance(
    item: ReviewItem, version: int, *states: ReviewItem.State, **changes: Any
) -> None:
    """Increase an item's version, if it is still the one that the reviewer saw.

    The UPDATE also locks the row until the transaction ends: of concurrent decisions
    on one item, the second finds another version.

    Raises:
        ItemChangedError: If another version or state is stored.
    """
    if not update_if(
        item,
        expected={"version": version, "state__in": states or DECIDABLE},
        version=version + 1,
        **changes,
    ):
        raise ItemChangedError(f"{item.id} is no longer version {version}")


def _advance_for(
    item: ReviewItem, decision: Decision, reviewer: Reviewer, version: int
) -> None:
    if not decision.settles:
        keep_lease(item, reviewer)
        advance(item, version)
        return
    by_key = isinstance(reviewer, ApiKey)
    overridden, confirmed = ReviewItem.State.OVERRIDDEN, ReviewItem.State.CONFIRMED
    verdict = decision.verdict or item.verification.verdict
    advance(
        item,
        version,
        ReviewItem.State.OPEN,
        state=overridden if decision.verdict else confirmed,
        human_verdict=verdict,
        resolved_by=None if by_key else reviewer,
        resolved_by_key=reviewer if by_key else None,
        resolved_at=timezone.now(),
        **end_lease(item, reviewer),
    )
    verification.set_human_verdict(verification=item.verification, verdict=verdict)


@dataclass(frozen=True, slots=True)
class DecisionResult:
    """The result of a decision.

    Attributes:
        outcome: The applied decision, if it was applied.
        judgement: The judgement, if others must judge as well, or the item is gold.
        proposal: The proposal, if it needs a second person.
        rehearsed: The effects that it would have had, if the item is gold.
    """

    outcome: AppliedDecision | None = None
    judgement: Judgement | None = None
    proposal: Proposal | None = None
    rehearsed: list[Override] = field(default_factory=list)

    @property
    def settled(self) -> bool:
        """Whether the answer is decided."""
        return self.outcome is not None and self.outcome.item.human_verdict != ""

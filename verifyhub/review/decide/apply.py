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
from verifyhub.review.decide.statements import Speaker, write_statements
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.errors import ItemChangedError, UnchangedError
from verifyhub.review.models import Act, Judgement, Override, Proposal, ReviewItem
from verifyhub.review.panel import refuse_alone
from verifyhub.review.queue import DECIDED, end_lease, keep_lease
from verifyhub.verification import services as verification

DECIDABLE = (ReviewItem.State.OPEN, *DECIDED)


@dataclass(frozen=True, slots=True)
class AppliedDecision:
    """What a decision came to: the act, and one override for each thing said."""

    act: Act
    item: ReviewItem
    overrides: list[Override]

    @property
    def effects(self) -> list[dict[str, Any]]:
        """What changed, in the order it was said."""
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
    """Carry out everything that a reviewer says of one answer, or nothing of it.

    The machine's verdict and statuses stay as they are, beside the person's:
    calibration learns from disagreement. Memory, constraints, learned examples and
    cached opinions change in this transaction; the overrides keep what changed.

    Args:
        item: What is judged.
        decision: What is said.
        reviewer: Who says so: a person, or a key that acts as itself.
        version: The item's version that the reviewer saw.
        act: The act on many answers that this is a part of; a new one by default.
        settled: Whether the project's rules of several reviewers have been met, as
            `decide.judge` makes sure.
        judgements: What each person said, where several came to this decision.

    Raises:
        SeveralPeopleError: If those rules ask others as well, and are not met.
        ItemChangedError: If the item is another version by now, or decided already
            and the decision is about the answer as a whole.
        HeldByOtherError: If somebody else has taken the item.
        OwnAnswerError: If a key judges an answer that it sent.
        DecisionInvalidError: If a part cannot be; the message begins with its field.
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
    overrides = write_statements(Speaker(item, act, reviewer, decision, judgements))
    if not overrides:
        raise UnchangedError(_("it would change nothing"), field="decision")
    if decision.settles and isinstance(reviewer, User):
        clear_draft(interaction_id=item.interaction_id, user=reviewer)
    return AppliedDecision(act, item, overrides)


def advance(
    item: ReviewItem, version: int, *states: ReviewItem.State, **changes: Any
) -> None:
    """Move an item to its next version, if nobody did since the reviewer looked.

    The UPDATE also locks the row until the transaction ends: decisions on one item
    take turns, and the second one finds another version.

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
    """What became of a decision.

    Attributes:
        outcome: What it changed, where it was carried out.
        judgement: What waits for the others, or measures the reviewer.
        proposal: What waits for a second person.
        rehearsed: What it would have changed, where it measures the reviewer.
    """

    outcome: AppliedDecision | None = None
    judgement: Judgement | None = None
    proposal: Proposal | None = None
    rehearsed: list[Override] = field(default_factory=list)

    @property
    def settled(self) -> bool:
        """Whether the answer is decided by now."""
        return self.outcome is not None and self.outcome.item.human_verdict != ""

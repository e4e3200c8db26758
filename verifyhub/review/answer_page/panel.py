"""The context of an answer's panel of reviewers."""

from dataclasses import dataclass, field
from typing import Any

from verifyhub.accounts.models import Membership
from verifyhub.accounts.permissions import can
from verifyhub.common.prepared import PreparedQuery
from verifyhub.review.gold import active_gold
from verifyhub.review.models import GoldItem, Judgement, Proposal, ReviewItem
from verifyhub.review.panel import may_adjudicate, may_undo, rules_of, wanted_for
from verifyhub.review.visibility import ItemView
from verifyhub.verification.models import Verdict


@dataclass(slots=True, kw_only=True)
class Panel:
    """Who judges an item, how far they are, and what the viewer may do about it.

    Attributes:
        reviews: How many people judge it.
        count: How many have.
        own: The viewer's judgement, or draft.
        judgements: Everybody's judgements, where the viewer may see them.
        disputed: Whether all have judged and differ.
        may_rule: Whether the viewer may adjudicate.
        may_judge: Whether the viewer may judge it now.
        proposal: What waits for a second person.
        own_proposal: Whether it is the viewer's.
        declined: The newest proposal of the viewer's that was declined.
        gold: Whether it is gold, for those who keep gold.
        may_mark_gold: Whether the viewer may make it gold.
        lesson: Gold the viewer has judged, where the project tells them.
    """

    reviews: int = 1
    count: int = 0
    own: Judgement | None = None
    judgements: list[Judgement] = field(default_factory=list)
    disputed: bool = False
    may_rule: bool = False
    may_judge: bool = True
    proposal: Proposal | None = None
    own_proposal: bool = False
    declined: Proposal | None = None
    gold: GoldItem | None = None
    may_mark_gold: bool = False
    lesson: GoldItem | None = None

    @property
    def is_shown(self) -> bool:
        """Whether there is anything to say: with one reviewer there is not."""
        return (
            self.reviews > 1
            or bool(self.judgements)
            or any((self.proposal, self.declined, self.gold, self.lesson))
            or self.may_mark_gold
        )


def panel_context(view: ItemView, membership: Membership) -> dict[str, Any]:
    """Return `panel` and what else the page needs to show it."""
    item = view.item
    if item is None:
        return {"panel": Panel(), "may_undo": True}
    panel = _panel(item, view, membership)
    return {
        "panel": panel,
        "rulings": Verdict.choices,
        "is_open": item.state == ReviewItem.State.OPEN and panel.may_judge,
        # Of gold one takes back only one's own words, which no other reviewer settled.
        "may_undo": view.masked or may_undo(item, membership.user),
    }


_PROPOSALS = PreparedQuery(
    lambda item: (
        Proposal.objects.filter(
            item=item, state__in=[Proposal.State.PENDING, Proposal.State.DECLINED]
        )
        .select_related("proposer", "decided_by")
        .order_by("-created_at", "-id")
    )
)


def _panel(item: ReviewItem, view: ItemView, membership: Membership) -> Panel:
    rules = rules_of(item.project_id)
    user = membership.user
    if view.masked:
        return _of_gold(item, view, rules.gold_feedback)
    kinds = Judgement.Kind
    given = [row for row in view.judgements if row.state == Judgement.State.GIVEN]
    reviews = [row for row in given if row.kind == kinds.REVIEW]
    rulings = [row for row in given if row.kind == kinds.ADJUDICATION]
    proposals = _PROPOSALS(item=item.pk)
    # What the viewer proposed for the item as it is now, and a reviewer declined.
    declined = (
        proposal
        for proposal in proposals
        if proposal.state == Proposal.State.DECLINED
        and proposal.proposer_id == user.pk
        and proposal.version == item.version
    )
    own = view.judgement
    judged = own is not None and own.state == Judgement.State.GIVEN
    disputed = item.disputed_at is not None
    review_count = wanted_for(item, rules)
    is_open = item.state == ReviewItem.State.OPEN
    pending = next((p for p in proposals if p.state == Proposal.State.PENDING), None)
    hidden = is_open and not disputed and rules.blind
    keeps_gold = can(membership.role, "review.gold")
    gold = active_gold(item) if keeps_gold else None
    return Panel(
        reviews=review_count,
        count=len(reviews),
        own=own,
        judgements=[] if hidden or review_count < 2 else [*reviews, *rulings],
        disputed=disputed,
        may_rule=disputed and may_adjudicate(item, user),
        may_judge=not (
            is_open and (disputed or pending or (judged and review_count > 1))
        ),
        proposal=pending,
        own_proposal=pending is not None and pending.proposer_id == user.pk,
        declined=next(declined, None) if is_open and not pending else None,
        gold=gold,
        may_mark_gold=keeps_gold and gold is None and bool(item.human_verdict),
    )


def _of_gold(item: ReviewItem, view: ItemView, feedback: bool) -> Panel:
    """Show gold to its reviewer as the same answer would look if nobody knew it."""
    reviews = wanted_for(item, rules_of(item.project_id))
    judged = view.judgement is not None and bool(view.judgement.verdict)
    if reviews > 1 and judged:
        # Others are still to judge, as far as the reviewer can tell.
        item.state = ReviewItem.State.OPEN
        item.human_verdict, item.resolved_by, item.resolved_at = "", None, None
    return Panel(
        reviews=reviews,
        count=int(judged),
        own=view.judgement,
        may_judge=reviews < 2 or not judged,
        lesson=active_gold(item) if feedback and judged else None,
    )

"""An item as one person may see it: blind reviews, and gold like any other answer.

What is hidden here is hidden on every page, in the API and in every export; nothing of
it is written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.ingest.models import Interaction
from verifyhub.review.decisions import Decision
from verifyhub.review.gold import handed_to, keeps_gold
from verifyhub.review.models import (
    FREE,
    UNDECIDED,
    GoldItem,
    Judgement,
    ReviewItem,
    Seat,
)
from verifyhub.verification.models import ClaimVerdict, MentionVerdict, Verification

State = ReviewItem.State


@dataclass(slots=True)
class ItemView:
    """What of an item's decisions a person is shown.

    Attributes:
        item: The item, its fields as they are shown; None where there is none.
        masked: Whether decisions of others are hidden, because it measures the viewer.
        judgement: The viewer's own, given or drafted, in this round.
        judgements: Everybody's in this round, oldest first; not all are to be shown.
        mentions: The rows of the names, with the viewer's own marks.
        claims: The rows of the claims of fact, likewise.
        hidden: Items whose decisions are hidden from the viewer, this one or others.
    """

    item: ReviewItem | None
    masked: bool = False
    judgement: Judgement | None = None
    judgements: list[Judgement] = field(default_factory=list)
    mentions: dict[int, MentionVerdict] = field(default_factory=dict)
    hidden: set[UUID] = field(default_factory=set)
    claims: dict[int, ClaimVerdict] = field(default_factory=dict)


def view_item(run: Verification, item: ReviewItem | None, viewer: User) -> ItemView:
    """Return an item and the rows of its names as a person may see them.

    Gold that nobody decided is in no queue: to those who do not keep gold, and were
    not handed it, it is an answer that has no item.

    The rows are changed in memory alone and must not be saved.
    """
    rows = {row.index: row for row in run.mentions.all()}
    claims = {row.index: row for row in run.claims.all()}
    marked: list[MentionVerdict | ClaimVerdict] = [*rows.values(), *claims.values()]
    if item is None:
        return ItemView(None, mentions=rows, claims=claims)
    hidden = masked_items(item.project_id, viewer)
    masked = item.pk in hidden
    unseen = item.state == State.GOLD and not masked
    if unseen and not keeps_gold(item.project_id, viewer):
        _unmark(marked)
        return ItemView(None, mentions=rows, hidden=hidden, claims=claims)
    judgements = list(
        Judgement.objects.filter(
            item=item,
            round=item.round,
            state__in=[Judgement.State.DRAFT, Judgement.State.GIVEN],
        )
        .select_related("reviewer")
        .order_by("given_at", "created_at", "id")
    )
    own = [judgement for judgement in judgements if judgement.reviewer_id == viewer.pk]
    judgement = own[-1] if own else None
    if masked:
        _mask(item, marked, judgement, viewer)
    if item.state == State.OPEN:
        _seat({item.pk: item}, item.project_id, viewer)
    if judgement is not None and item.state == State.OPEN:
        own_words = Decision.from_dict(judgement.decision)
        for flip in own_words.mentions:
            if flip.index in rows:
                rows[flip.index].human_status = flip.status
        for fact in own_words.facts:
            if fact.index in claims:
                claims[fact.index].human_status = fact.status
    return ItemView(item, masked, judgement, judgements, rows, hidden, claims)


def withheld_items(project_id: UUID, viewer: User | None) -> set[UUID]:
    """Return the gold whose decisions must not leave the project in a file or body.

    A person who does not keep gold may be handed it tomorrow; so may the person
    behind a program. Their own decisions are not withheld from anybody.

    Args:
        project_id: The tenant.
        viewer: Who asks; None for a program.
    """
    gold = GoldItem.objects.active(timezone.now()).filter(project_id=project_id)
    if viewer is None:
        return set(gold.values_list("item_id", flat=True))
    hidden = masked_items(project_id, viewer)
    if keeps_gold(project_id, viewer):
        return hidden
    others = gold.exclude(item__resolved_by=viewer)
    return hidden | set(others.values_list("item_id", flat=True))


def withheld_answers(project_id: UUID, viewer: User | None) -> set[UUID]:
    """Return the answers of `withheld_items`."""
    hidden = withheld_items(project_id, viewer)
    items = ReviewItem.objects.filter(pk__in=hidden)
    return set(items.values_list("interaction_id", flat=True))


def masked_items(project_id: UUID, viewer: User) -> set[UUID]:
    """Return the items whose decisions a person must not see: gold handed to them."""
    handed = handed_to(project_id, viewer)
    return set(handed.values_list("gold__item_id", flat=True))


def mask_list(rows: list[Any], project_id: UUID, viewer: User) -> None:
    """Show a list as its viewer may see it: items, or answers with theirs."""
    items = {row.pk: row for row in rows if isinstance(row, ReviewItem)}
    hidden = handed_items(project_id, viewer)
    for item in hidden:
        if item.pk in items:
            row = items[item.pk]
            row.is_masked = True
            for name in (*UNDECIDED, *FREE):
                setattr(row, name, getattr(item, name))
    by_answer = {item.interaction_id: item for item in hidden}
    for row in rows:
        if isinstance(row, Interaction) and row.pk in by_answer:
            shown = by_answer[row.pk]
            row.human_verdict = shown.human_verdict or None  # type: ignore[attr-defined]
            row.review_state = shown.state  # type: ignore[attr-defined]
            row.is_masked = True  # type: ignore[attr-defined]
    _seat(items, project_id, viewer)


def handed_items(project_id: UUID, viewer: User) -> list[ReviewItem]:
    """Return the gold that somebody was handed, as they are to see it."""
    rows = list(
        ReviewItem.objects.filter(pk__in=masked_items(project_id, viewer))
        .select_related("verification", "assignee")
        .defer("verification__report")
    )
    if not rows:
        return []
    own = {
        judgement.item_id: judgement
        for judgement in Judgement.objects.filter(
            item__in=rows, reviewer=viewer, kind=Judgement.Kind.GOLD
        )
    }
    for item in rows:
        _mask(item, [], own.get(item.pk), viewer)
    _seat({item.pk: item for item in rows}, project_id, viewer)
    return rows


def waiting_items(project_id: UUID, viewer: User) -> set[UUID]:
    """Return the items beside the open ones that somebody may judge: gold of theirs."""
    waiting = handed_to(project_id, viewer).exclude(
        judgement__state=Judgement.State.GIVEN
    )
    return set(waiting.values_list("gold__item_id", flat=True))


def mask_runs(
    runs: Iterable[Verification], project_id: UUID, viewer: User | None
) -> None:
    """Show of verifications the human verdicts that somebody may see."""
    if viewer is None:
        return
    shown = {item.verification_id: item for item in handed_items(project_id, viewer)}
    for run in runs:
        if run.pk in shown:
            run.human_verdict = shown[run.pk].human_verdict


def mask_for_programs(item: ReviewItem) -> bool:
    """Show an item as undecided where it is gold; tells whether it is."""
    hidden = item.pk in withheld_items(item.project_id, None)
    if hidden:
        _open_again(item)
    return hidden


def _seat(items: dict[UUID, ReviewItem], project_id: UUID, viewer: User) -> None:
    """Show a seat to its holder like the lease of any other item."""
    seats = Seat.objects.filter(
        project_id=project_id, user=viewer, until__gt=timezone.now()
    )
    for seat in seats:
        if seat.item_id in items:
            row = items[seat.item_id]
            row.lease_holder, row.lease_key = viewer, None
            row.lease_token, row.lease_until = seat.token, seat.until


def _mask(
    item: ReviewItem,
    marked: Sequence[MentionVerdict | ClaimVerdict],
    judgement: Judgement | None,
    viewer: User,
) -> None:
    _open_again(item)
    for name, value in FREE.items():
        setattr(item, name, value)
    _unmark(marked)
    if judgement is None or judgement.state != Judgement.State.GIVEN:
        return
    agrees = judgement.verdict == item.verification.verdict
    item.state = State.CONFIRMED if agrees else State.OVERRIDDEN
    item.human_verdict = judgement.verdict
    item.resolved_by, item.resolved_at = viewer, judgement.given_at


def _unmark(marked: Iterable[MentionVerdict | ClaimVerdict]) -> None:
    for row in marked:
        row.human_status = ""


def _open_again(item: ReviewItem) -> None:
    for name, value in UNDECIDED.items():
        setattr(item, name, value)

"""What a person may see of an item: blind reviews, and gold that looks like any answer.

It applies to every page, to the API and to exports; rows are masked in memory only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.common.prepared import PreparedQuery
from verifyhub.ingest.models import Interaction
from verifyhub.review.decisions import Decision
from verifyhub.review.gold import handed_ids, handed_to, keeps_gold
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
    """An item and its decisions as shown to a person.

    Attributes:
        item: The item with its fields as shown, if there is one.
        masked: Whether others' decisions are hidden, because it measures the viewer.
        judgement: The viewer's own judgement or draft in this round.
        judgements: Everybody's in this round, oldest first; not all may be shown.
        mentions: The rows of the names, with the viewer's own marks.
        claims: The rows of the claims of fact, likewise.
        hidden: All items whose decisions are hidden from the viewer.
    """

    item: ReviewItem | None
    masked: bool = False
    judgement: Judgement | None = None
    judgements: list[Judgement] = field(default_factory=list)
    mentions: dict[int, MentionVerdict] = field(default_factory=dict)
    hidden: set[UUID] = field(default_factory=set)
    claims: dict[int, ClaimVerdict] = field(default_factory=dict)


_JUDGEMENTS = PreparedQuery(
    lambda item, round: (  # noqa: A006
        Judgement.objects.filter(
            item=item,
            round=round,
            state__in=[Judgement.State.DRAFT, Judgement.State.GIVEN],
        )
        .select_related("reviewer")
        .order_by("given_at", "created_at", "id")
    )
)


_NAMES = PreparedQuery(lambda run: MentionVerdict.objects.filter(verification=run))
_CLAIMS = PreparedQuery(lambda run: ClaimVerdict.objects.filter(verification=run))


def view_item(run: Verification, item: ReviewItem | None, viewer: User) -> ItemView:
    """Return an item and the rows of its names as a person may see them.

    Undecided gold is in no queue: for people who neither manage gold nor were handed
    it, the answer has no item.

    The rows are changed in memory only and must not be saved.
    """
    rows = {row.index: row for row in _NAMES(run=run.pk)}
    claims = {row.index: row for row in _CLAIMS(run=run.pk)}
    marked: list[MentionVerdict | ClaimVerdict] = [*rows.values(), *claims.values()]
    hidden = masked_items(run.project_id, viewer)
    if item is None:
        return ItemView(None, mentions=rows, hidden=hidden, claims=claims)
    masked = item.pk in hidden
    unseen = item.state == State.GOLD and not masked
    if unseen and not keeps_gold(item.project_id, viewer):
        _unmark(marked)
        return ItemView(None, mentions=rows, hidden=hidden, claims=claims)
    judgements = _JUDGEMENTS(item=item.pk, round=item.round)
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
    """Return the gold whose decisions must not be in files or replies.

    A person who does not manage gold may be handed it later, and so may the person
    behind a program. People's own decisions are not withheld from them.

    Args:
        project_id: The tenant.
        viewer: The person; None for a program.
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
    """Return the items whose decisions a person must not see: their gold."""
    return handed_ids(project_id, viewer)


def mask_list(
    rows: list[Any],
    project_id: UUID,
    viewer: User,
    gold: list[ReviewItem] | None = None,
) -> None:
    """Mask a list for its viewer: items, or answers with their items.

    Args:
        rows: The rows of the list.
        project_id: The tenant.
        viewer: The person.
        gold: Their `handed_items`, if they were read already.
    """
    items = {row.pk: row for row in rows if isinstance(row, ReviewItem)}
    hidden = handed_items(project_id, viewer) if gold is None else gold
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
    """Return the gold that a reviewer was handed, masked for them."""
    masked = masked_items(project_id, viewer)
    if not masked:
        return []
    rows = list(
        ReviewItem.objects.filter(pk__in=masked)
        .select_related("verification", "assignee")
        .defer("verification__report")
    )
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
    """Return the items other than open ones that a reviewer may judge: their gold."""
    waiting = handed_to(project_id, viewer).exclude(
        judgement__state=Judgement.State.GIVEN
    )
    return set(waiting.values_list("gold__item_id", flat=True))


def mask_runs(
    runs: Iterable[Verification], project_id: UUID, viewer: User | None
) -> None:
    """Mask human verdicts of verifications that a reviewer may not see."""
    if viewer is None:
        return
    shown = {item.verification_id: item for item in handed_items(project_id, viewer)}
    for run in runs:
        if run.pk in shown:
            run.human_verdict = shown[run.pk].human_verdict


def mask_for_programs(item: ReviewItem) -> bool:
    """Show gold as undecided; return whether the item is gold."""
    hidden = item.pk in withheld_items(item.project_id, None)
    if hidden:
        _open_again(item)
    return hidden


_SEATS = PreparedQuery(
    lambda project, viewer, now: Seat.objects.filter(
        project=project, user=viewer, until__gt=now
    )
)


def _seat(items: dict[UUID, ReviewItem], project_id: UUID, viewer: User) -> None:
    """Show a seat to its holder as the item's lease."""
    for seat in _SEATS(project=project_id, viewer=viewer.pk, now=timezone.now()):
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

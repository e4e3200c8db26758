"""Put answers into the queue."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from verifyhub.audit.services import record_event
from verifyhub.common.row_writes import insert
from verifyhub.review.errors import ItemChangedError
from verifyhub.review.models import Override, ReviewItem
from verifyhub.review.panel import begin_round
from verifyhub.review.queue import policy
from verifyhub.review.queue.stand import (
    STAND_FIELDS,
    Stand,
    put_first,
    stand_of,
    stands_of,
)
from verifyhub.review.selectors import report_of
from verifyhub.verification import services as verification
from verifyhub.verification.models import MentionVerdict, Verification
from verifyhub.verification.steps import FinishedVerification

OPENED_BY_PERSON = policy.Reason("person")


@transaction.atomic(savepoint=False)
def open_items(finished: Sequence[FinishedVerification]) -> None:
    """Queue the finished verifications that need review by policy.

    An answer has one item: a later verification takes over the existing one with
    people's decisions. Calling it again changes nothing.
    """
    runs = [each.verification for each in finished]
    reports = [(run, report_of(run)) for run in runs]
    reasons = {
        run.id: policy.reasons(report) if policy.needs_review(report) else []
        for run, report in reports
    }
    earlier = {
        run.id: item
        for run in runs
        # The first verification of an answer has no earlier one.
        if run.number > 1 and (item := latest_item(run)) is not None
    }
    queued = [run for run in runs if reasons[run.id] or run.id in earlier]
    new = []
    stands = stands_of([(reasons[run.id], run) for run in queued])
    for run, stand in zip(queued, stands, strict=True):
        if run.id in earlier:
            move_item(earlier[run.id], run, stand)
        else:
            new.append(_item(run, stand))
    insert(new, ignore_conflicts=True)


def refresh_items(amended: Sequence[FinishedVerification]) -> None:
    """Queue amended verifications, or update the reasons of queued ones.

    Decisions of people stay.
    """
    rows = ReviewItem.objects.filter(
        verification__in=[run.verification_id for run in amended]
    )
    before = {item.verification_id: item for item in rows}
    for run in amended:
        if run.verification_id in before:
            carry_facts(before[run.verification_id], run.verification)
    open_items(amended)
    for run in amended:
        item = rows.filter(verification=run.verification_id).first()
        if item is None or item.state != ReviewItem.State.OPEN:
            continue
        report = report_of(run.verification)
        stand_of(policy.reasons(report), run.verification).give(item)
        item.save(update_fields=STAND_FIELDS)


@transaction.atomic
def item_for(*, verification: Verification) -> ReviewItem:
    """Return the item of a verification, which is created if no rule flagged it."""
    if (
        existing := ReviewItem.objects.filter(verification=verification).first()
    ) is not None:
        existing.verification = verification
        return existing
    reasons = policy.reasons(report_of(verification)) or [OPENED_BY_PERSON]
    item = _item(verification, stand_of(reasons, verification))
    if insert([item], ignore_conflicts=True):
        return item
    return ReviewItem.objects.get(verification=verification)


def _item(verification: Verification, stand: Stand) -> ReviewItem:
    item = ReviewItem(
        project_id=verification.project_id,
        interaction_id=verification.interaction_id,
        verification=verification,
    )
    stand.give(item)
    # A trigger notes it in `OpenedItems`.
    item.reach_due = False
    return item


# Move people's decisions to a newer verification of the same answer.
#
# A person judged the answer and its names, not one verification. So the item moves to
# the newest verification with its decisions, instead of a second item. Overrides then
# refer to the new rows of their names, so that undo still works.


def hold_item(item_id: UUID, rows: QuerySet[ReviewItem] | None = None) -> ReviewItem:
    """Return the current row of an item, locked until the transaction ends.

    Args:
        item_id: The item.
        rows: A queryset with the relations to load.

    Raises:
        ItemChangedError: If it was deleted since it was read.
    """
    items = ReviewItem.objects.all() if rows is None else rows
    item = items.select_for_update(of=("self",)).filter(pk=item_id).first()
    if item is None:
        raise ItemChangedError(f"{item_id} was deleted")
    return item


def latest_item(newest: Verification) -> ReviewItem | None:
    """Return the item of the newest earlier verification, locked until commit."""
    return (
        ReviewItem.objects.select_for_update(of=("self",))
        .filter(
            interaction_id=newest.interaction_id,
            verification__number__lt=newest.number,
        )
        .select_related("verification")
        .order_by("-verification__number")
        .first()
    )


def move_item(item: ReviewItem, newest: Verification, stand: Stand) -> None:
    """Move an item to a newer verification, with people's decisions.

    An override stays valid. An agreement stays valid if the verdict is the same;
    otherwise the answer is open again, if it needs review. Decisions from a page with
    the former version are refused.
    """
    before = {"verdict": item.verification.verdict, "state": item.state}
    verification.withhold_review(
        verification=newest, until=item.verification.review_withheld_until
    )
    carried = _carry_names(item, newest)
    report = report_of(newest)
    claims = _carry_places(
        item,
        Override.Target.CLAIM,
        {
            index: (claim.text, list(claim.span))
            for index, claim in enumerate(report.completion_claims)
        },
    )
    values = _carry_places(
        item,
        Override.Target.VALUE,
        {
            index: (value.text, list(value.spans[0]))
            for index, value in enumerate(report.values)
        },
    )
    facts = carry_facts(item, newest)
    item.verification = newest
    stand.give(item)
    item.version += 1
    _settle_state(item, newest, machine_before=before["verdict"])
    item.save()
    if item.state == ReviewItem.State.OPEN:
        # Judgements so far were about another verdict and its names.
        begin_round(item, None)
    if item.human_verdict:
        verification.set_human_verdict(verification=newest, verdict=item.human_verdict)
    record_event(
        "review.item_carried",
        item,
        None,
        before=before,
        after={
            "verdict": newest.verdict,
            "state": item.state,
            "verification": newest.number,
            "names": carried,
            "claims": len({index for index, _ in claims}),
            "facts": facts,
            "values": len({index for index, _ in values}),
        },
    )


def _settle_state(
    item: ReviewItem, newest: Verification, *, machine_before: str
) -> None:
    needed = policy.needs_review(report_of(newest))
    if item.state in (ReviewItem.State.OVERRIDDEN, ReviewItem.State.GOLD):
        return
    if item.state == ReviewItem.State.CONFIRMED:
        if newest.verdict == machine_before:
            return
        # A reviewer agreed with another verdict than the current one.
        put_first(item, policy.agreed_before(item.human_verdict))
        item.human_verdict, item.resolved_by, item.resolved_at = "", None, None
        item.resolved_by_key = None
        item.state = ReviewItem.State.OPEN
        return
    is_open = needed or item.overrides.filter(undone_at=None).exists()
    item.state = ReviewItem.State.OPEN if is_open else ReviewItem.State.SUPERSEDED


def _carry_names(item: ReviewItem, newest: Verification) -> int:
    """Repeat the overrides of names on the newest run; return how many apply."""
    mentions = {_name(row): row for row in newest.mentions.order_by("-index")}
    overrides = (
        Override.objects.filter(item=item, mention__isnull=False)
        .select_related("mention")
        .order_by("created_at", "id")
    )
    carried = set()
    for override in overrides:
        row = mentions.get(_name(override.mention)) if override.mention else None
        if row is None:
            continue
        override.mention = row
        override.save(update_fields=["mention"])
        if override.undone_at is None:
            verification.set_human_status(mention=row, status=override.after)
            carried.add(row.pk)
    return len(carried)


def _name(mention: MentionVerdict) -> tuple[str, str]:
    """Return the identity of a name across verifications."""
    return mention.kind, mention.key


def _carry_places(
    item: ReviewItem, target: str, claims: Mapping[int, tuple[str, list[int]]]
) -> list[tuple[int, Override]]:
    """Repeat overrides of claims or of values; return those that apply, by index.

    A claim is identified by its text, and among several with the same text by its
    position. An override whose claim no longer exists keeps the text alone.
    """
    overrides = Override.objects.filter(item=item, target=target)
    carried = []
    for override in overrides.order_by("created_at", "id"):
        subject = override.subject
        subject.pop("index", None)
        same = [index for index in claims if claims[index][0] == subject["text"]]
        there = [index for index in same if claims[index][1] == subject["span"]]
        if same:
            index = (there or same)[0]
            subject |= {"index": index, "span": claims[index][1]}
            if override.undone_at is None:
                carried.append((index, override))
        override.save(update_fields=["subject"])
    return carried


def carry_facts(item: ReviewItem, newest: Verification) -> int:
    """Repeat people's decisions on claims of fact; return how many apply.

    Also used if a late opinion gave the same verification other claims.
    """
    rows = {row.index: row for row in newest.claims.order_by("index")}
    claims = {row.index: (row.text, [row.start, row.end]) for row in rows.values()}
    carried = _carry_places(item, Override.Target.FACT, claims)
    for index, override in carried:
        verification.set_human_claim(claim=rows[index], status=override.after)
    return len({index for index, _ in carried})

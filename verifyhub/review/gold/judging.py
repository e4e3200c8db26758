"""Judgements of gold: stored, shown like any decision, undone.

They are not applied. Their apparent effects come from applying them to the undecided
answer in a rollback (ADR 0025), so that they look like any other decision.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from verifyhub.accounts.models import User
from verifyhub.audit.services import record_event
from verifyhub.common.prepared import PreparedQuery
from verifyhub.ingest.models import Interaction
from verifyhub.review.decisions import Decision
from verifyhub.review.errors import OverrideUndoneError
from verifyhub.review.models import GoldItem, GoldSeed, Judgement, Override, ReviewItem
from verifyhub.review.panel import full_verdict, merged, rules_of, wanted_for
from verifyhub.verification.models import MentionVerdict

State = Judgement.State


def uncount_gold(judgement: Judgement) -> bool:
    """Remove a judgement of gold from its reviewer's metrics.

    Returns:
        Whether it could be withdrawn: for its reviewer it waits for other judges, like
        a judgement of any answer that several judge.
    """
    GoldSeed.objects.filter(judgement=judgement).update(judgement=None)
    item = judgement.item
    return wanted_for(item, rules_of(item.project_id)) > 1


def answer_of(item: ReviewItem, reviewer: User) -> Judgement | None:
    """Return a reviewer's judgement of gold so far."""
    return Judgement.objects.filter(
        item=item,
        reviewer=reviewer,
        kind=Judgement.Kind.GOLD,
        state__in=[State.DRAFT, State.GIVEN],
    ).first()


def gold_statement(
    interaction: Interaction, statement: UUID, reviewer: User
) -> Judgement | None:
    """Return the judgement of gold that contains a statement with an id."""
    return Judgement.objects.filter(
        item__interaction=interaction,
        reviewer=reviewer,
        kind=Judgement.Kind.GOLD,
        shown__contains=[{"id": str(statement)}],
    ).first()


@dataclass(frozen=True, slots=True)
class LastStatement:
    """A reviewer's newest statement on gold, and the link that undoes it."""

    id: UUID
    interaction_id: UUID
    version: int
    at: datetime


_LAST = PreparedQuery(
    lambda project, reviewer: (
        Judgement.objects.filter(
            project=project,
            reviewer=reviewer,
            kind=Judgement.Kind.GOLD,
            state__in=[State.DRAFT, State.GIVEN],
            item__reviews_wanted=None,
        )
        .select_related("item")
        .order_by("-created_at")[:1]
    )
)


def last_statement(project_id: UUID, reviewer: User) -> LastStatement | None:
    """Return a reviewer's newest statement on gold that was not undone.

    None if several people would judge the item: such judgements are withdrawn instead.
    """
    judgement = _LAST.first(project=project_id, reviewer=reviewer.pk)
    made = judgement.shown if judgement else []
    statements = [each for each in made if each["undone_at"] is None]
    if judgement is None or not statements:
        return None
    return LastStatement(
        UUID(statements[-1]["id"]),
        judgement.item.interaction_id,
        judgement.item.version,
        datetime.fromisoformat(statements[-1]["at"]),
    )


def as_shown(overrides: Sequence[Override]) -> list[dict[str, Any]]:
    """Return rehearsed statements as data, to show them again."""
    return [
        {
            "id": str(override.id),
            "target": override.target,
            "index": override.mention.index if override.mention else None,
            "subject": override.subject,
            "before": override.before,
            "after": override.after,
            "text": override.text,
            "reason": override.reason,
            "reason_codes": list(override.reason_codes),
            "effects": override.effects,
            "at": timezone.now().isoformat(),
            "undone_at": None,
        }
        for override in overrides
    ]


@transaction.atomic
def undo_gold(*, judgement: Judgement, statement: UUID, actor: User) -> None:
    """Undo one statement of a reviewer on gold; it had no effects.

    Raises:
        OverrideUndoneError: If there is none, or it was undone before.
    """
    locked = Judgement.objects.select_for_update().get(pk=judgement.pk)
    active = [shown for shown in locked.shown if shown["undone_at"] is None]
    undone = next((shown for shown in active if shown["id"] == str(statement)), None)
    if undone is None or locked.reviewer_id != actor.pk:
        raise OverrideUndoneError(str(statement))
    undone["undone_at"] = timezone.now().isoformat()
    locked.decision = _without(locked.decision, undone)
    if undone["target"] in Override.SETTLING:
        locked.state, locked.verdict, locked.given_at = State.DRAFT, "", None
        GoldSeed.objects.filter(judgement=locked).update(judgement=None)
    locked.save()
    record_event(
        "review.judgement_withdrawn",
        locked.item,
        actor,
        before={"judgement": str(locked.pk)},
    )


@transaction.atomic
def undo_gold_of(*, item: ReviewItem, actor: User) -> bool:
    """Undo all statements of a reviewer on gold; False if there are none."""
    judgement = answer_of(item, actor)
    if judgement is None:
        return False
    for shown in reversed(judgement.shown):
        if shown["undone_at"] is None:
            undo_gold(judgement=judgement, statement=UUID(shown["id"]), actor=actor)
    return True


def _without(decision: dict[str, Any], undone: dict[str, Any]) -> dict[str, Any]:
    target, left = undone["target"], dict(decision)
    index = undone["index"] if target == "mention" else undone["subject"].get("index")
    if target in Override.SETTLING:
        left |= {"agree": False, "verdict": ""}
    elif target in ("mention", "claim"):
        kind = f"{target}s"
        left[kind] = [flip for flip in left.get(kind, []) if flip["index"] != index]
    elif target == "missed":
        text, missed = undone["subject"].get("text"), left.get("missed", [])
        left["missed"] = [name for name in missed if name["text"] != text]
    elif target == "note":
        left["note"] = ""
    else:
        left["correction"] = None
    return left


def gold_for(item: ReviewItem, user: User, now: datetime) -> GoldItem | None:
    """Return the gold of an item if it measures this person.

    That is gold that `Next` handed to them, judged or not, and gold without a real
    decision.
    """
    gold = GoldItem.objects.active(now).filter(item=item).first()
    if gold is None:
        return None
    handed = gold.seeds.filter(reviewer=user).exists()
    return gold if handed or item.state == ReviewItem.State.GOLD else None


def judge_gold(
    gold: GoldItem,
    decision: Decision,
    reviewer: User,
    seconds: int | None,
    rehearsed: Sequence[Override],
) -> Judgement:
    """Store a reviewer's judgement of gold; nothing else changes.

    Args:
        gold: The gold.
        decision: The decision; marks may follow a verdict.
        reviewer: The measured reviewer.
        seconds: How long it took; None if unknown.
        rehearsed: The apparent effects (`rehearse_gold`).
    """
    item = gold.item
    draft = answer_of(item, reviewer)
    full = decision
    if draft is not None:
        before = Decision.from_dict(draft.decision)
        full = merged(before, decision)
        if not decision.settles:
            full = replace(full, agree=before.agree, verdict=before.verdict)
    judgement = draft or Judgement(
        project_id=item.project_id,
        item=item,
        reviewer=reviewer,
        kind=Judgement.Kind.GOLD,
        round=item.round,
    )
    judgement.decision = full.as_dict()
    judgement.shown = [*judgement.shown, *as_shown(rehearsed)]
    if not full.settles:
        judgement.state = Judgement.State.DRAFT
    if decision.settles:
        judgement.state = Judgement.State.GIVEN
        judgement.verdict = full_verdict(full, item.verification.verdict)
        judgement.given_at, judgement.seconds = timezone.now(), seconds
    judgement.save()
    if decision.settles:
        GoldSeed.objects.update_or_create(
            gold=gold,
            reviewer=reviewer,
            defaults={"project_id": item.project_id, "judgement": judgement},
        )
    word = "given" if decision.settles else "drafted"
    record_event(
        f"review.judgement_{word}", item, reviewer, after={"round": item.round}
    )
    return judgement


# Fields of a stored statement (`as_shown`).
SHOWN_FIELDS = (
    "target",
    "subject",
    "before",
    "after",
    "text",
    "reason",
    "reason_codes",
    "effects",
)


def statements_of(
    item: ReviewItem,
    judgement: Judgement,
    mentions: Mapping[int, MentionVerdict],
) -> list[Override]:
    """Return a reviewer's statements on gold in the form of overrides.

    The rows are not stored. If several judge, a judgement waits for the others.
    """
    if wanted_for(item, rules_of(item.project_id)) > 1:
        return []
    return [
        Override(
            id=UUID(shown["id"]),
            project_id=item.project_id,
            item=item,
            mention=mentions.get(shown["index"]),
            reviewer=judgement.reviewer,
            created_at=datetime.fromisoformat(shown["at"]),
            undone_at=undone and datetime.fromisoformat(undone),
            undone_by=judgement.reviewer if undone else None,
            **{name: shown[name] for name in SHOWN_FIELDS},
        )
        for shown in reversed(judgement.shown)
        for undone in [shown["undone_at"]]
    ]


_ACTIVE = PreparedQuery(
    lambda item, now: GoldItem.objects.active(now).filter(item=item)
)


def active_gold(item: ReviewItem) -> GoldItem | None:
    """Return the active gold of an item, if any."""
    return _ACTIVE.first(item=item.pk, now=timezone.now())

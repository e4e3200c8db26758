"""What a reviewer sees of a decision about gold: all it would have done, and undo.

Nothing of it is carried out. It is found out by doing it to the answer as if nobody had
decided it, and taking that back (ADR 0025): so it reads like any other decision.
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
from verifyhub.ingest.models import Interaction
from verifyhub.review.decisions import Decision
from verifyhub.review.errors import OverrideUndoneError
from verifyhub.review.models import (
    GoldItem,
    GoldSeed,
    Judgement,
    Override,
    ReviewItem,
)
from verifyhub.review.panel import full_verdict, merged, rules_of, wanted_for
from verifyhub.verification.models import MentionVerdict

SETTLING = (Override.Target.VERDICT, Override.Target.AGREEMENT)
State = Judgement.State


def uncount_gold(judgement: Judgement) -> bool:
    """Take a judgement of gold out of its reviewer's figures.

    Returns:
        Whether it may be withdrawn: to its reviewer it waits for the others, as a
        judgement of any answer that several judge.
    """
    GoldSeed.objects.filter(judgement=judgement).update(judgement=None)
    item = judgement.item
    return wanted_for(item, rules_of(item.project_id)) > 1


def answer_of(item: ReviewItem, reviewer: User) -> Judgement | None:
    """Return what somebody said of gold so far."""
    return Judgement.objects.filter(
        item=item,
        reviewer=reviewer,
        kind=Judgement.Kind.GOLD,
        state__in=[State.DRAFT, State.GIVEN],
    ).first()


def gold_statement(
    interaction: Interaction, statement: UUID, reviewer: User
) -> Judgement | None:
    """Return the judgement of gold in which somebody said something, by its id."""
    return Judgement.objects.filter(
        item__interaction=interaction,
        reviewer=reviewer,
        kind=Judgement.Kind.GOLD,
        shown__contains=[{"id": str(statement)}],
    ).first()


@dataclass(frozen=True, slots=True)
class LastStatement:
    """The newest thing that somebody said of gold, and where it is undone."""

    id: UUID
    interaction_id: UUID
    version: int
    at: datetime


def last_statement(project_id: UUID, reviewer: User) -> LastStatement | None:
    """Return the newest thing that somebody said of gold and did not take back.

    Gold that several would judge has none: a word on it waits, and is withdrawn.
    """
    made = (
        Judgement.objects.filter(
            project_id=project_id,
            reviewer=reviewer,
            kind=Judgement.Kind.GOLD,
            state__in=[State.DRAFT, State.GIVEN],
            item__reviews_wanted=None,
        )
        .select_related("item")
        .order_by("-created_at")
        .first()
    )
    said = [each for each in made.shown if each["undone_at"] is None] if made else []
    if made is None or not said:
        return None
    return LastStatement(
        UUID(said[-1]["id"]),
        made.item.interaction_id,
        made.item.version,
        datetime.fromisoformat(said[-1]["at"]),
    )


def as_shown(made: Sequence[Override]) -> list[dict[str, Any]]:
    """Return rehearsed statements as data, to show them again."""
    return [
        {
            "id": str(each.id),
            "target": each.target,
            "index": each.mention.index if each.mention else None,
            "subject": each.subject,
            "before": each.before,
            "after": each.after,
            "text": each.text,
            "reason": each.reason,
            "reason_codes": list(each.reason_codes),
            "effects": each.effects,
            "at": timezone.now().isoformat(),
            "undone_at": None,
        }
        for each in made
    ]


@transaction.atomic
def undo_gold(*, judgement: Judgement, statement: UUID, actor: User) -> None:
    """Take back one thing a reviewer said of gold; nothing else ever changed.

    Raises:
        OverrideUndoneError: If they did not say it, or took it back before.
    """
    made = Judgement.objects.select_for_update().get(pk=judgement.pk)
    standing = [each for each in made.shown if each["undone_at"] is None]
    undone = next((each for each in standing if each["id"] == str(statement)), None)
    if undone is None or made.reviewer_id != actor.pk:
        raise OverrideUndoneError(str(statement))
    undone["undone_at"] = timezone.now().isoformat()
    made.decision = _without(made.decision, undone)
    if undone["target"] in SETTLING:
        made.state, made.verdict, made.given_at = State.DRAFT, "", None
        GoldSeed.objects.filter(judgement=made).update(judgement=None)
    made.save()
    record_event(
        project_id=made.project_id,
        actor=actor,
        action="review.judgement_withdrawn",
        obj=made.item,
        before={"judgement": str(made.pk)},
    )


@transaction.atomic
def undo_gold_of(*, item: ReviewItem, actor: User) -> bool:
    """Take back all that somebody said of gold; False if they said nothing of it."""
    made = answer_of(item, actor)
    if made is None:
        return False
    for each in reversed(made.shown):
        if each["undone_at"] is None:
            undo_gold(judgement=made, statement=UUID(each["id"]), actor=actor)
    return True


def _without(decision: dict[str, Any], undone: dict[str, Any]) -> dict[str, Any]:
    target, left = undone["target"], dict(decision)
    index = undone["index"] if target == "mention" else undone["subject"].get("index")
    if target in SETTLING:
        left |= {"agree": False, "verdict": ""}
    elif target in ("mention", "claim"):
        kind = f"{target}s"
        left[kind] = [flip for flip in left.get(kind, []) if flip["index"] != index]
    elif target == "missed":
        left["missed"] = [
            name
            for name in left.get("missed", [])
            if name["text"] != undone["subject"].get("text")
        ]
    elif target == "note":
        left["note"] = ""
    else:
        left["correction"] = None
    return left


def gold_for(item: ReviewItem, user: User, now: datetime) -> GoldItem | None:
    """Return the gold that a person's judgement of an item would be measured by.

    That is gold handed to them by `Next`, judged already or not, and gold that nobody
    has decided for real.
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
    """Keep what a reviewer said of gold; nothing else changes.

    Args:
        gold: What is judged.
        decision: What is said of it; marks may follow a verdict.
        reviewer: Whom it measures.
        seconds: How long it took; None if nobody measured.
        rehearsed: What it would have written (`rehearse_gold`), to be shown.
    """
    item = gold.item
    draft = answer_of(item, reviewer)
    said = decision
    if draft is not None:
        before = Decision.from_dict(draft.decision)
        said = merged(before, decision)
        if not decision.settles:
            said = replace(said, agree=before.agree, verdict=before.verdict)
    judgement = draft or Judgement(
        project_id=item.project_id,
        item=item,
        reviewer=reviewer,
        kind=Judgement.Kind.GOLD,
        round=item.round,
    )
    judgement.decision = said.as_dict()
    judgement.shown = [*judgement.shown, *as_shown(rehearsed)]
    if not said.settles:
        judgement.state = Judgement.State.DRAFT
    if decision.settles:
        judgement.state = Judgement.State.GIVEN
        judgement.verdict = full_verdict(said, item.verification.verdict)
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
        project_id=item.project_id,
        actor=reviewer,
        action=f"review.judgement_{word}",
        obj=item,
        after={"round": item.round},
    )
    return judgement


# Of a statement as it is kept (`as_shown`).
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
    """Return what a reviewer said of gold like the decisions of any other answer.

    The rows exist here alone. Where several judge, a word waits for the others'.
    """
    if wanted_for(item, rules_of(item.project_id)) > 1:
        return []
    return [
        Override(
            id=UUID(made["id"]),
            project_id=item.project_id,
            item=item,
            mention=mentions.get(made["index"]),
            reviewer=judgement.reviewer,
            created_at=datetime.fromisoformat(made["at"]),
            undone_at=undone and datetime.fromisoformat(undone),
            undone_by=judgement.reviewer if undone else None,
            **{name: made[name] for name in SHOWN_FIELDS},
        )
        for made in reversed(judgement.shown)
        for undone in [made["undone_at"]]
    ]


def active_gold(item: ReviewItem) -> GoldItem | None:
    """Return the gold that an item is, while it measures."""
    return GoldItem.objects.active(timezone.now()).filter(item=item).first()

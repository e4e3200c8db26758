"""Publish decisions in the outbox (the fields: docs/api.md)."""

from typing import Any

from verifyhub.accounts.models import ApiKey
from verifyhub.events.catalogue import EventType
from verifyhub.events.services import publish
from verifyhub.ingest.trace_selectors import subject_of
from verifyhub.review.decisions import Reviewer
from verifyhub.review.effect_words import english_effects
from verifyhub.review.models import Override, ReviewItem

Target = Override.Target
# Notes are not published, since they decide nothing.
MADE = dict.fromkeys(Target, EventType.REVIEW_OVERRIDDEN) | {
    Target.AGREEMENT: EventType.REVIEW_CONFIRMED
}
UNDONE = dict.fromkeys(Target, EventType.REVIEW_OVERRIDE_UNDONE) | {
    Target.AGREEMENT: EventType.REVIEW_REOPENED
}
del MADE[Target.NOTE], UNDONE[Target.NOTE]


def announce_override(override: Override, reviewer: Reviewer) -> None:
    """Publish an override, in the transaction that writes it."""
    if kind := MADE.get(Target(override.target)):
        _publish(kind, override, reviewer, override.effects)


def announce_undone(
    override: Override, actor: Reviewer, effects: list[dict[str, Any]]
) -> None:
    """Publish that an override was undone."""
    if kind := UNDONE.get(Target(override.target)):
        _publish(kind, override, actor, effects)


def announce_reopened(item: ReviewItem, actor: Reviewer) -> None:
    """Publish that an agreement without an override was undone."""
    publish(
        project=item.project,
        type=EventType.REVIEW_REOPENED,
        data={"override": None, "verdict": _verdict(item), "by": _by(actor)},
        subject=_subject(item),
    )


def _publish(
    kind: EventType, override: Override, actor: Reviewer, effects: list[dict[str, Any]]
) -> None:
    item = override.item
    named = override.mention.text if override.mention else ""
    publish(
        project=item.project,
        type=kind,
        data={
            "override": {
                "target": override.target,
                "before": override.before,
                "after": override.after,
                "name": named or override.subject.get("text", ""),
                "text": override.text,
                "reason": override.reason,
                "reasonCodes": override.reason_codes,
            },
            "verdict": _verdict(item),
            "effects": english_effects(effects),
            "by": _by(actor),
        },
        subject={**_subject(item), "override": str(override.id)},
    )


def _verdict(item: ReviewItem) -> dict[str, str | None]:
    human = item.human_verdict or None
    return {"machine": item.verification.verdict, "human": human}


def _by(actor: Reviewer) -> dict[str, str]:
    kind = "key" if isinstance(actor, ApiKey) else "person"
    return {"kind": kind, "name": str(actor)}


def _subject(item: ReviewItem) -> dict[str, str]:
    return {
        **subject_of(item.interaction),
        "verification": str(item.verification_id),
        "item": str(item.id),
    }

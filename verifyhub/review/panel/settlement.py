"""Settlement of several judgements, and rules for second approval."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from itertools import chain
from typing import Any
from uuid import UUID

from verifyhub.review.decisions import (
    MAX_REASON_LENGTH,
    ClaimFlip,
    Decision,
    FactFlip,
    MentionFlip,
    Missed,
)
from verifyhub.review.models import ReviewRules

Settlement = ReviewRules.Settlement


class FourEyes(StrEnum):
    """Why a decision needs a second person's approval."""

    OVERRIDE = "override"
    CONSTRAINT = "constraint"
    BULK = "bulk"


@dataclass(frozen=True, slots=True)
class Given:
    """One judgement: its reviewer, verdict and decision."""

    reviewer: str
    verdict: str
    decision: Decision


def reviews_wanted(
    rules: ReviewRules, *, item_id: UUID, risk: float, kinds: Iterable[str]
) -> int:
    """Return how many people judge an item: the maximum of all rules.

    Sampling is determined by the item's id, so that it cannot be repeated until the
    item is not in the sample.

    Returns:
        1..10.
    """
    counts = [rules.reviews]
    if rules.risk_from is not None and risk >= rules.risk_from:
        counts.append(rules.risk_reviews)
    counts += [rules.reason_reviews.get(kind, 1) for kind in kinds]
    if is_sampled(item_id, rules.sample_percent):
        counts.append(rules.sample_reviews)
    return max(counts)


def is_sampled(item_id: UUID, percent: int) -> bool:
    """Whether an item belongs to the given share, by its id alone."""
    return int.from_bytes(sha256(item_id.bytes).digest()[:8]) % 100 < percent


def settle(
    settlement: str, machine: str, judgements: Sequence[Given]
) -> Decision | None:
    """Return the result of several judgements; None if an adjudicator must decide.

    Names and claims get the status that more than half gave them; other statuses stay
    with the judgements.

    Args:
        settlement: A value of `ReviewRules.Settlement`.
        machine: The verification's verdict.
        judgements: All judgements, in the order they were given.
    """
    total = len(judgements)
    verdicts = Counter(judgement.verdict for judgement in judgements)
    verdict, votes = verdicts.most_common(1)[0]
    if votes * 2 <= total or (settlement != Settlement.MAJORITY and votes < total):
        return None
    statements = [_statements(judgement.decision) for judgement in judgements]
    if settlement == Settlement.ADJUDICATE and len(set(statements)) > 1:
        return None
    return _joined(verdict, machine, judgements)


def full_verdict(decision: Decision, machine: str) -> str:
    """Return the verdict of a settling decision; empty if it has none."""
    return machine if decision.agree else decision.verdict


def merged(draft: Decision, added: Decision) -> Decision:
    """Merge a draft with a decision, whose statements on a name replace the draft's."""
    return Decision(
        agree=added.agree,
        verdict=added.verdict,
        mentions=tuple({f.index: f for f in draft.mentions + added.mentions}.values()),
        claims=tuple({f.index: f for f in draft.claims + added.claims}.values()),
        facts=tuple({f.index: f for f in draft.facts + added.facts}.values()),
        values=tuple({f.index: f for f in draft.values + added.values}.values()),
        missed=tuple({_place(m): m for m in draft.missed + added.missed}.values()),
        correction=draft.correction if added.correction is None else added.correction,
        note=" ".join(filter(None, (draft.note, added.note))),
        reason=_sentence(part.reason for part in (draft, added)),
        reason_codes=tuple(dict.fromkeys(draft.reason_codes + added.reason_codes)),
    )


def _joined(verdict: str, machine: str, judgements: Sequence[Given]) -> Decision:
    half = len(judgements) / 2
    decisions = [judgement.decision for judgement in judgements]
    marks: dict[str, Any] = {
        kind: _most(half, (getattr(decision, kind) for decision in decisions))
        for kind in ("mentions", "claims", "facts", "values", "missed")
    }
    marked = any(marks.values())
    texts = Counter(d.correction for d in decisions if d.correction is not None)
    text, times = (texts.most_common(1) or [("", 0)])[0]
    correction = text if times > half else None
    against = verdict != machine or marked or correction
    winners = [given.decision for given in judgements if given.verdict == verdict]
    explained = (decisions if marked else winners) if against else []
    codes = (code for decision in explained for code in decision.reason_codes)
    return Decision(
        agree=verdict == machine,
        verdict="" if verdict == machine else verdict,
        **marks,
        correction=correction,
        reason=_sentence(decision.reason for decision in explained),
        reason_codes=tuple(dict.fromkeys(codes)),
    )


def _most(half: float, statements: Iterable[tuple[Any, ...]]) -> tuple[Any, ...]:
    """Return the statements of more than half, with a suggestion if one gave any."""
    parts = [part for parts in statements for part in parts]
    times = Counter(_statement(part) for part in parts)
    chosen: dict[Hashable, Any] = {}
    for part in parts:
        key = _statement(part)
        suggestion: str = getattr(part, "suggestion", "")
        better = key not in chosen or (suggestion and not chosen[key].suggestion)
        if times[key] > half and better:
            chosen[key] = part
    return tuple(chosen.values())


def _statements(decision: Decision) -> frozenset[Hashable]:
    """Return a decision's statements on names and claims, for comparison."""
    flips = (decision.mentions, decision.claims, decision.facts, decision.values)
    parts: list[Any] = [*chain(*flips), *decision.missed]
    return frozenset(_statement(part) for part in parts)


def _statement(part: MentionFlip | ClaimFlip | FactFlip | Missed) -> Hashable:
    where = _place(part) if isinstance(part, Missed) else part.index
    return type(part).__name__, where, part.status


def _place(missed: Missed) -> tuple[str, str, int | None]:
    return missed.text, missed.kind, missed.start


def _sentence(reasons: Iterable[str]) -> str:
    """Join different reasons into one text of limited length."""
    distinct = dict.fromkeys(reason.strip() for reason in reasons if reason.strip())
    return " · ".join(distinct)[:MAX_REASON_LENGTH]

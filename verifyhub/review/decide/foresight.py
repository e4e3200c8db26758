"""Preview a decision: its effects, and whom it waits for (ADR 0031).

If several people judge an answer, its effects are not previewed: they would reveal the
others' judgements to the last one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey
from verifyhub.review.decide.judgements import check_judgement, judge
from verifyhub.review.decide.likeness import decision_for
from verifyhub.review.decide.on_gold import foresee_gold_item
from verifyhub.review.decide.preview import preview_decision, taken_back
from verifyhub.review.decide.proposals import needs_second
from verifyhub.review.decisions import Decision, Reviewer
from verifyhub.review.effect_words import effect_words
from verifyhub.review.errors import ItemChangedError, ReviewError, SeveralPeopleError
from verifyhub.review.models import ReviewItem
from verifyhub.review.panel import may_adjudicate, rules_of, wanted_for
from verifyhub.review.queue import item_for
from verifyhub.verification.models import Verification


class WaitsFor(StrEnum):
    """Whom a decision waits for before it takes effect."""

    NOBODY = ""
    OTHERS = "others"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Foreseen:
    """The preview of a decision.

    Attributes:
        effects: The effects, at once or once a second person confirms it. Empty if
            several people judge.
        waits_for: Whom it waits for.
    """

    effects: list[dict[str, Any]] = field(default_factory=list)
    waits_for: WaitsFor = WaitsFor.NOBODY


@dataclass(frozen=True, slots=True)
class ForeseenOfMany:
    """The preview of a decision on many answers.

    Attributes:
        effects: Sentences in the active language with the number of answers that each
            applies to, most frequent first.
        others: How many answers would wait for other judges.
        second: How many would wait for a second person.
    """

    effects: list[tuple[str, int]]
    others: int = 0
    second: int = 0


def foresee(
    *, run: Verification, decision: Decision, reviewer: Reviewer, version: int
) -> Foreseen:
    """Return what `judge` would do now, without changing anything.

    Args:
        run: The verification; it need not be in the queue.
        decision: The decision.
        reviewer: Who would decide.
        version: The item's version that the reviewer saw.

    Raises:
        ReviewError: As `judge` would.
    """
    with taken_back():
        item = item_for(verification=Verification.objects.get(pk=run.pk))
        if item.version != version:
            raise ItemChangedError(f"{item.pk} is no longer version {version}")
        return _foreseen(item, decision, reviewer)


def foresee_many(
    *,
    decision: Decision,
    items: Iterable[tuple[ReviewItem, int]],
    chosen_by: Mapping[str, Any],
    reviewer: Reviewer,
) -> ForeseenOfMany:
    """Return the effects that one decision would have on several answers.

    Args:
        decision: The decision.
        items: The items, with the versions that the reviewer saw; a limited number,
            since each is decided and rolled back.
        chosen_by: As in `open_bulk`.
        reviewer: Who would decide.
    """
    counts: Counter[str] = Counter()
    waits: Counter[WaitsFor] = Counter()
    with taken_back():
        for item, version in items:
            fitted = decision_for(item, decision, chosen_by)
            if fitted is None:
                continue
            try:
                with transaction.atomic():
                    effects, waits_for = _effects_on(item, fitted, version, reviewer)
            except ReviewError:
                continue
            counts.update(effects)
            waits[waits_for] += 1
    return ForeseenOfMany(
        counts.most_common(), waits[WaitsFor.OTHERS], waits[WaitsFor.SECOND]
    )


def _foreseen(item: ReviewItem, decision: Decision, reviewer: Reviewer) -> Foreseen:
    overrides = foresee_gold_item(item, decision, reviewer)
    if _is_of_several(item, reviewer):
        if overrides is None:
            check_judgement(item, decision, reviewer)
        return Foreseen(waits_for=WaitsFor.OTHERS)
    if overrides is not None:
        return Foreseen([effect for each in overrides for effect in each.effects])
    rules = rules_of(item.project_id)
    effects = preview_decision(item, decision, reviewer)
    if not needs_second(rules, item, decision, reviewer, bulk=False):
        return Foreseen(effects)
    if isinstance(reviewer, ApiKey):
        raise SeveralPeopleError(
            _("a second approval is needed, and a key cannot request it"), field="item"
        )
    return Foreseen(effects, WaitsFor.SECOND)


def _is_of_several(item: ReviewItem, reviewer: Reviewer) -> bool:
    """Whether a judgement of an item waits for others; an adjudicator's does not.

    Gold is already settled and only looks open to those whom it measures.
    """
    if wanted_for(item, rules_of(item.project_id)) < 2:
        return False
    is_judged = item.state in ReviewItem.JUDGED_IN
    return is_judged or not may_adjudicate(item, reviewer)


def _effects_on(
    item: ReviewItem, decision: Decision, version: int, reviewer: Reviewer
) -> tuple[set[str], WaitsFor]:
    if _is_of_several(item, reviewer):
        check_judgement(item, decision, reviewer)
        return set(), WaitsFor.OTHERS
    judged = judge(
        item=item, decision=decision, reviewer=reviewer, version=version, bulk=True
    )
    if judged.proposal is not None:
        return set(), WaitsFor.SECOND
    overrides = judged.outcome.overrides if judged.outcome else judged.rehearsed
    effects = (effect for each in overrides for effect in each.effects)
    return {effect_words(effect) for effect in effects}, WaitsFor.NOBODY

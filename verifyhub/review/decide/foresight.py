"""Preview a decision: its effects, and whom it waits for (ADR 0031).

Where several judge an answer nothing is carried out beforehand to find out: what the
last one would be told of the outcome is what the others have said.
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
    """Whom a decision waits for before anything follows from it."""

    NOBODY = ""
    OTHERS = "others"
    SECOND = "second"


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What would follow from a decision.

    Attributes:
        effects: What would change: at once, or once a second person confirms it.
            Empty where several judge: nobody can tell what they will come to.
        waits_for: Whom it waits for.
    """

    effects: list[dict[str, Any]] = field(default_factory=list)
    waits_for: WaitsFor = WaitsFor.NOBODY


@dataclass(frozen=True, slots=True)
class ForeseenOfMany:
    """What one decision on many answers would change, most often first.

    Attributes:
        effects: Sentences in the active language, and for how many of the answers each
            is true.
        others: How many of the answers wait for the others who judge them.
        second: How many wait for a second person.
    """

    effects: list[tuple[str, int]]
    others: int = 0
    second: int = 0


def foresee(
    *, run: Verification, decision: Decision, reviewer: Reviewer, version: int
) -> Foreseen:
    """Return what `judge` would come to now; nothing of it is kept.

    Args:
        run: The verification that is judged; it need not be in the queue yet.
        decision: What would be said.
        reviewer: Who would say it.
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
    """Return what one decision would change in several answers.

    Args:
        decision: What would be said of each.
        items: The items, with the versions that the reviewer saw; a bounded number,
            since each is decided and taken back.
        chosen_by: As the act would keep it.
        reviewer: Who would say it.
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
    if overrides is not None:
        if _is_of_several(item, reviewer):
            return Foreseen(waits_for=WaitsFor.OTHERS)
        return Foreseen([effect for each in overrides for effect in each.effects])
    if _is_of_several(item, reviewer):
        check_judgement(item, decision, reviewer)
        return Foreseen(waits_for=WaitsFor.OTHERS)
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
    """Whether a word on an item waits for others; an adjudicator's later one does not.

    Gold is settled already and looks open to whom it measures.
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
    return {
        effect_words(effect) for each in overrides for effect in each.effects
    }, WaitsFor.NOBODY

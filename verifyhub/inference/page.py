"""The context of the page of a project's models."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, pgettext_lazy

from verifyhub.accounts.models import Project
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.inference.caps import DAY, MONTH
from verifyhub.inference.models import ModelEndpoint, ModelProbe, TierModel
from verifyhub.inference.selectors import (
    ModelInForce,
    budget_state,
    calls_since,
    models_in_force,
    overstating,
    period_start,
    probe_of,
    shares,
    sum_of,
)

FIRST, SECOND = "first", "second"
TIER_WORDS = {
    Tier.SMALL: pgettext_lazy("tier", "Small"),
    Tier.MEDIUM: pgettext_lazy("tier", "Medium"),
    Tier.LARGE: pgettext_lazy("tier", "Large"),
}
SLOTS = {FIRST: False, SECOND: True}
# The smallest tier verifies nothing, so it has no second verifier.
ROWS = [(tier, FIRST) for tier in Tier] + [
    (Tier.MEDIUM, SECOND),
    (Tier.LARGE, SECOND),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class TierRow:
    """One row of the table: a tier's model, its source, and its reply mode."""

    tier: Tier
    slot: str
    model: ModelInForce | None
    is_off: bool
    probe: ModelProbe | None

    @property
    def words(self) -> str:
        """The tier, and for a second verifier its role."""
        tier = str(TIER_WORDS[self.tier])
        if self.slot == SECOND:
            return gettext("%(tier)s, second verifier") % {"tier": tier}
        return tier


def tier_rows(project: Project) -> list[TierRow]:
    """Return every tier with its active model."""
    models = {slot: models_in_force(project, second=SLOTS[slot]) for slot in SLOTS}
    switched_off = set(
        TierModel.objects.filter(project=project, is_on=False).values_list(
            "tier", "is_second"
        )
    )
    rows = []
    for tier, slot in ROWS:
        model = models[slot].get(tier)
        rows.append(
            TierRow(
                tier=tier,
                slot=slot,
                model=model,
                is_off=(tier.value, SLOTS[slot]) in switched_off,
                probe=probe_of(model) if model else None,
            )
        )
    return rows


def models_page(project: Project, now: datetime) -> dict[str, Any]:
    """Return the page's context, without its forms."""
    rows = tier_rows(project)
    month = calls_since(project, period_start(MONTH, now))
    state = budget_state(project, now)
    return {
        "rows": rows,
        "state": state,
        "caps": [use for use in state.uses if use.cap.period != "verdict"],
        "capped": [use for use in state.uses if use.limit is not None],
        "unpriced": sorted(
            {row.model.model for row in rows if row.model and not row.model.has_price}
        ),
        "overstated": overstating(month),
        "today": sum_of(calls_since(project, period_start(DAY, now))),
        "month": sum_of(month),
        "by_tier": shares(month, "tier"),
        "by_purpose": shares(month, "purpose"),
        "endpoints": list(
            ModelEndpoint.objects.filter(project=project).order_by("name")
        ),
    }

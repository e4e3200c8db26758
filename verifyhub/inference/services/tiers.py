"""The models of a project's tiers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.inference.caps import BY_NAME, CAPS
from verifyhub.inference.errors import ModelSettingError
from verifyhub.inference.models import Budget, ModelEndpoint, TierModel
from verifyhub.inference.selectors import ModelInForce, in_force_of
from verifyhub.inference.steps import AFTER_CAPS_CHANGE

MAX_DEADLINE_SECONDS = 240
MAX_OUTPUT_TOKENS = 64_000
# A thousand dollars a million tokens: far above any price, far below an overflow.
MAX_PRICE_MICRODOLLARS = 1_000_000_000
MAX_CAP = 2**31 - 1
MAX_MONEY_CAP = 10**15


@dataclass(frozen=True, slots=True, kw_only=True)
class TierValues:
    """The project's own model of a tier.

    `endpoint` None disables the tier. Prices are in micro-dollars per million tokens.
    """

    endpoint: ModelEndpoint | None
    model: str = ""
    input_microdollars: int | None = None
    output_microdollars: int | None = None
    deadline_seconds: int = TierModel.DEADLINE_SECONDS
    max_output_tokens: int = TierModel.MAX_OUTPUT_TOKENS


@transaction.atomic
def set_tier(
    *,
    project: Project,
    tier: Tier,
    second: bool,
    values: TierValues | None,
    actor: models.Model | None,
) -> TierModel | None:
    """Set a tier's model, disable the tier, or return it to the server's model.

    Args:
        project: The tenant.
        tier: The tier.
        second: Whether it is the tier's second verifier.
        values: The model; None to use the server's own again.
        actor: Who changes it.

    Returns:
        The row; None if the server's own is active again.

    Raises:
        ModelSettingError: If a value is invalid; then nothing is changed.
    """
    rows = TierModel.objects.filter(project=project, tier=tier, is_second=second)
    row = rows.select_related("endpoint").first()
    before = _described(row) if row else {}
    if values is None:
        if row is not None:
            record_event("inference.tier_returned", row, actor, before=before)
            row.delete()
        return None
    _check(project, values)
    row = row or TierModel(project=project, tier=tier, is_second=second)
    _fill(row, values)
    row.save()
    record_event("inference.tier_set", row, actor, before=before, after=_described(row))
    return row


def model_of(*, project: Project, tier: Tier, values: TierValues) -> ModelInForce:
    """Return a model with unsaved settings, to test it.

    Raises:
        ModelSettingError: If a value is invalid.
    """
    _check(project, values)
    row = TierModel(project=project, tier=tier, is_second=False)
    _fill(row, values)
    model = in_force_of(row)
    if model is None:
        raise ModelSettingError("choice", _("This endpoint does not exist."))
    return model


def _fill(row: TierModel, values: TierValues) -> None:
    row.is_on, row.endpoint = values.endpoint is not None, values.endpoint
    row.model = values.model if values.endpoint else ""
    row.input_microdollars = values.input_microdollars
    row.output_microdollars = values.output_microdollars
    row.deadline_seconds = values.deadline_seconds
    row.max_output_tokens = values.max_output_tokens


@transaction.atomic
def set_caps(
    *,
    project: Project,
    values: Mapping[str, int | None],
    actor: models.Model | None,
) -> Budget:
    """Replace a project's caps; omitted ones are removed.

    Counters do not change, and a waiting project is tried again.

    Args:
        project: The tenant.
        values: Caps by name; None for no cap.
        actor: Who changes them.

    Raises:
        ModelSettingError: If a name is unknown or a value invalid.
    """
    for name, value in values.items():
        if name not in BY_NAME:
            raise ModelSettingError(name, _("This limit does not exist."))
        most = MAX_MONEY_CAP if name.endswith("microdollars") else MAX_CAP
        if value is not None and not 0 <= value <= most:
            raise ModelSettingError(
                name, _("Enter a number between 0 and %(n)s.") % {"n": most}
            )
    Budget.objects.bulk_create([Budget(project=project)], ignore_conflicts=True)
    # Only the caps are written, since counters of the same row may change meanwhile.
    budget = Budget.objects.select_for_update().get(project=project)
    before = {cap.name: getattr(budget, cap.name) for cap in CAPS}
    after = {cap.name: values.get(cap.name) for cap in CAPS}
    for name, value in after.items():
        setattr(budget, name, value)
    budget.refused_by, budget.refused_at = "", None
    budget.save(update_fields=[*after, "refused_by", "refused_at"])
    record_event("inference.caps_set", budget, actor, before=before, after=after)
    for step in AFTER_CAPS_CHANGE:
        step(project)
    return budget


def _check(project: Project, values: TierValues) -> None:
    endpoint = values.endpoint
    if endpoint is None:
        return
    if endpoint.project_id != project.id:
        raise ModelSettingError("choice", _("This endpoint does not exist."))
    if not values.model.strip() or not values.model.isprintable():
        raise ModelSettingError("model", _("Give the model's name at the endpoint."))
    prices = {
        "input_price": values.input_microdollars,
        "output_price": values.output_microdollars,
    }
    for name, price in prices.items():
        if price is None and any(other is not None for other in prices.values()):
            raise ModelSettingError(name, _("Give both prices, or none."))
        if price is not None and not 0 <= price <= MAX_PRICE_MICRODOLLARS:
            raise ModelSettingError(
                name, _("Enter a price between 0 and 1000 dollars.")
            )
    if not 1 <= values.deadline_seconds <= MAX_DEADLINE_SECONDS:
        raise ModelSettingError(
            "deadline_seconds",
            _("Enter a number between 1 and %(n)s.") % {"n": MAX_DEADLINE_SECONDS},
        )
    if not 1 <= values.max_output_tokens <= MAX_OUTPUT_TOKENS:
        raise ModelSettingError(
            "max_output_tokens",
            _("Enter a number between 1 and %(n)s.") % {"n": MAX_OUTPUT_TOKENS},
        )


def _described(row: TierModel) -> dict[str, Any]:
    return {
        "tier": row.tier,
        "second": row.is_second,
        "on": row.is_on,
        "endpoint": row.endpoint.name if row.endpoint else None,
        "model": row.model,
        "input_microdollars": row.input_microdollars,
        "output_microdollars": row.output_microdollars,
        "deadline_seconds": row.deadline_seconds,
        "max_output_tokens": row.max_output_tokens,
    }

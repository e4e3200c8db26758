"""The models of a project's tiers."""

from collections.abc import Mapping
from typing import Any

from django.db import models, transaction
from django.utils.translation import gettext as _

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.inference.caps import BY_NAME, CAPS
from verifyhub.inference.errors import ModelSettingError
from verifyhub.inference.models import Budget, TierModel
from verifyhub.inference.selectors import ModelInForce, in_force_of
from verifyhub.inference.steps import AFTER_CAPS_CHANGE

MAX_DEADLINE_SECONDS = 240
MAX_OUTPUT_TOKENS = 64_000
# A thousand dollars a million tokens: far above any price, far below an overflow.
MAX_PRICE_MICRODOLLARS = 1_000_000_000
MAX_CAP = 2**31 - 1
MAX_MONEY_CAP = 10**15


# The columns of a tier's model that a project sets.
SETTINGS = (
    "endpoint",
    "model",
    "input_microdollars",
    "output_microdollars",
    "deadline_seconds",
    "max_output_tokens",
)


@transaction.atomic
def set_tier(
    *,
    project: Project,
    tier: Tier,
    second: bool,
    choice: TierModel | None,
    actor: models.Model | None,
) -> TierModel | None:
    """Set a tier's model, disable the tier, or return it to the server's model.

    Args:
        project: The tenant.
        tier: The tier.
        second: Whether it is the tier's second verifier.
        choice: The row of the model, not saved, without an endpoint to disable the
            tier; None to use the server's own again.
        actor: Who changes it.

    Returns:
        The row; None if the server's own is active again.

    Raises:
        ModelSettingError: If a value is invalid; then nothing is changed.
    """
    place: dict[str, Any] = {"project": project, "tier": tier, "is_second": second}
    row = TierModel.objects.filter(**place).select_related("endpoint").first()
    before = _described(row) if row else {}
    if choice is None:
        if row is not None:
            record_event("inference.tier_returned", row, actor, before=before)
            row.delete()
        return None
    _check(project, choice)
    settings = {name: getattr(choice, name) for name in SETTINGS}
    settings["is_on"] = choice.endpoint is not None
    row, _is_new = TierModel.objects.update_or_create(**place, defaults=settings)
    record_event("inference.tier_set", row, actor, before=before, after=_described(row))
    return row


def model_of(*, project: Project, tier: Tier, choice: TierModel) -> ModelInForce:
    """Return a model with unsaved settings, to test it.

    Raises:
        ModelSettingError: If a value is invalid.
    """
    _check(project, choice)
    choice.project, choice.tier = project, tier
    model = in_force_of(choice)
    if model is None:
        raise ModelSettingError("choice", _("This endpoint does not exist."))
    return model


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


def _check(project: Project, choice: TierModel) -> None:
    endpoint = choice.endpoint
    if endpoint is None:
        choice.model = ""
        return
    if endpoint.project_id != project.id:
        raise ModelSettingError("choice", _("This endpoint does not exist."))
    if not choice.model.strip() or not choice.model.isprintable():
        raise ModelSettingError("model", _("Give the model's name at the endpoint."))
    prices = {
        "input_price": choice.input_microdollars,
        "output_price": choice.output_microdollars,
    }
    for name, price in prices.items():
        if price is None and any(other is not None for other in prices.values()):
            raise ModelSettingError(name, _("Give both prices, or none."))
        if price is not None and not 0 <= price <= MAX_PRICE_MICRODOLLARS:
            raise ModelSettingError(
                name, _("Enter a price between 0 and 1000 dollars.")
            )
    if not 1 <= choice.deadline_seconds <= MAX_DEADLINE_SECONDS:
        raise ModelSettingError(
            "deadline_seconds",
            _("Enter a number between 1 and %(n)s.") % {"n": MAX_DEADLINE_SECONDS},
        )
    if not 1 <= choice.max_output_tokens <= MAX_OUTPUT_TOKENS:
        raise ModelSettingError(
            "max_output_tokens",
            _("Enter a number between 1 and %(n)s.") % {"n": MAX_OUTPUT_TOKENS},
        )


def _described(row: TierModel) -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in SETTINGS},
        "tier": row.tier,
        "second": row.is_second,
        "on": row.is_on,
        "endpoint": row.endpoint.name if row.endpoint else None,
    }

"""Access to a project's models: probed, budgeted and recorded."""

import time
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils import timezone

from verifyhub.accounts.models import Project
from verifyhub.audit.services import record_event
from verifyhub.engine.llm.endpoint import ReplyMode
from verifyhub.engine.ports import Model, ModelError, ModelRequest, ModelUsage
from verifyhub.inference.adapters import ask_probe, connect
from verifyhub.inference.models import LOST, OK, ModelCall, ModelProbe
from verifyhub.inference.selectors import (
    ModelInForce,
    ModelSource,
    TierModels,
    probe_of,
)
from verifyhub.inference.services import budget
from verifyhub.inference.services.metered import MeteredModel


def verifier_for(
    *,
    project: Project,
    executor_tier: str,
    verification_id: UUID | None,
    models: TierModels | None = None,
) -> MeteredModel | None:
    """Return the first of `verifiers_for`, also used for text and layers."""
    first, _second = verifiers_for(
        project=project,
        executor_tier=executor_tier,
        verification_id=verification_id,
        models=models,
    )
    return first


def verifiers_for(
    *,
    project: Project,
    executor_tier: str,
    verification_id: UUID | None,
    models: TierModels | None = None,
) -> tuple[MeteredModel | None, MeteredModel | None]:
    """Return the models that check answers of a tier, within the project's budget.

    Args:
        project: The tenant, whose models and budget are used.
        executor_tier: The tier of the model that answered; empty if unknown.
        verification_id: The verification that makes the calls.
        models: The project's models, if the caller has read them.

    Returns:
        The model, and the second verifier of the dual-model mode; each None if there is
        none. Calls raise `ModelError("budget")` if a cap refuses them.
    """

    def connected(model: ModelInForce, request: ModelRequest) -> Model:
        # Requests for text need no structured replies.
        asks_for_text = request.tool is None
        mode = "auto" if asks_for_text else reply_mode_of(project=project, model=model)
        return connect(model, mode)

    def metered(model: ModelInForce | None) -> MeteredModel | None:
        if model is None:
            return None
        return MeteredModel(
            project=project,
            model=model,
            verification_id=verification_id,
            connect=connected,
        )

    first, second = (models or TierModels.of(project)).verifiers(executor_tier)
    return metered(first), metered(second)


PURPOSE = "probe"
# Both reply modes are tried, with a small question and schema.
WAYS = 2
REQUEST_TOKENS = 4096
PROBE_OUTPUT_TOKENS = 1024
# After so long, an endpoint that failed is tried again.
FAILURE_HOLDS = timedelta(minutes=10)
# Other failures, such as a timeout or a full queue, are temporary.
LASTING = frozenset({"no_tool_call", "malformed", "refused"})
MAX_MESSAGE = 300


def probe_model(
    *, project: Project, model: ModelInForce, actor: models.Model | None = None
) -> ModelProbe:
    """Probe a model on the project's budget, and store the result.

    Args:
        project: The tenant, whose budget is used.
        model: The model.
        actor: The person who requested it; None for a verification.

    Raises:
        ModelError: With reason `budget` or `not_configured`; then nothing is stored.
    """
    small = replace(
        model, max_output_tokens=min(model.max_output_tokens, PROBE_OUTPUT_TOKENS)
    )
    call = _reserved(project, small)
    began = time.monotonic()
    try:
        result = ask_probe(small)
    except BaseException as error:
        reason = error.reason if isinstance(error, ModelError) else LOST
        budget.settle(call=call, outcome=reason, usage=None)
        raise
    usage = result.usage or ModelUsage()
    total_usage = replace(
        usage,
        cost_microdollars=model.cost(usage.input_tokens or 0, usage.output_tokens or 0),
        latency_seconds=time.monotonic() - began,
    )
    outcome = OK if result.reply_mode else result.reason
    budget.settle(call=call, outcome=outcome, usage=total_usage)
    probe, _ = ModelProbe.objects.update_or_create(
        project=model.endpoint.project if model.endpoint else None,
        fingerprint=model.fingerprint,
        defaults={
            "reply_mode": str(result.reply_mode or ""),
            "latency_ms": round(result.latency_seconds * 1000),
            "message": result.message[:MAX_MESSAGE],
            "reason": result.reason,
            "probed_at": timezone.now(),
        },
    )
    if actor is not None:
        record_event(
            "inference.model_probed",
            probe,
            actor,
            after={
                "endpoint": model.endpoint_name,
                "model": model.model,
                "reply_mode": probe.reply_mode,
            },
        )
    return probe


def reply_mode_of(*, project: Project, model: ModelInForce) -> str:
    """Return a model's reply mode, probing it if there is no stored result.

    Raises:
        ModelError: If it gives no structured replies, or could not be called.
    """
    mode = settings.MODELS.reply_mode
    if model.source is ModelSource.SERVER and mode != ReplyMode.AUTO:
        return str(mode)
    probe = probe_of(model)
    if probe is None or not _holds(probe):
        probe = probe_model(project=project, model=model)
    if not probe.reply_mode:
        raise ModelError(probe.reason or "no_tool_call", probe.message)
    return probe.reply_mode


def _holds(probe: ModelProbe) -> bool:
    fresh = timezone.now() - probe.probed_at < FAILURE_HOLDS
    return bool(probe.reply_mode) or (fresh and probe.reason in LASTING)


def _reserved(project: Project, model: ModelInForce) -> ModelCall:
    tokens = WAYS * REQUEST_TOKENS, WAYS * model.max_output_tokens
    return budget.reserve(
        call=ModelCall(
            project=project,
            purpose=PURPOSE,
            tier=model.tier,
            endpoint_name=model.endpoint_name,
            model=model.model,
            cost_microdollars=0 if model.has_price else None,
        ),
        worst=budget.Worst(
            microdollars=model.cost(*tokens) or 0,
            tokens=sum(tokens),
            ms=round(model.deadline_seconds * 1000),
        ),
        deadline_seconds=model.deadline_seconds,
    )

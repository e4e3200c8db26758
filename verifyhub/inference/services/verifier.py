"""The one door to a model: remembered, within the budget, counted."""

from uuid import UUID

from verifyhub.accounts.models import Project
from verifyhub.engine.ports import Model, ModelRequest
from verifyhub.inference.adapters import connect
from verifyhub.inference.selectors import ModelInForce, TierModels
from verifyhub.inference.services.metered import MeteredModel
from verifyhub.inference.services.probing import reply_mode_of


def verifier_for(
    *,
    project: Project,
    executor_tier: str,
    verification_id: UUID | None,
    models: TierModels | None = None,
) -> MeteredModel | None:
    """Return the first of `verifiers_for`: also for text, and for layers."""
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
    """Return the models that check answers of a tier, on the project's account.

    Args:
        project: Whose models and whose budget.
        executor_tier: Tier of the model that answered; empty where it is not known.
        verification_id: What the calls are for.
        models: Those of the project, where the caller has read them.

    Returns:
        The model, and the second verifier of the dual-model mode; None for each that
        is not in force. Calls raise `ModelError("budget")` while a cap holds them back.
    """

    def connected(model: ModelInForce, request: ModelRequest) -> Model:
        # How it gives structured replies is of no matter to text.
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

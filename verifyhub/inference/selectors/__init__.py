"""Reads: active models, spending and remaining budget."""

from verifyhub.inference.selectors.budget import (
    BudgetState,
    CapUse,
    budget_of,
    budget_state,
    waiting_projects,
)
from verifyhub.inference.selectors.embedding import (
    EmbeddingInForce,
    embedding_choice,
    embedding_in_force,
)
from verifyhub.inference.selectors.in_force import (
    ModelInForce,
    ModelSource,
    TierModels,
    in_force_of,
    models_in_force,
    probe_of,
    server_models_in_force,
)
from verifyhub.inference.selectors.spending import (
    Spending,
    SpendingShare,
    calls_of,
    calls_since,
    costs_of,
    overstating,
    period_start,
    shares,
    spent,
    sum_of,
)

__all__ = [
    "BudgetState",
    "CapUse",
    "EmbeddingInForce",
    "ModelInForce",
    "ModelSource",
    "Spending",
    "SpendingShare",
    "TierModels",
    "budget_of",
    "budget_state",
    "calls_of",
    "calls_since",
    "costs_of",
    "embedding_choice",
    "embedding_in_force",
    "in_force_of",
    "models_in_force",
    "overstating",
    "period_start",
    "probe_of",
    "server_models_in_force",
    "shares",
    "spent",
    "sum_of",
    "waiting_projects",
]

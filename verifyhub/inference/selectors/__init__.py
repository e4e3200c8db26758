"""Reads: active models, spending and remaining budget."""

from verifyhub.inference.selectors.budget import (
    budget_of,
    budget_state,
    waiting_projects,
)
from verifyhub.inference.selectors.embedding import embedding_choice
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

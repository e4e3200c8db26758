"""Writes: endpoints and tiers of a project, its budget, and model calls."""

from verifyhub.inference.services.budget import settle_lost
from verifyhub.inference.services.embedding import MeteredEmbedder, set_embedding
from verifyhub.inference.services.endpoints import (
    delete_endpoint,
    how_to_allow_model,
    reseal_keys,
    save_endpoint,
)
from verifyhub.inference.services.metered import MeteredModel
from verifyhub.inference.services.opinions import OPINION_RETENTION, forget
from verifyhub.inference.services.tiers import model_of, set_caps, set_tier
from verifyhub.inference.services.verifier import (
    probe_model,
    verifier_for,
    verifiers_for,
)

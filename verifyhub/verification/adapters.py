"""The engine's ports, bound to this server's settings."""

from django.conf import settings

from verifyhub.engine.llm.configure import verifier_for
from verifyhub.engine.ports import VerifierModel


def verifier_model(executor_tier: str) -> VerifierModel | None:
    """Return the model that checks answers of a tier; None where none is configured."""
    return verifier_for(executor_tier, settings.MODELS)

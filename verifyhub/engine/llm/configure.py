"""From settings to the model of a tier."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from verifyhub.engine.cross_tier.tiers import Tier, verifier_tier
from verifyhub.engine.ports import VerifierModel


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """Where models answer; without a URL there is none.

    Attributes:
        base_url: OpenAI-compatible endpoint, up to and without `/chat/completions`.
        api_key: Sent as Bearer.
        models: Name of the model of each tier that can verify.
        deadline_seconds: For one call, from connecting to the last byte.
    """

    base_url: str = ""
    api_key: str = field(default="", repr=False)
    models: Mapping[Tier, str] = field(default_factory=dict)
    deadline_seconds: float = 60.0


def verifier_for(executor: str, settings: ModelSettings) -> VerifierModel | None:
    """Return the model that checks an answer of tier `executor`.

    Returns:
        The model one tier up; the largest configured one where that tier has none;
        None where no endpoint or no model is configured.
    """
    asked = verifier_tier(executor)
    name = settings.models.get(asked) or next(
        (name for tier in reversed(Tier) if (name := settings.models.get(tier))), ""
    )
    if not settings.base_url or not name:
        return None
    # The client takes half a second to import; most runs are checked without it.
    from verifyhub.engine.llm.openai import ChatEndpoint, OpenAIVerifierModel

    return OpenAIVerifierModel(
        ChatEndpoint(
            base_url=settings.base_url,
            api_key=settings.api_key,
            model=name,
            deadline_seconds=settings.deadline_seconds,
        )
    )

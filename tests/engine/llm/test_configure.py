import pytest

from verifyhub.engine.cross_tier.tiers import Tier
from verifyhub.engine.llm.configure import ModelSettings, verifier_for

BOTH = {Tier.MEDIUM: "m", Tier.LARGE: "l"}


@pytest.mark.parametrize(
    ("executor", "models", "chosen"),
    [
        ("small", BOTH, "m"),
        ("medium", BOTH, "l"),
        ("small", {Tier.LARGE: "l"}, "l"),
        ("large", {Tier.MEDIUM: "m", Tier.LARGE: ""}, "m"),
    ],
)
def test_the_configured_model_nearest_to_the_tier_above_is_chosen(
    executor, models, chosen
):
    settings = ModelSettings(base_url="http://127.0.0.1:1/v1", models=models)

    assert verifier_for(executor, settings).name == chosen


@pytest.mark.parametrize(
    "settings",
    [
        ModelSettings(),
        ModelSettings(models=BOTH),
        ModelSettings(base_url="http://127.0.0.1:1/v1"),
    ],
)
def test_without_an_endpoint_or_a_model_nobody_verifies(settings):
    assert verifier_for("small", settings) is None

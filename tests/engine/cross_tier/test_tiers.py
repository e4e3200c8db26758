import pytest

from verifyhub.engine.cross_tier.tiers import verifier_tier


@pytest.mark.parametrize(
    ("executor", "verifier"),
    [
        ("small", "medium"),
        ("medium", "large"),
        ("large", "large"),
        ("", "medium"),
        ("gigantic", "medium"),
    ],
)
def test_the_tier_above_checks(executor, verifier):
    assert verifier_tier(executor) == verifier

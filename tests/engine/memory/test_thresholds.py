import pytest

from verifyhub.engine.errors import ThresholdError
from verifyhub.engine.thresholds import Thresholds


@pytest.mark.parametrize(
    "values",
    [
        {"recurrence_sessions": 1},
        {"recurrence_interactions": 1},
        {"recurrence_days": 0},
        {"fact_confidence": 1.1},
        {"recurrence_days": 2.5},
        {"max_retries": 10**9},
    ],
)
def test_a_recurrence_rule_that_protects_nobody_is_refused(values):
    with pytest.raises(ThresholdError, match=next(iter(values))):
        Thresholds.with_overrides(values)

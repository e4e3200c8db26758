"""Figures are written in their own unit, rounded and not cut."""

import pytest

from verifyhub.reports.templatetags.measured import measured


@pytest.mark.parametrize(
    ("value", "measure", "written"),
    [
        (0.5417, "flagged_share", "54.2 %"),
        (0.0456, "ece_drift", "0.046"),
        (1, "backlog_size", "1 answer"),
        (1234, "backlog_size", "1,234 answers"),
        (23.96, "backlog_hours", "24.0 h"),
        (12.0, "check_minutes", "12.0 min"),
        (None, "budget_share", "–"),
    ],
)
def test_a_value_is_written_in_the_unit_of_its_measure(value, measure, written):
    assert measured(value, measure) == written

"""A comparison as rows of a table."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from verifyhub.metrics.selectors.compare import Comparison

COLUMNS = (
    "by",
    "first",
    "second",
    "measure",
    "unit",
    "first_value",
    "first_n",
    "second_value",
    "second_n",
    "difference",
    "low",
    "high",
    "p",
    "p_corrected",
    "effect",
    "detectable",
    "test",
    "says",
)


def rows(comparison: Comparison) -> Iterator[dict[str, Any]]:
    """Yield a row of COLUMNS for each measure of each pair."""
    for pair in comparison.pairs:
        for one in pair.measures:
            first_n, second_n = one.cases
            tested = asdict(one.tested)
            yield {
                "by": comparison.by,
                "first": pair.first,
                "second": pair.second,
                "measure": one.measure.name,
                "unit": one.measure.unit,
                "first_value": one.first.value,
                "first_n": first_n,
                "second_value": one.second.value,
                "second_n": second_n,
                "difference": tested.pop("value"),
                "p_corrected": one.corrected,
                "says": one.says,
                **tested,
            }

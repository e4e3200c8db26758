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
        for compared in pair.measures:
            first_n, second_n = compared.cases
            tested = asdict(compared.tested)
            yield {
                "by": comparison.by,
                "first": pair.first,
                "second": pair.second,
                "measure": compared.measure.name,
                "unit": compared.measure.unit,
                "first_value": compared.first.value,
                "first_n": first_n,
                "second_value": compared.second.value,
                "second_n": second_n,
                "difference": tested.pop("value"),
                "p_corrected": compared.corrected,
                "says": compared.says,
                **tested,
            }

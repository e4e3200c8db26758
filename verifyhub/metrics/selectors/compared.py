"""A comparison as JSON values, and as rows of a table."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from verifyhub.common.shares import Share
from verifyhub.metrics.selectors.compare import (
    Compared,
    ComparedSides,
    Comparison,
    Mean,
)
from verifyhub.metrics.significance import ALPHA

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


def as_dict(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as the API gives it."""
    return {
        "by": comparison.by,
        "alpha": ALPHA,
        "correction": "holm",
        "tests": comparison.tests,
        "sides": [
            {"value": one.value, "answers": one.answers, "sessions": one.sessions}
            for one in comparison.sides
        ],
        "pairs": [_pair(one) for one in comparison.pairs],
    }


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


def _pair(pair: ComparedSides) -> dict[str, Any]:
    same = pair.same_answers
    return {
        "first": pair.first,
        "second": pair.second,
        "measures": [_measure(one) for one in pair.measures],
        "sameAnswers": None
        if same is None
        else {
            "both": same.both,
            "onlyFirst": same.only_first,
            "onlySecond": same.only_second,
            "p": same.p,
        },
    }


def _measure(one: Compared) -> dict[str, Any]:
    tested = asdict(one.tested)
    return {
        "name": one.measure.name,
        "unit": one.measure.unit,
        "good": one.measure.good,
        "first": _figure(one.first),
        "second": _figure(one.second),
        "difference": tested.pop("value"),
        "corrected": one.corrected,
        "says": one.says,
        **tested,
    }


def _figure(figure: Share | Mean) -> dict[str, Any]:
    if isinstance(figure, Share):
        return {
            "value": figure.value,
            "n": figure.total,
            "low": figure.low,
            "high": figure.high,
        }
    return {"value": figure.value, "n": figure.cases, "low": None, "high": None}

"""Test, lint, type-check and build results recognised inside any tool's output."""

from verifyhub.engine.calls.outcomes.model import (
    Counts,
    Exit,
    Outcome,
    Result,
    RunKind,
)
from verifyhub.engine.calls.outcomes.printed import printed_outcomes
from verifyhub.engine.calls.outcomes.runs import call_outcomes, exit_of

__all__ = [
    "Counts",
    "Exit",
    "Outcome",
    "Result",
    "RunKind",
    "call_outcomes",
    "exit_of",
    "printed_outcomes",
]

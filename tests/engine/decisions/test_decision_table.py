"""Every cell of the decision table of docs/verdict.md."""

import pytest

from tests.decision_table import (
    CASES,
    LAST,
    PAGE,
    PRESETS,
    decided,
    findings,
    written,
)
from verifyhub.engine.decisions.policy import REJECTING, verdict_of
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import Action, Verdict

CELLS = [
    pytest.param(case, preset, attempt, id=f"{case.words}-{preset}-{attempt}")
    for case in CASES
    for preset in PRESETS
    for attempt in (1, LAST)
]
SENT_BACK = REJECTING - {Action.FAIL}
# How hard a step is on the agent.
HARDNESS = {Verdict.ACCEPT: 0, Verdict.UNCERTAIN: 1, Verdict.REJECT: 2}


def test_page_holds_the_table_that_the_policy_makes():
    page = PAGE.read_text(encoding="utf-8")

    assert written(page) == page, "make decisions"


@pytest.mark.parametrize(("case", "preset", "attempt"), CELLS)
def test_decision_verdict_and_text_are_one_statement(case, preset, attempt):
    decision = decided(case, preset, attempt)
    found = findings(case)
    false = [claim for claim in found.claims if claim.is_flagged]

    if decision.reason == "checks_passed":
        assert [*found.wrong, *found.failed_checks, *false] == []
        assert found.failed_level is None
    if decision.reason == "nothing_to_check":
        assert [*found.counted, *found.claims, *found.facts] == []
    if decision.action in SENT_BACK:
        assert attempt < LAST
        assert all(part in decision.additional_context for part in case.told)
        assert decision.additional_context
    expected = (
        Verdict.REJECT
        if decision.action in REJECTING
        else Verdict.ACCEPT
        if decision.reason == "checks_passed"
        else Verdict.UNCERTAIN
    )
    assert verdict_of(decision) is expected


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.words)
def test_a_stricter_preset_is_never_milder(case):
    hardness = [HARDNESS[verdict_of(decided(case, one, 1))] for one in PRESETS]

    # Lenient lowers the cut-offs that the sources name.
    _, *own = hardness
    assert own == sorted(own)


@pytest.mark.parametrize("attempt", [1, LAST])
def test_the_default_accepts_without_a_doubt_only_what_is_right(attempt):
    passed = [
        case.words
        for case in CASES
        if verdict_of(decided(case, Strictness.BALANCED, attempt)) is Verdict.ACCEPT
    ]

    assert passed == ["nothing", "a claim of work that the trace cannot settle"]

"""The decision table of docs/verdict.md, made by the policy itself.

    python -m tests.decision_table

writes it between its marks in the page (`make decisions`); a test holds both to one
another and walks every cell. Each row is one thing that is wrong or open in an answer
that is otherwise right; the cells are what the presets do about it.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verifyhub.engine.claim_results import (
    ClaimEvidence,
    ClaimResult,
    FactStatus,
    JudgedBy,
)
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.decisions.policy import decide, verdict_of
from verifyhub.engine.passages import PassageOrigin
from verifyhub.engine.presets.strictness import Strictness, apply_strictness
from verifyhub.engine.reports import (
    Action,
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    GoalResult,
    GoalState,
    MentionResult,
    NextStep,
    Outcome,
    Status,
    Verdict,
)
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import MentionKind, VerificationType
from verifyhub.engine.value_results import (
    ValueKind,
    ValueNote,
    ValueResult,
    ValueStatus,
)

PAGE = Path(__file__).parents[1] / "docs" / "verdict.md"
BEGIN, END = "<!-- decisions: make decisions -->", "<!-- end of decisions -->"
# Mildest first.
PRESETS = (
    Strictness.SOURCE,
    Strictness.LENIENT,
    Strictness.BALANCED,
    Strictness.STRICT,
)
LAST = Thresholds().max_retries + 1


@dataclass(frozen=True, kw_only=True)
class Case:
    """One thing that is wrong with an answer, or open.

    Attributes:
        words: What, for the table.
        found: How the findings differ from those of a right answer.
        told: What the agent must be told to be able to act on it.
    """

    words: str
    found: Mapping[str, Any] = field(default_factory=dict)
    told: tuple[str, ...] = ()


def a_name(text: str, suggestion: str | None = None) -> MentionResult:
    """Return a name without evidence."""
    return MentionResult(
        text=text,
        kind=MentionKind.FILE,
        key=text,
        spans=((0, 1),),
        status=Status.UNVERIFIED,
        reason="not_found",
        suggestion=suggestion,
    )


REAL = MentionResult(
    text="tide.py",
    kind=MentionKind.FILE,
    key="tide.py",
    spans=((0, 1),),
    status=Status.VERIFIED,
    reason="found",
)
WRONG = a_name("tides.py", "tide.py")
NAMES = [REAL] * 30


def a_claim(text: str, status: ClaimStatus, *calls: int) -> CompletionClaim:
    """Return a claim of work done."""
    return CompletionClaim(
        text=text, span=(0, 1), kind="tests", status=status, evidence=calls
    )


def a_fact(
    judged_by: JudgedBy, status: FactStatus = FactStatus.CONTRADICTED
) -> ClaimResult:
    """Return a claim of fact that the evidence speaks against."""
    return ClaimResult(
        text="The total is 24 EUR.",
        span=(0, 1),
        status=status,
        judged_by=judged_by,
        evidence=ClaimEvidence(
            passage="p",
            origin=PassageOrigin.SOURCE,
            ref="0",
            text="total: 42 EUR",
            deciding="total: 42 EUR",
            span=(0, 13),
        ),
    )


def a_value(text: str, reason: ValueNote, note: str = "") -> ValueResult:
    """Return a value that is not the one of the run."""
    return ValueResult(
        text=text,
        kind=ValueKind.MONEY,
        spans=((0, 1),),
        status=ValueStatus.UNSUPPORTED,
        reason=reason,
        note=note,
    )


def a_failure(name: str, reason: str, **details: Any) -> CheckResult:
    """Return a failed check."""
    return CheckResult(
        name=name, outcome=Outcome.FAILED, score=0.0, reason=reason, details=details
    )


def a_goal(state: GoalState, **more: Any) -> GoalResult:
    """Return what a judge says of the goal."""
    return GoalResult(
        type=VerificationType.AGENT,
        target="",
        goal="Say how tides are read.",
        stated=True,
        source="model",
        state=state,
        **more,
    )


MISSED = a_goal(
    GoalState.NOT_ACHIEVED,
    confidence=0.9,
    reason="judged",
    issues=("Neap tides are left out.",),
)
UNCLEAR = a_goal(
    GoalState.INCONCLUSIVE,
    reason="judge_contradicts_itself",
    issues=("Neap tides are left out.",),
)
LEVEL = a_failure(
    "level_3_filesystem",
    "missing",
    errors=[
        {"path": "claims[0]", "file": "a.py", "category": "missing", "message": "No."}
    ],
)
JUDGED, SIGNALS = JudgedBy.MODEL, JudgedBy.LOCAL_SIGNALS
CASES = (
    Case(words="nothing"),
    Case(
        words="one unsupported name",
        found={"counted": [*NAMES, WRONG]},
        told=('"tides.py"', '"tide.py"'),
    ),
    Case(
        words="more unsupported names than lenient tolerates",
        found={"counted": [*NAMES, *(a_name(f"{one}.py") for one in "abcdef")]},
        told=('"a.py"', '"f.py"', "The tools showed"),
    ),
    Case(
        words="a name that an earlier attempt invented too",
        found={
            "counted": [*NAMES, WRONG],
            "earlier_inventions": {("file", "tides.py")},
        },
        told=("Never write", '"tides.py"', '"tide.py"'),
    ),
    Case(
        words="a claim of work that the calls contradict",
        found={"claims": [a_claim("All tests pass.", ClaimStatus.CONTRADICTED, 2)]},
        told=('"All tests pass."', "call 3"),
    ),
    Case(
        words="a claim of work that nobody attempted",
        found={"claims": [a_claim("I pushed it.", ClaimStatus.UNATTEMPTED)]},
        told=('"I pushed it."', "no tool call"),
    ),
    Case(
        words="a claim of work that the trace cannot settle",
        found={"claims": [a_claim("The lint is clean.", ClaimStatus.UNCHECKED)]},
        told=('"The lint is clean."',),
    ),
    Case(
        words="a claim of fact that a judge denies",
        found={"facts": [a_fact(JUDGED)], "facts_contradicted": True},
        told=('"The total is 24 EUR."', '"total: 42 EUR"'),
    ),
    Case(
        words="a claim of fact that differs from its evidence",
        found={
            "facts": [a_fact(SIGNALS)],
            "facts_doubted": True,
            "failed_checks": [a_failure("claims", "claims_spoken_against")],
        },
        told=('"The total is 24 EUR."', '"total: 42 EUR"'),
    ),
    Case(
        words="a claim of fact over which sources part",
        found={"facts": [a_fact(SIGNALS, FactStatus.AMBIGUOUS)], "facts_doubted": True},
        told=('"The total is 24 EUR."', '"total: 42 EUR"'),
    ),
    Case(
        words="a contradiction that a verifier names",
        found={"contradictions": ["It calls the cache on and off."]},
        told=('"It calls the cache on and off."',),
    ),
    Case(
        words="a failed level",
        found={"failed_level": LEVEL},
        told=("claims[0]", "a.py"),
    ),
    Case(
        words="a failed detection layer",
        found={"failed_checks": [a_failure("nli", "")], "below_floor": True},
        told=('"nli"',),
    ),
    Case(
        words="layers below the floor, none of which failed",
        found={"below_floor": True},
        told=("together",),
    ),
    Case(
        words="names that a verifier does not accept",
        found={
            "failed_checks": [
                a_failure("cross_tier", "names_doubted", doubted=["tide.py"])
            ]
        },
        told=('"cross_tier"', '"tide.py"'),
    ),
    Case(
        words="a trace whose signature does not fit",
        found={"failed_checks": [a_failure("trace_signature", "bad_signature")]},
        told=('"trace_signature"', "does not match"),
    ),
    Case(
        words="a score below the project's blocking threshold",
        found={"below_line": True},
        told=("blocking threshold",),
    ),
    Case(
        words="a goal that was not achieved",
        found={"goal": MISSED},
        told=('"Neap tides are left out."',),
    ),
    Case(
        words="a goal that was not achieved, with nothing named",
        found={"goal": a_goal(GoalState.NOT_ACHIEVED, confidence=0.4)},
        told=('"Say how tides are read."',),
    ),
    Case(
        words="a goal called achieved, with something missing",
        found={"goal": UNCLEAR},
        told=('"Neap tides are left out."',),
    ),
    Case(
        words="an incomplete answer with gaps",
        found={"completeness": 0.05, "gaps": ["Neap tides"]},
        told=('"Neap tides"',),
    ),
    Case(
        words="an incomplete answer, with no gap named",
        found={"completeness": 0.0},
        told=("0% complete",),
    ),
    Case(
        words="very low confidence of a verifier",
        found={"confidence": 0.1},
        told=("10%",),
    ),
    Case(
        words="low confidence of a verifier", found={"confidence": 0.55}, told=("55%",)
    ),
    Case(
        words="two verifiers that disagree",
        found={"disagreed": True},
        told=("Two verifiers",),
    ),
    Case(
        words="an account of the work that stayed open",
        found={"level_open": True},
        told=("account",),
    ),
    Case(
        words="a value that no tool returned",
        found={"wrong_values": [a_value("42 EUR", ValueNote.NOT_FOUND)]},
        told=('"42 EUR": no tool returned it',),
    ),
    Case(
        words="a value that belongs to something else",
        found={
            "wrong_values": [
                a_value("42 EUR", ValueNote.OTHER_RECORD, note="order 7: 24 EUR")
            ]
        },
        told=('"42 EUR"', "something else", '"order 7: 24 EUR"'),
    ),
    Case(words="names that may stand in what the trace cuts", found={"doubted": True}),
    Case(words="a judge that was misled", found={"misled": True}),
    Case(words="an open check that the domain needs", found={"left_open": ["goal"]}),
    Case(words="an opinion that is still to come", found={"awaited": True}),
    Case(
        words="nothing that could be checked",
        found={"counted": [], "confidence": None, "settled": False},
    ),
)


def findings(case: Case) -> Findings:
    """Return what is found of a right answer, with what the case makes of it."""
    right: dict[str, Any] = {
        "counted": NAMES,
        "claims": [a_claim("I read it.", ClaimStatus.SUPPORTED)],
        "confidence": 0.97,
        "shown": ["tide.py"],
    }
    if not case.found.get("settled", True):
        right["claims"] = []
    return Findings(**{**right, **case.found})


def decided(case: Case, preset: Strictness, attempt: int) -> NextStep:
    """Return what a preset does about a case at an attempt."""
    thresholds = apply_strictness(Thresholds(), preset)
    return decide(findings(case), thresholds=thresholds, attempt=attempt)


def rendered() -> str:
    """Return both tables as Markdown."""
    lines = [
        "What the agent is asked at its first attempt, and → after its last one:",
        "",
        "| What is wrong or open | " + " | ".join(f"`{one}`" for one in PRESETS) + " |",
        "|---|" + "---|" * len(PRESETS),
        *map(_row, CASES),
        "",
        "What the agent reads there, in `strict`:",
        "",
        "| What is wrong or open | Text for the next prompt |",
        "|---|---|",
        *_texts(),
    ]
    return "\n".join(lines)


def _row(case: Case) -> str:
    cells = []
    for preset in PRESETS:
        first, last = (decided(case, preset, attempt) for attempt in (1, LAST))
        said, then = _cell(first), _cell(last)
        cells.append(said if said == then else f"{said} → {then}")
    return f"| {case.words} | " + " | ".join(cells) + " |"


def _cell(decision: NextStep) -> str:
    verdict = verdict_of(decision)
    mark = {Verdict.ACCEPT: "", Verdict.UNCERTAIN: ", uncertain", Verdict.REJECT: ""}
    if decision.action is Action.FAIL:
        return str(decision.action)
    return f"{decision.action} `{decision.reason}`{mark[verdict]}"


def _texts() -> Iterator[str]:
    for case in CASES:
        text = decided(case, Strictness.STRICT, 1).additional_context
        if text:
            said = text.replace("|", "\\|").replace("\n", "<br>")
            yield f"| {case.words} | {said} |"


def written(page: str) -> str:
    """Return the page with the table as it is now."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE}: the marks of the table are missing")
    return f"{before}{BEGIN}\n{rendered()}\n{END}{after}"


def main() -> int:
    """Write the table into the page; returns 0."""
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

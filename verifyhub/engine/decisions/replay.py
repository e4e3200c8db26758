"""Replay stored reports with other thresholds.

A report is reduced to the counts and scores that thresholds depend on, without text.
The policy itself decides again, so that advice and verdicts are consistent.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from verifyhub.engine.cross_tier.consult import SECOND_NAME
from verifyhub.engine.cross_tier.verifier import INCONCLUSIVE_GAP
from verifyhub.engine.cross_tier.verifier import NAME as CROSS_TIER
from verifyhub.engine.decisions.findings import LEVELS, Findings, other_failures
from verifyhub.engine.decisions.grades import GRADE_TOO_LOW, enough, enough_for_claim
from verifyhub.engine.decisions.measures import confidence
from verifyhub.engine.decisions.missing import missing_opinions
from verifyhub.engine.decisions.policy import DecisionReason, decide, verdict_of
from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    GoalResult,
    GoalState,
    Grade,
    MentionResult,
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
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode

_DOUBTS = frozenset(
    {
        WarningCode.VERIFIER_DOUBTS,
        WarningCode.VERIFIERS_DISAGREE,
        WarningCode.JUDGE_MISLED,
        WarningCode.TRACE_SIGNATURE_INVALID,
        WarningCode.TRACE_CUT,
        WarningCode.NOT_SEARCHED,
        WarningCode.CLAIM_DOUBTED,
        WarningCode.LAYERS_BELOW_FLOOR,
    }
)
# Reasons that an agent can do something about.
_OPEN_TO_THE_AGENT = frozenset(
    {WarningCode.CLAIM_DOUBTED, WarningCode.VERIFIERS_DISAGREE}
)


_WRONG_VALUE = ValueResult(
    text="",
    kind=ValueKind.NUMBER,
    spans=(),
    status=ValueStatus.UNSUPPORTED,
    reason=ValueNote.NOT_FOUND,
)


def facts_of(report: VerificationReport) -> dict[str, Any]:
    """Reduce a report to the data for `replayed`: JSON of a few hundred bytes."""
    checks = {check.name: check for check in report.checks}
    codes, goal = report.warning_codes, report.goal
    failed = [name for name in LEVELS if _ended(checks, name, Outcome.FAILED)]
    level_open = any(
        _ended(checks, name, Outcome.INCONCLUSIVE)
        and not checks[name].details.get("generated")
        for name in LEVELS
    )
    scores = [
        check.score
        for check in report.checks
        if check.name in (CROSS_TIER, SECOND_NAME) and check.score is not None
    ]
    grades = Counter(
        str(name.grade or Grade.C) for name in report.mentions if _has_evidence(name)
    )
    return {
        "found": dict(sorted(grades.items())),
        "missing": sum(
            name.is_flagged and not _has_evidence(name) for name in report.mentions
        ),
        "repeated": report.decision.reason == DecisionReason.REPEATED_INVENTION,
        # Supported ones whose grade was too low are unchecked, and have a grade.
        "claims": [
            [
                str(ClaimStatus.SUPPORTED)
                if claim.status is ClaimStatus.UNCHECKED and claim.grade
                else str(claim.status),
                str(claim.grade or ""),
            ]
            for claim in report.completion_claims
        ],
        "wrong_values": len(report.flagged_values),
        "model_confidence": min(scores, default=None),
        "completeness": report.completeness,
        "gaps": sum(gap != INCONCLUSIVE_GAP for gap in report.gaps),
        "contradicted": bool(
            codes & {WarningCode.CONTRADICTION, WarningCode.CLAIM_CONTRADICTED}
        ),
        "failed_level": failed[0] if failed else "",
        "doubted": bool(codes & _DOUBTS) or level_open,
        "in_doubt": bool(codes & _OPEN_TO_THE_AGENT) or level_open,
        "failed_checks": [
            check.name
            for check in other_failures(
                report.checks,
                facts_contradicted=WarningCode.CLAIM_CONTRADICTED in codes,
            )
        ],
        "below_floor": WarningCode.LAYERS_BELOW_FLOOR in codes,
        "below_line": bool(report.mitigation and report.mitigation.blocked_by),
        "awaited": any(missing_opinions(report.checks)),
        "domain_open": WarningCode.DOMAIN_CHECK_OPEN in codes,
        "goal": {
            "state": str(goal.state if goal else GoalState.NOT_CHECKED),
            "stated": bool(goal and goal.stated),
            "reason": goal.reason if goal else "",
            "source": goal.source if goal else "",
            "confidence": goal.confidence if goal else None,
        },
        "attempt": report.attempt,
    }


def replayed(facts: Mapping[str, Any], thresholds: Thresholds) -> Verdict:
    """Decide on an answer again with other thresholds, by the same policy.

    No model is called: only stored results count.

    Args:
        facts: The result of `facts_of`.
        thresholds: The thresholds to try.
    """
    return _replay(facts, thresholds)[1]


def goes_to_review(facts: Mapping[str, Any], thresholds: Thresholds) -> bool:
    """Whether an answer would be put into the queue with these thresholds.

    Like the queue's policy: rejected ones, those that a judge doubts, and uncertain
    ones with a flag.
    """
    findings, verdict = _replay(facts, thresholds)
    if verdict is Verdict.REJECT or facts["doubted"]:
        return True
    certainty, share = findings.confidence, findings.completeness
    flagged = (
        bool(findings.wrong)
        or bool(findings.wrong_values)
        or any(claim.is_flagged for claim in findings.claims)
        or (certainty is not None and certainty < thresholds.uncertain_below_confidence)
        or (share is not None and share < thresholds.follow_up_below_completeness)
        or facts["domain_open"]
    )
    return verdict is Verdict.UNCERTAIN and flagged


def _replay(
    facts: Mapping[str, Any], thresholds: Thresholds
) -> tuple[Findings, Verdict]:
    findings = _findings(facts, Grade(thresholds.minimum_grade))
    decision = decide(findings, thresholds=thresholds, attempt=facts["attempt"])
    return findings, verdict_of(decision)


def _findings(facts: Mapping[str, Any], least: Grade) -> Findings:
    counted = [
        enough(_mention(Status.VERIFIED, Grade(grade)), least)
        for grade, count in facts["found"].items()
        for _ in range(count)
    ]
    invented = _mention(Status.UNVERIFIED, None)
    counted += [invented] * facts["missing"]
    by_names, model = confidence(counted), facts["model_confidence"]
    failed = facts["failed_level"]
    claims = [
        enough_for_claim(
            CompletionClaim(
                text="",
                span=(0, 0),
                kind="",
                status=ClaimStatus(status),
                grade=Grade(grade) if grade else None,
            ),
            least,
        )
        for status, grade in facts["claims"]
    ]
    open_ = all(claim.status is ClaimStatus.UNCHECKED for claim in claims)
    return Findings(
        counted=counted,
        claims=claims,
        confidence=min(by_names, model)
        if by_names is not None and model is not None
        else by_names,
        completeness=facts["completeness"],
        gaps=[""] * facts["gaps"],
        contradictions=[""] * facts["contradicted"],
        failed_level=_failed(failed) if failed else None,
        # Missing in older rows.
        wrong_values=[_WRONG_VALUE] * facts.get("wrong_values", 0),
        failed_checks=[_failed(name) for name in facts.get("failed_checks", ())],
        facts_doubted=facts.get("in_doubt", False),
        below_floor=facts.get("below_floor", False),
        below_line=facts.get("below_line", False),
        misled=facts["doubted"],
        left_open=[""] * facts["domain_open"],
        goal=_goal(facts["goal"]),
        settled=bool(counted) or not open_,
        earlier_inventions=(
            [(str(invented.kind), invented.key)] if facts["repeated"] else []
        ),
        awaited=facts["awaited"],
    )


def _failed(name: str) -> CheckResult:
    return CheckResult(
        name=name, outcome=Outcome.FAILED, details={"errors": []}, score=0.0
    )


def _mention(status: Status, grade: Grade | None) -> MentionResult:
    return MentionResult(
        text="",
        kind=MentionKind.IDENTIFIER,
        key="",
        spans=(),
        status=status,
        reason="",
        grade=grade,
    )


def _goal(facts: Mapping[str, Any]) -> GoalResult:
    return GoalResult(
        type=VerificationType.AGENT,
        target="",
        goal="",
        stated=facts["stated"],
        state=GoalState(facts["state"]),
        source=facts["source"],
        reason=facts.get("reason", ""),
        confidence=facts["confidence"],
    )


def _has_evidence(mention: MentionResult) -> bool:
    """Whether there is evidence of any grade."""
    return mention.is_verified or mention.reason == GRADE_TOO_LOW


def _ended(checks: Mapping[str, CheckResult], name: str, outcome: Outcome) -> bool:
    return name in checks and checks[name].outcome is outcome

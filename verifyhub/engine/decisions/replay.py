"""What a stored report would have been under other cut-offs.

A report is reduced to what the cut-offs look at: counts and scores, no text. The policy
itself then judges it anew, so advice and verdicts cannot drift apart.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from verifyhub.engine.cross_tier.consult import SECOND_NAME
from verifyhub.engine.cross_tier.verifier import INCONCLUSIVE_GAP
from verifyhub.engine.cross_tier.verifier import NAME as CROSS_TIER
from verifyhub.engine.decisions.goal import with_goal
from verifyhub.engine.decisions.grades import GRADE_TOO_LOW, enough, enough_for_claim
from verifyhub.engine.decisions.measures import confidence
from verifyhub.engine.decisions.missing import missing_opinions
from verifyhub.engine.decisions.policy import DecisionReason, Findings, decide, judge
from verifyhub.engine.grounding.ground import NOT_COUNTED
from verifyhub.engine.levels.run import FILESYSTEM, SCHEMA, STRUCTURE
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
from verifyhub.engine.warning_codes import WarningCode

_FLAGGED = frozenset({ClaimStatus.CONTRADICTED, ClaimStatus.UNATTEMPTED})
LEVELS = (STRUCTURE, SCHEMA, FILESYSTEM)
_DOUBTS = frozenset(
    {
        WarningCode.VERIFIER_DOUBTS,
        WarningCode.VERIFIERS_DISAGREE,
        WarningCode.JUDGE_MISLED,
        WarningCode.TRACE_SIGNATURE_INVALID,
        WarningCode.CLAIM_DOUBTED,
        WarningCode.LAYERS_BELOW_FLOOR,
    }
)


def facts_of(report: Mapping[str, Any]) -> dict[str, Any]:
    """Reduce a report to what `replayed` needs; JSON values, a few hundred bytes.

    Args:
        report: A verdict object, schema 1; those of older servers leave fields out.
    """
    checks = {check["name"]: check for check in report.get("checks", ())}
    codes = {warning["code"] for warning in report.get("warnings", ())}
    goal = report.get("goal") or {}
    mentions = report.get("mentions", ())
    reason = report.get("decision", {}).get("reason")
    failed = [name for name in LEVELS if _outcome(checks, name) == Outcome.FAILED]
    return {
        "found": _grades(mentions),
        "missing": sum(1 for mention in mentions if _is_missing(mention)),
        "repeated": reason == DecisionReason.REPEATED_INVENTION,
        "claims": _claims(report.get("completion_claims", ())),
        "model_confidence": _least_score(checks),
        "completeness": report.get("completeness"),
        "gaps": sum(1 for gap in report.get("gaps", ()) if gap != INCONCLUSIVE_GAP),
        "contradicted": bool(
            codes & {WarningCode.CONTRADICTION, WarningCode.CLAIM_CONTRADICTED}
        ),
        "failed_level": failed[0] if failed else "",
        "doubted": bool(codes & _DOUBTS) or _level_open(checks),
        "awaited": any(missing_opinions(checks.values())),
        "domain_open": WarningCode.DOMAIN_CHECK_OPEN in codes,
        "goal": {
            "state": goal.get("state", str(GoalState.NOT_CHECKED)),
            "stated": bool(goal.get("stated")),
            "source": goal.get("source", ""),
            "confidence": goal.get("confidence"),
        },
        "attempt": report.get("attempt", 1),
    }


def replayed(facts: Mapping[str, Any], thresholds: Thresholds) -> Verdict:
    """Judge an answer anew under other cut-offs, by the same policy.

    A model that was not asked then is not asked now: only what is known is weighed.

    Args:
        facts: What `facts_of` kept of its report.
        thresholds: The cut-offs to try.
    """
    return _replay(facts, thresholds)[1]


def goes_to_review(facts: Mapping[str, Any], thresholds: Thresholds) -> bool:
    """Whether an answer would be put into the queue under these cut-offs.

    As the queue's policy has it: rejected ones, those that a judge doubts, and
    uncertain ones in which something is flagged.
    """
    found, verdict = _replay(facts, thresholds)
    if verdict is Verdict.REJECT or facts["doubted"]:
        return True
    sure, share = found.confidence, found.completeness
    flagged = (
        bool(found.wrong)
        or any(claim.status in _FLAGGED for claim in found.claims)
        or (sure is not None and sure < thresholds.uncertain_below_confidence)
        or (share is not None and share < thresholds.follow_up_below_completeness)
        or facts["domain_open"]
    )
    return verdict is Verdict.UNCERTAIN and flagged


def _replay(
    facts: Mapping[str, Any], thresholds: Thresholds
) -> tuple[Findings, Verdict]:
    found = _findings(facts, Grade(thresholds.minimum_grade))
    attempt = facts["attempt"]
    decision = with_goal(
        decide(found, thresholds=thresholds, attempt=attempt),
        _goal(facts["goal"]),
        thresholds=thresholds,
        attempt=attempt,
    )
    settled = bool(found.counted) or any(
        claim.status is not ClaimStatus.UNCHECKED for claim in found.claims
    )
    verdict = judge(
        found,
        decision=decision,
        thresholds=thresholds,
        settled=settled,
        doubted=facts["doubted"],
    )
    held_up = facts["domain_open"] and verdict is Verdict.ACCEPT
    return found, Verdict.UNCERTAIN if held_up else verdict


def _findings(facts: Mapping[str, Any], least: Grade) -> Findings:
    counted = [
        enough(_mention(Status.VERIFIED, Grade(grade)), least)
        for grade, count in facts["found"].items()
        for _ in range(count)
    ]
    invented = _mention(Status.UNVERIFIED, None)
    counted += [invented] * facts["missing"]
    sure, model = confidence(counted), facts["model_confidence"]
    failed = facts["failed_level"]
    return Findings(
        counted=counted,
        claims=[
            enough_for_claim(_claim(status, grade), least)
            for status, grade in facts["claims"]
        ],
        confidence=min(sure, model) if sure is not None and model is not None else sure,
        completeness=facts["completeness"],
        gaps=[""] * facts["gaps"],
        contradicted=facts["contradicted"],
        failed_level=(
            CheckResult(name=failed, outcome=Outcome.FAILED) if failed else None
        ),
        earlier_inventions=(
            [(str(invented.kind), invented.key)] if facts["repeated"] else []
        ),
        awaited=facts["awaited"],
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


def _claim(status: str, grade: str) -> CompletionClaim:
    return CompletionClaim(
        text="",
        span=(0, 0),
        kind="",
        status=ClaimStatus(status),
        grade=Grade(grade) if grade else None,
    )


def _goal(facts: Mapping[str, Any]) -> GoalResult:
    return GoalResult(
        type=VerificationType.AGENT,
        target="",
        goal="",
        stated=facts["stated"],
        state=GoalState(facts["state"]),
        source=facts["source"],
        confidence=facts["confidence"],
    )


def _is_found(mention: Mapping[str, Any]) -> bool:
    """Whether evidence of some grade was found, enough for the project or not."""
    return bool(
        mention["status"] == Status.VERIFIED or mention["reason"] == GRADE_TOO_LOW
    )


def _is_missing(mention: Mapping[str, Any]) -> bool:
    return not _is_found(mention) and mention["reason"] not in NOT_COUNTED


def _grades(mentions: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    found = Counter(m["grade"] or str(Grade.C) for m in mentions if _is_found(m))
    return dict(sorted(found.items()))


def _claims(claims: Iterable[Mapping[str, Any]]) -> list[list[str]]:
    """Return status and grade of each; what only a grade held back was supported."""
    return [
        [
            str(ClaimStatus.SUPPORTED)
            if claim["status"] == ClaimStatus.UNCHECKED and claim["grade"]
            else claim["status"],
            claim["grade"] or "",
        ]
        for claim in claims
    ]


def _least_score(checks: Mapping[str, Mapping[str, Any]]) -> float | None:
    scores = [
        checks[name]["score"] for name in (CROSS_TIER, SECOND_NAME) if name in checks
    ]
    return min((score for score in scores if score is not None), default=None)


def _outcome(checks: Mapping[str, Mapping[str, Any]], name: str) -> str:
    return str(checks[name]["outcome"]) if name in checks else ""


def _level_open(checks: Mapping[str, Mapping[str, Any]]) -> bool:
    return any(
        _outcome(checks, name) == Outcome.INCONCLUSIVE
        and not checks[name]["details"].get("generated")
        for name in LEVELS
    )

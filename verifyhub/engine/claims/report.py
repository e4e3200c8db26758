"""Report claims of fact: one check, and warnings."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from verifyhub.engine.claim_results import ClaimResult, FactStatus, SentenceKind
from verifyhub.engine.claims.extract import Extraction
from verifyhub.engine.claims.judges import MISLED, ClaimJudge
from verifyhub.engine.reports import CheckResult, Outcome, ReportWarning
from verifyhub.engine.warning_codes import WarningCode

NAME = "claims"
MAX_QUOTED = 200


def check_of(
    claims: Sequence[ClaimResult],
    extraction: Extraction,
    judge: ClaimJudge | None,
    failures: Sequence[str],
    support: float | None,
) -> CheckResult:
    """Sum up the claims: failed if one is contradicted, passed if all are verified.

    Anything else is inconclusive: what is not known is neither right nor wrong.
    `support` ranks answers by local signs and settles nothing.
    """
    details: dict[str, Any] = {
        "judge": judge.name if judge else "",
        "support": support,
        **({"not_split": extraction.reason} if extraction.reason else {}),
        **({"cut": True} if extraction.cut else {}),
        **({"failures": dict(Counter(failures))} if failures else {}),
    }
    check = CheckResult(name=NAME, outcome=Outcome.SKIPPED, details=details)
    return summed_up(check, claims)


def summed_up(check: CheckResult, claims: Sequence[ClaimResult]) -> CheckResult:
    """Return a check with the counts of claims, and the outcome that follows."""
    factual = [claim for claim in claims if claim.kind is SentenceKind.FACTUAL]
    counts = Counter(str(claim.status) for claim in factual)
    details: dict[str, Any] = {
        **check.details,
        "claims": len(factual),
        **{str(status): counts[str(status)] for status in FactStatus},
        "set_apart": len(claims) - len(factual),
    }
    if not factual:
        return CheckResult(
            name=NAME, outcome=Outcome.SKIPPED, reason="no_claims", details=details
        )
    opposed = counts[FactStatus.CONTRADICTED] + counts[FactStatus.AMBIGUOUS]
    verified = counts[FactStatus.VERIFIED]
    if not opposed and verified < len(factual):
        reason = next(iter(details.get("failures", ())), "claims_unknown")
        return CheckResult(
            name=NAME, outcome=Outcome.INCONCLUSIVE, reason=reason, details=details
        )
    return CheckResult(
        name=NAME,
        outcome=Outcome.FAILED if opposed else Outcome.PASSED,
        score=verified / len(factual),
        reason="claims_spoken_against" if opposed else "",
        details=details,
    )


def warnings_of(
    contradicted: Sequence[ClaimResult],
    doubted: Sequence[ClaimResult],
    failures: Sequence[str],
) -> tuple[ReportWarning, ...]:
    """Return warnings for contradicted claims, and for a judge that was misled."""
    warnings = [
        _warning(
            WarningCode.CLAIM_CONTRADICTED,
            "There is evidence against a claim of fact.",
            claim,
        )
        for claim in contradicted
    ]
    warnings += [
        _warning(
            WarningCode.CLAIM_DOUBTED,
            "A claim of fact differs from its evidence, or sources part over it.",
            claim,
        )
        for claim in doubted
    ]
    if MISLED in failures:
        warnings.append(
            ReportWarning(
                code=WarningCode.JUDGE_MISLED,
                message=(
                    "The judge of the claims failed a control question; a reviewer "
                    "should check the answer."
                ),
                details={"check": NAME, "claims": failures.count(MISLED)},
            )
        )
    return tuple(warnings)


def _warning(code: WarningCode, message: str, result: ClaimResult) -> ReportWarning:
    return ReportWarning(
        code=code,
        message=message,
        details={
            "text": result.text[:MAX_QUOTED],
            "span": list(result.span),
            "reason": result.reason,
        },
    )

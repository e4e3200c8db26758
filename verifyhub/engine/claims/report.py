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
MESSAGES = {
    WarningCode.CLAIM_CONTRADICTED: "There is evidence against a claim of fact.",
    WarningCode.CLAIM_DOUBTED: (
        "A claim of fact differs from its evidence, or sources part over it."
    ),
}


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
    verified, score = counts[FactStatus.VERIFIED], None
    if not factual:
        outcome, reason = Outcome.SKIPPED, "no_claims"
    elif counts[FactStatus.CONTRADICTED] + counts[FactStatus.AMBIGUOUS]:
        outcome, reason = Outcome.FAILED, "claims_spoken_against"
        score = verified / len(factual)
    elif verified == len(factual):
        outcome, reason, score = Outcome.PASSED, "", 1.0
    else:
        outcome = Outcome.INCONCLUSIVE
        reason = next(iter(details.get("failures", ())), "claims_unknown")
    return CheckResult(
        name=NAME, outcome=outcome, score=score, reason=reason, details=details
    )


def warnings_of(
    claims: Sequence[ClaimResult], failures: Sequence[str]
) -> tuple[ReportWarning, ...]:
    """Return warnings for contradicted claims, and for a judge that was misled."""
    denied = [(WarningCode.CLAIM_CONTRADICTED, c) for c in claims if c.is_denied]
    doubted = [(WarningCode.CLAIM_DOUBTED, c) for c in claims if c.is_doubted]
    warnings = [
        ReportWarning(
            code=code,
            message=MESSAGES[code],
            details={
                "text": claim.text[:MAX_QUOTED],
                "span": list(claim.span),
                "reason": claim.reason,
            },
        )
        for code, claim in denied + doubted
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

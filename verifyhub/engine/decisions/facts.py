"""The step of the cascade that compares claims of fact with evidence (requirements D).

It comes after the ledger and before the decision. It can only lower the ledger's
result: evidence for a claim raises no verdict and verifies no name.
"""

from dataclasses import replace

from verifyhub.engine.calibration.calibrator import Calibrator
from verifyhub.engine.claim_results import ClaimResult, FactStatus, JudgedBy
from verifyhub.engine.claims.check import (
    ClaimInputs,
    ClaimsOpinion,
    check_claims,
    opinion_of_ledger,
    with_ledger,
)
from verifyhub.engine.claims.outputs import facts_in_outputs
from verifyhub.engine.decisions.doubt import Asking
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.decisions.policy import goes_back
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import ClaimStatus
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction
from verifyhub.engine.warning_codes import WarningCode


def check_facts(
    interaction: Interaction,
    findings: Findings,
    *,
    ledger: Ledger,
    inputs: ClaimInputs | None,
    thresholds: Thresholds,
    calibrator: Calibrator | None = None,
) -> ClaimsOpinion | None:
    """Check an answer's claims of fact, except for sentences that the ledger settled.

    Outputs that repeat a claim with one difference settle it in every project; sources
    and documents are searched if there are inputs.

    No model is called if the project disabled that, or if the answer is sent back
    anyway. A judge on this machine costs nothing and is always called.

    Args:
        ledger: The run's tool calls.
        inputs: Search and judges; with None only tool outputs are compared.
        calibrator: The calibration of the judge's confidence, if any.

    Returns:
        The results; None if nothing was checked.
    """
    settled = [
        claim.span
        for claim in findings.claims
        if claim.status is not ClaimStatus.UNCHECKED
    ]
    denied = [
        fact
        for fact in facts_in_outputs(interaction, ledger)
        if not any(a < fact.span[1] and fact.span[0] < b for a, b in settled)
    ]
    if inputs is None:
        return opinion_of_ledger(denied) if denied else None
    never = Asking(thresholds.ask_models) is Asking.NEVER
    if never or goes_back(findings, thresholds):
        judge = inputs.judge
        by_model = judge is not None and judge.judged_by is JudgedBy.MODEL
        inputs = replace(inputs, judge=None if by_model else judge, atomic_model=None)
    opinion = with_ledger(
        check_claims(interaction, inputs=inputs, settled=settled), denied
    )
    if calibrator is None:
        return opinion
    claims = tuple(calibrated(claim, calibrator) for claim in opinion.claims)
    return replace(opinion, claims=claims)


def calibrated(result: ClaimResult, calibrator: Calibrator) -> ClaimResult:
    """Add the calibrated probability that a judge's status is right.

    The calibration gives the probability that the claim is true; for a contradicted one
    the status is right with the complementary probability.
    """
    confidence = result.confidence
    if confidence is None or result.status not in (
        FactStatus.VERIFIED,
        FactStatus.CONTRADICTED,
    ):
        return result
    denied = result.status is FactStatus.CONTRADICTED
    true = calibrator.apply(1 - confidence if denied else confidence)
    return replace(result, calibrated=1 - true if denied else true)


def with_facts(findings: Findings, opinion: ClaimsOpinion | None) -> Findings:
    """Add the results of claims of fact to the findings about an answer."""
    if opinion is None:
        return findings
    misled = any(
        warning.code == WarningCode.JUDGE_MISLED for warning in opinion.warnings
    )
    return replace(
        findings,
        facts=opinion.claims,
        facts_contradicted=opinion.contradicted,
        facts_doubted=opinion.doubted,
        misled=findings.misled or misled,
    )

"""The last step of a verification: decision, verdict, and explanation."""

from dataclasses import replace

from verifyhub.engine.decisions.explain import explain
from verifyhub.engine.decisions.findings import Findings, other_failures
from verifyhub.engine.decisions.policy import decide, verdict_of
from verifyhub.engine.mitigation_results import BlockingLine
from verifyhub.engine.presets.domains import DomainVerifier
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import Outcome, ReportWarning
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode


def concluded(
    report: VerificationReport,
    findings: Findings,
    *,
    domain: DomainVerifier,
    strictness: Strictness,
    thresholds: Thresholds,
    blocking_line: BlockingLine | None = None,
) -> VerificationReport:
    """Decide on an answer, and explain the decision.

    Args:
        report: The report with all checks.
        findings: The findings for the policy, completed here from the checks.
        domain: The domain, whose required checks must not stay open.
        strictness: The preset, which is recorded.
        thresholds: The thresholds adjusted by the preset.
        blocking_line: The project's own threshold for blocking answers.
    """
    left_open = tuple(
        check.name
        for check in report.checks
        if check.name in domain.checks and check.outcome is Outcome.INCONCLUSIVE
    )
    if left_open:
        warning = ReportWarning(
            code=WarningCode.DOMAIN_CHECK_OPEN,
            message="A check required for this kind of answer is inconclusive.",
            details={"domain": domain.name, "checks": list(left_open)},
        )
        report = replace(report, warnings=(*report.warnings, warning))
    findings = replace(
        findings,
        failed_checks=other_failures(
            report.checks, facts_contradicted=findings.facts_contradicted
        ),
        left_open=left_open,
        below_line=blocking_line is not None and blocking_line.blocks(report),
    )
    decision = decide(findings, thresholds=thresholds, attempt=report.attempt)
    report = replace(
        report,
        decision=decision,
        verdict=verdict_of(decision),
        strictness=str(strictness),
    )
    return replace(report, explanation=explain(report))

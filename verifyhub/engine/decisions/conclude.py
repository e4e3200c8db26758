"""The last step of a verification: what its domain needs, and the plain words."""

from dataclasses import replace

from verifyhub.engine.decisions.explain import explain
from verifyhub.engine.presets.domains import DomainVerifier
from verifyhub.engine.presets.strictness import Strictness
from verifyhub.engine.reports import (
    Outcome,
    ReportWarning,
    Verdict,
)
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode


def concluded(
    report: VerificationReport, domain: DomainVerifier, strictness: Strictness
) -> VerificationReport:
    """Lower the verdict where a check that the domain needs stayed open; explain it.

    Args:
        report: Everything that was found.
        domain: Whose checks must not stay open.
        strictness: The preset that was in force; recorded.
    """
    left_open = tuple(
        check.name
        for check in report.checks
        if check.name in domain.checks and check.outcome is Outcome.INCONCLUSIVE
    )
    if left_open:
        report = replace(
            report,
            verdict=(
                Verdict.UNCERTAIN
                if report.verdict is Verdict.ACCEPT
                else report.verdict
            ),
            warnings=(*report.warnings, _warning(domain, left_open)),
        )
    report = replace(report, strictness=str(strictness))
    return replace(report, explanation=explain(report))


def _warning(domain: DomainVerifier, checks: tuple[str, ...]) -> ReportWarning:
    return ReportWarning(
        code=WarningCode.DOMAIN_CHECK_OPEN,
        message="A check that answers of this kind need stayed open.",
        details={"domain": domain.name, "checks": list(checks)},
    )

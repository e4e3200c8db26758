"""Claims of fact and detection layers as parts of a report."""

from dataclasses import replace

from verifyhub.engine.claims.check import ClaimsOpinion
from verifyhub.engine.decisions.detection import detection_warnings
from verifyhub.engine.decisions.measures import coverage
from verifyhub.engine.layer_results import DetectionResult
from verifyhub.engine.ports import Cost
from verifyhub.engine.verdicts import VerificationReport


def with_evidence(
    report: VerificationReport,
    facts: ClaimsOpinion | None,
    detection: DetectionResult | None,
    *,
    run_microdollars: int | None,
) -> VerificationReport:
    """Add claims and layers to a report, with their checks, warnings and cost.

    Args:
        report: The report of the other steps.
        facts: The claims of fact; None if they were not checked.
        detection: Risk and layers; None if they were not assessed.
        run_microdollars: The cost of the agent's run; None if unknown.
    """
    if facts is not None:
        report = replace(
            report,
            claims=facts.claims,
            coverage=coverage(
                sum(1 for mention in report.mentions if mention.counts),
                len(report.mentions),
                report.completion_claims,
                report.compared_values,
                facts.claims,
            ),
            checks=(*report.checks, facts.check),
            warnings=(*report.warnings, *facts.warnings),
            cost=report.cost.plus(
                Cost.of(facts.usages, run_microdollars=None),
                run_microdollars=run_microdollars,
            ),
        )
    if detection is not None:
        report = replace(
            report,
            detection=detection,
            checks=(*report.checks, *(layer.as_check() for layer in detection.layers)),
            warnings=(*report.warnings, *detection_warnings(detection)),
            cost=report.cost.plus(detection.cost, run_microdollars=run_microdollars),
        )
    return report

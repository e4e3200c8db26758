"""Why an answer needs review, and how urgently: rules over its report."""

from collections.abc import Iterator
from dataclasses import dataclass

from verifyhub.engine.decisions.missing import given_up, missing_opinions
from verifyhub.engine.grounding.ground import LOOK_ALIKE
from verifyhub.engine.levels.run import FILESYSTEM, SCHEMA, STRUCTURE
from verifyhub.engine.reports import (
    Action,
    ClaimStatus,
    CompletionClaim,
    GoalState,
    Outcome,
    Verdict,
)
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import WarningCode

# Codes of reasons, most serious first; `reason_words` has their texts.
REASON_KINDS = (
    "level_failed",
    "contradicted_claim",
    "fact_contradicted",
    "look_alike",
    "unverified_names",
    "unattempted_claim",
    "unsupported_value",
    "level_open",
    "judge_misled",
    "verifiers_disagree",
    "model_doubts",
    "fact_doubted",
    "layers_below_floor",
    "opinion_missing",
    "goal_unclear",
    "low_confidence",
    "domain_check_open",
    "incomplete",
    "decision",
    "person",
)

# Probability, 0..1, that the answer is wrong given one finding alone. They are
# estimates, not measurements: a contradiction of the trace is nearly proof, a missing
# name may come from elsewhere. To be fitted once there are enough decisions.
WEIGHT_CONTRADICTED = 0.7
WEIGHT_FACT_CONTRADICTED = 0.5
WEIGHT_LOOK_ALIKE = 0.5
WEIGHT_FACT_DOUBTED = 0.25
WEIGHT_LAYERS = 0.3
WEIGHT_UNATTEMPTED = 0.35
WEIGHT_UNVERIFIED = 0.12
WEIGHT_VALUE = 0.25
WEIGHT_LEVEL = 0.6
WEIGHT_REJECT = 0.3
WEIGHT_DOUBT = 0.3

LOW_CONFIDENCE = 0.5
QUOTED_CHARACTERS = 70


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: its code in `REASON_KINDS`, and the parameters of its words.

    `reason_words` words it in the reader's language.
    """

    kind: str
    params: tuple[tuple[str, str | int], ...] = ()

    def as_fact(self) -> dict[str, str | int]:
        """Return the form that an item stores for `reason_words`."""
        return {"kind": self.kind, **dict(self.params)}


def _reason(kind: str, **params: str | int) -> Reason:
    return Reason(kind, tuple(params.items()))


def needs_review(report: VerificationReport) -> bool:
    """Whether policy puts an answer into the queue.

    Queued are rejected answers, uncertain ones with a flagged name, a model's low score
    or an inconclusive domain check, and all whose judges were misled, disagree, doubt
    the trace or never replied. An answer without anything to check is not queued, since
    a person could not check it either; nor is one that only waits for a model's
    opinion, or an outage would fill the queue.
    """
    if report.verdict == Verdict.REJECT or any(_opinion_reasons(report)):
        return True
    flagged = (
        bool(report.flagged_mentions)
        or bool(report.flagged_claims)
        or bool(report.flagged_values)
        or any(_levels(report, Outcome.INCONCLUSIVE))
        or any(_score_reasons(report))
        or any(_fact_reasons(report))
    )
    return report.verdict == Verdict.UNCERTAIN and flagged


def reasons(report: VerificationReport) -> list[Reason]:
    """Return why an answer is flagged, most serious first."""
    reasons = [
        *_level_reasons(report),
        *_claim_reasons(report),
        *_fact_reasons(report),
        *_name_reasons(report),
        *_value_reasons(report),
        *_opinion_reasons(report),
        *_score_reasons(report),
    ] or list(_decision_reason(report))
    order = list(REASON_KINDS)
    distinct = dict.fromkeys(reasons)
    return sorted(distinct, key=lambda reason: order.index(reason.kind))


def agreed_before(verdict: str) -> Reason:
    """Return the reason that a reviewer agreed with a verdict that has changed."""
    return _reason("person", agreed=verdict)


def flagged_kinds(report: VerificationReport) -> list[str]:
    """Return kinds of names without evidence; `claim`, `fact`, `value` for the rest."""
    kinds = {str(mention.kind) for mention in report.flagged_mentions}
    if bool(report.flagged_claims):
        kinds.add("claim")
    if report.denied_claims or report.doubted_claims:
        kinds.add("fact")
    if report.flagged_values:
        kinds.add("value")
    return sorted(kinds)


def risk(report: VerificationReport) -> float:
    """Estimate the probability that an answer misleads, to order the queue.

    Findings count as independent evidence: 1 - product of (1 - weight). So every
    finding increases it, and many weak ones do not exceed a strong one by far.

    Returns:
        Unitless, in [0, 1), rounded to four places.
    """
    sound = 1.0
    sound *= (1 - WEIGHT_CONTRADICTED) ** len(_claims(report, ClaimStatus.CONTRADICTED))
    sound *= (1 - WEIGHT_UNATTEMPTED) ** len(_claims(report, ClaimStatus.UNATTEMPTED))
    sound *= (1 - WEIGHT_FACT_CONTRADICTED) ** len(report.denied_claims)
    sound *= (1 - WEIGHT_FACT_DOUBTED) ** len(report.doubted_claims)
    sound *= (1 - WEIGHT_LAYERS) if _is_below_floor(report) else 1
    if any(_levels(report, Outcome.FAILED)):
        sound *= 1 - WEIGHT_LEVEL
    for mention in report.flagged_mentions:
        disguised = mention.reason == LOOK_ALIKE
        sound *= 1 - (WEIGHT_LOOK_ALIKE if disguised else WEIGHT_UNVERIFIED)
    sound *= (1 - WEIGHT_VALUE) ** len(report.flagged_values)
    if report.verdict == Verdict.REJECT:
        sound *= 1 - WEIGHT_REJECT
    if report.confidence is not None:
        sound *= 1 - WEIGHT_DOUBT * (1 - report.confidence)
    return round(1 - sound, 4)


def _claims(report: VerificationReport, status: ClaimStatus) -> list[CompletionClaim]:
    return [claim for claim in report.completion_claims if claim.status is status]


def _claim_reasons(report: VerificationReport) -> Iterator[Reason]:
    for kind, status in (
        ("contradicted_claim", ClaimStatus.CONTRADICTED),
        ("unattempted_claim", ClaimStatus.UNATTEMPTED),
    ):
        for claim in _claims(report, status):
            yield _reason(kind, claim=claim.kind, text=_short(claim.text))


def _fact_reasons(report: VerificationReport) -> Iterator[Reason]:
    for fact in report.denied_claims:
        yield _reason("fact_contradicted", text=_short(fact.text))
    for fact in report.doubted_claims:
        yield _reason("fact_doubted", text=_short(fact.text))
    if _is_below_floor(report):
        yield Reason("layers_below_floor")


def _is_below_floor(report: VerificationReport) -> bool:
    return WarningCode.LAYERS_BELOW_FLOOR in report.warning_codes


def _name_reasons(report: VerificationReport) -> Iterator[Reason]:
    absent = []
    for name in report.flagged_mentions:
        if name.reason == LOOK_ALIKE:
            yield _reason("look_alike", text=_short(name.text))
        else:
            absent.append(name)
    if len(absent) == 1:
        yield _reason("unverified_names", count=1, text=_short(absent[0].text))
    elif absent:
        yield _reason("unverified_names", count=len(absent))


def _value_reasons(report: VerificationReport) -> Iterator[Reason]:
    if values := report.flagged_values:
        shown = _short(values[0].text)
        yield _reason("unsupported_value", count=len(values), text=shown)


# Reasons from warnings about a judge.
_OPINIONS = {
    WarningCode.JUDGE_MISLED: Reason("judge_misled"),
    WarningCode.VERIFIERS_DISAGREE: Reason("verifiers_disagree"),
    WarningCode.VERIFIER_DOUBTS: Reason("model_doubts"),
}


def _opinion_reasons(report: VerificationReport) -> Iterator[Reason]:
    """Yield the reasons from models' opinions, or from missing ones."""
    for warning in report.warnings:
        if warning.code in _OPINIONS:
            yield _OPINIONS[WarningCode(warning.code)]
    checks = report.checks
    if any(check.details.get("given_up_after") for check in checks):
        yield Reason("opinion_missing")


def _score_reasons(report: VerificationReport) -> Iterator[Reason]:
    confidence = report.confidence
    codes = {warning.code: warning for warning in report.warnings}
    # Names without evidence have a reason of their own; otherwise a model lowered it.
    low = WarningCode.LOW_CONFIDENCE in codes and not bool(report.flagged_mentions)
    if confidence is not None and (low or confidence < LOW_CONFIDENCE):
        yield _reason("low_confidence", percent=round(confidence * 100))
    goal = report.goal
    if goal and goal.state == GoalState.INCONCLUSIVE and goal.issues:
        yield Reason("goal_unclear")
    if report.decision.action == Action.FOLLOW_UP:
        if report.completeness is None:
            yield Reason("incomplete")
        else:
            yield _reason("incomplete", percent=round(report.completeness * 100))
    # Another try may still settle what waits for an opinion.
    awaited = {c.name for c in missing_opinions(report.checks) if not given_up(c)}
    check_open = codes.get(WarningCode.DOMAIN_CHECK_OPEN)
    if check_open and not awaited.issuperset(check_open.details["checks"]):
        yield Reason("domain_check_open")


LEVELS = (STRUCTURE, SCHEMA, FILESYSTEM)


def _levels(report: VerificationReport, outcome: Outcome) -> Iterator[str]:
    """Yield the levels with an outcome, except for VerifyHub's own claims."""
    for check in report.checks:
        if check.name not in LEVELS or check.outcome != outcome:
            continue
        if outcome is Outcome.FAILED or not check.details.get("generated"):
            yield check.name


def _level_reasons(report: VerificationReport) -> Iterator[Reason]:
    for name in _levels(report, Outcome.FAILED):
        yield _reason("level_failed", level=name)
    for _ in _levels(report, Outcome.INCONCLUSIVE):
        yield Reason("level_open")


ACTIONS = (Action.RETRY, Action.REFORMULATE, Action.CLARIFY, Action.FAIL)


def _decision_reason(report: VerificationReport) -> Iterator[Reason]:
    """Yield the feedback to the agent as a reason, if there is no other one."""
    action = report.decision.action
    if action in ACTIONS:
        yield _reason("decision", action=str(action))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= QUOTED_CHARACTERS else f"{line[:QUOTED_CHARACTERS]}…"

"""verify(): one answer and its tool calls to one report.

A cascade, cheap steps first: the ledger decides; local signs and what it leaves open
determine whether a model is called; the model of the next tier gives its opinion; and a
check of the goal comes last. Each step after the ledger can only lower its result (the
meet rule), and a skipped step has a reason.
"""

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import KW_ONLY, dataclass, field, replace

from verifyhub.engine.calibration.calibrator import Calibrator
from verifyhub.engine.calls.pairs import NO_PAIRS, Pairs
from verifyhub.engine.calls.tools import NO_RULES, ToolKind
from verifyhub.engine.claims.check import ClaimInputs, ClaimsOpinion
from verifyhub.engine.cross_tier.consult import Consultation, consult
from verifyhub.engine.cross_tier.verifier import INCONCLUSIVE_GAP
from verifyhub.engine.cross_tier.verifier import NAME as CROSS_TIER
from verifyhub.engine.decisions.conclude import concluded
from verifyhub.engine.decisions.detection import (
    DetectionInputs,
    detect,
    detection_warnings,
    with_detection,
)
from verifyhub.engine.decisions.doubt import (
    Asking,
    Doubt,
    Signals,
    ledger_doubts,
    local_signals,
    reason_to_skip,
)
from verifyhub.engine.decisions.facts import check_facts, with_facts
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.decisions.first_step import first_bad_step
from verifyhub.engine.decisions.measures import confidence, coverage
from verifyhub.engine.decisions.missing import missing_opinions, wait_for
from verifyhub.engine.decisions.next_prompt import MAX_SHOWN
from verifyhub.engine.decisions.own_checks import (
    completion_check,
    grounding_check,
    values_check,
)
from verifyhub.engine.decisions.policy import goes_back
from verifyhub.engine.decisions.prior import Prior
from verifyhub.engine.decisions.self_assessment import self_assessment
from verifyhub.engine.decisions.warnings import warnings_of
from verifyhub.engine.earlier.turns import NOTHING_EARLIER, EarlierTurns
from verifyhub.engine.goals.check import GoalInputs, GoalOpinion, check_goal, is_stated
from verifyhub.engine.judging.examples import Example
from verifyhub.engine.judging.metered import Metered
from verifyhub.engine.layer_results import DetectionResult
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.ledger.seal import Gateways
from verifyhub.engine.ledger.summary import files_of, summarise
from verifyhub.engine.levels.run import LevelInputs
from verifyhub.engine.mentions.pointed_out import mentions_pointed_out
from verifyhub.engine.mitigation.choose import advised
from verifyhub.engine.mitigation_results import BlockingLine
from verifyhub.engine.ports import Cost, Model, ModelUsage
from verifyhub.engine.reports import CheckResult, Grade, MentionResult, Outcome
from verifyhub.engine.retrieval.excerpts import lines_about
from verifyhub.engine.settled import Settled, settle
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import Interaction
from verifyhub.engine.values.sources import in_sources
from verifyhub.engine.verdicts import VerificationReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    """Models that may be called besides the ledger.

    Attributes:
        model: The model one tier above the executor; None for none.
        second: Another one for dual-model mode, called whenever the first is.
        rng: The source of nonces and control names, which must be unpredictable.
        examples: People's decisions on similar answers, for the verifiers.
    """

    model: Model | None = None
    second: Model | None = None
    rng: random.Random = field(default_factory=random.SystemRandom)
    examples: Sequence[Example] = ()


def _unobserved(_stage: str) -> AbstractContextManager[None]:
    return nullcontext()


@dataclass(frozen=True, slots=True)
class VerificationRequest:
    """An answer to verify, and all inputs.

    Attributes:
        interaction: The task, the answer and the tool calls.
        attempt: 1 for the first answer to a subtask, 2 for its first retry.
        judges: Models that may be called.
        goal_inputs: The judge of the goal, and the criteria of the run's domain.
        gateways: The gateways whose signatures the project trusts.
        earlier_inventions: Kind and key of the names that earlier attempts at the
            same subtask invented.
        level_inputs: Schemas of tools, files to look at, and a clock.
        earlier: Tool calls of earlier answers that are evidence for this one, and names
            that memory delivered.
        tool_rules: Rules about the project's own tools (`ledger.tool_rules`).
        pairs: The project's names of coded values, and actions of its tools
            (`calls.pairs.read_pairs`).
        prior: The agent's track record, which can only add doubt.
        claim_inputs: Inputs for claims of fact; None to skip them.
        claim_calibrator: The calibration of their judge's confidence, if any.
        detection_inputs: Inputs for risk and layers; None to skip them.
        blocking_line: The project's own threshold for blocking answers.
        stage: Called with the name of each stage; its context is entered around it.
    """

    interaction: Interaction
    _: KW_ONLY
    thresholds: Thresholds = field(default_factory=Thresholds)
    attempt: int = 1
    judges: Judges = field(default_factory=Judges)
    goal_inputs: GoalInputs = field(default_factory=GoalInputs)
    gateways: Gateways = field(default_factory=Gateways)
    earlier_inventions: Collection[tuple[str, str]] = ()
    level_inputs: LevelInputs = field(default_factory=LevelInputs)
    earlier: EarlierTurns = NOTHING_EARLIER
    tool_rules: Mapping[str, ToolKind] = field(default_factory=lambda: NO_RULES)
    pairs: Pairs = NO_PAIRS
    prior: Prior | None = None
    claim_inputs: ClaimInputs | None = None
    claim_calibrator: Calibrator | None = None
    detection_inputs: DetectionInputs | None = None
    blocking_line: BlockingLine | None = None
    stage: Callable[[str], AbstractContextManager[None]] = _unobserved


@dataclass(frozen=True, slots=True, kw_only=True)
class _CascadeRun:
    """The shared state of the steps of a cascade."""

    request: VerificationRequest
    settled: Settled
    signals: Signals

    @property
    def interaction(self) -> Interaction:
        return self.request.interaction

    @property
    def thresholds(self) -> Thresholds:
        return self.request.thresholds

    @property
    def shown_earlier(self) -> int:
        """How many earlier calls a model is shown: all, if one is called."""
        has_model = self.request.judges.model is not None
        return self.settled.sight.count if has_model else 0

    @property
    def shown_ledger(self) -> Ledger:
        return self.settled.sight.ledger if self.shown_earlier else self.settled.ledger


def verify(request: VerificationRequest) -> VerificationReport:
    """Check an answer against what the run's tools returned."""
    interaction, thresholds = request.interaction, request.thresholds
    with request.stage("ledger"):
        settled = settle(
            interaction,
            inputs=request.level_inputs,
            rules=request.tool_rules,
            gateways=request.gateways,
            least=Grade(thresholds.minimum_grade),
            earlier=request.earlier,
            pairs=request.pairs,
        )
        findings = _ledger_findings(settled, request.earlier_inventions)
    with request.stage("facts"):
        facts = check_facts(
            interaction,
            findings,
            ledger=settled.ledger,
            inputs=request.claim_inputs,
            thresholds=thresholds,
            calibrator=request.claim_calibrator,
        )
        if facts and findings.wrong_values:
            settled = replace(settled, values=in_sources(settled.values, facts.claims))
            findings = _ledger_findings(settled, request.earlier_inventions)
    run = _CascadeRun(
        request=request,
        settled=settled,
        signals=local_signals(
            interaction,
            self_assessment(
                interaction.self_assessment,
                confidence=findings.confidence,
                completeness=None,
            ),
            thresholds,
            request.prior,
        ),
    )
    findings = with_facts(findings, facts)
    with request.stage("verifiers"):
        opinion = _consult(run, findings)
        mentions = settled.mentions + _looked_up(run, opinion.added)
        findings = _lowered(findings, mentions, opinion)
    with request.stage("goal"):
        goal, usages = _check_goal(run, findings)
    with request.stage("layers"):
        detection = detect(
            interaction,
            findings,
            inputs=request.detection_inputs,
            thresholds=thresholds,
        )
    findings = with_detection(findings, detection)
    judged = (*opinion.checks, goal.check, *((facts.check,) if facts else ()))
    missing = list(missing_opinions(judged))
    findings = replace(
        findings,
        awaited=bool(missing),
        read_again_after=wait_for(missing),
        goal=goal.result,
        misled=findings.misled or goal.misled,
        shown=_shown(run),
    )
    with request.stage("conclusion"):
        report = concluded(
            _report(run, findings, mentions, opinion, goal, usages, facts, detection),
            findings,
            domain=goal.domain,
            strictness=request.goal_inputs.strictness,
            thresholds=thresholds,
            blocking_line=request.blocking_line,
        )
        return advised(report, request.blocking_line)


def _ledger_findings(
    settled: Settled, earlier_inventions: Collection[tuple[str, str]]
) -> Findings:
    return Findings(
        counted=settled.counted,
        claims=settled.claims,
        confidence=confidence(settled.counted),
        failed_level=settled.levels.failed,
        earlier_inventions=earlier_inventions,
        level_open=settled.levels.doubted,
        wrong_values=[value for value in settled.values if value.is_flagged],
        shows_values=settled.shows_values,
        doubted=settled.doubted,
        settled=settled.anything,
    )


def _lowered(
    findings: Findings, mentions: Sequence[MentionResult], opinion: Consultation
) -> Findings:
    """Meet the ledger's findings with the verifiers' opinion, which raises nothing."""
    counted = [mention for mention in mentions if mention.counts]
    by_names = _lower(findings.confidence, confidence(counted))
    return replace(
        findings,
        counted=counted,
        confidence=_lower(by_names, opinion.confidence),
        completeness=opinion.completeness,
        gaps=[gap for gap in opinion.gaps if gap != INCONCLUSIVE_GAP],
        contradictions=opinion.contradictions,
        disagreed=opinion.disagreed,
        misled=findings.misled or opinion.misled,
    )


def _report(
    run: _CascadeRun,
    findings: Findings,
    mentions: tuple[MentionResult, ...],
    opinion: Consultation,
    goal: GoalOpinion,
    usages: Sequence[ModelUsage],
    facts: ClaimsOpinion | None,
    detection: DetectionResult | None,
) -> VerificationReport:
    settled, layers = run.settled, detection.layers if detection else ()
    usage = run.interaction.usage
    run_cost = usage.cost_microdollars if usage else None
    paid = [*opinion.usages, *usages, *(facts.usages if facts else ())]
    cost = Cost.of(paid, run_microdollars=run_cost)
    return VerificationReport(
        id=run.interaction.id,
        attempt=run.request.attempt,
        confidence=findings.confidence,
        coverage=coverage(
            len(findings.counted),
            len(mentions),
            settled.claims,
            settled.compared_values,
            findings.facts,
        ),
        completeness=findings.completeness,
        mentions=mentions,
        completion_claims=settled.claims,
        values=settled.values,
        claims=facts.claims if facts else (),
        checks=(
            *settled.seal_checks,
            *settled.levels.checks,
            grounding_check(findings.counted),
            completion_check(settled.claims),
            values_check(settled.values, compared=settled.values_compared),
            run.signals.check,
            *opinion.checks,
            goal.check,
            *((facts.check,) if facts else ()),
            *(layer.as_check() for layer in layers),
        ),
        gaps=opinion.gaps,
        warnings=(
            *warnings_of(findings, mentions=len(mentions), thresholds=run.thresholds),
            *settled.warnings,
            *run.signals.warnings,
            *opinion.warnings,
            *goal.warnings,
            *(facts.warnings if facts else ()),
            *detection_warnings(detection),
        ),
        first_bad_step=first_bad_step(findings.counted, settled.claims),
        goal=goal.result,
        detection=detection,
        cost=(
            cost.plus(detection.cost, run_microdollars=run_cost) if detection else cost
        ),
        self_assessment=self_assessment(
            run.interaction.self_assessment,
            confidence=findings.confidence,
            completeness=findings.completeness,
        ),
    )


def _shown(run: _CascadeRun) -> tuple[str, ...]:
    """Return names from the run's tools, those in the answer first."""
    verified = [mention.text for mention in run.settled.counted if mention.is_verified]
    read, written = files_of(run.shown_ledger)
    return tuple(dict.fromkeys([*verified, *read, *written]))[:MAX_SHOWN]


def _consult(run: _CascadeRun, findings: Findings) -> Consultation:
    """Call the verifiers, if there is doubt."""
    judges = run.request.judges
    doubts = run.signals.doubts + ledger_doubts(
        findings,
        coverage=run.settled.coverage,
        level_open=run.settled.doubted,
        thresholds=run.thresholds,
    )
    skipped = reason_to_skip(
        run.interaction,
        asking=Asking(run.thresholds.ask_models),
        available=judges.model is not None,
        doubts=doubts,
        goes_back=lambda: goes_back(findings, run.thresholds),
        thresholds=run.thresholds,
    )
    if skipped is not None:
        check = CheckResult(
            name=CROSS_TIER, outcome=Outcome.SKIPPED, reason=str(skipped)
        )
        return Consultation(checks=(check,))
    summary = summarise(run.shown_ledger, earlier=run.shown_earlier)
    about = lines_about(run.settled.ledger, run.interaction.answer)
    return consult(
        run.interaction,
        run.settled.mentions,
        replace(summary, about=about),
        models=[model for model in (judges.model, judges.second) if model is not None],
        thresholds=run.thresholds,
        rng=judges.rng,
        examples=judges.examples,
    )


def _check_goal(
    run: _CascadeRun, findings: Findings
) -> tuple[GoalOpinion, Sequence[ModelUsage]]:
    """Check the goal; its judge is called if the verifiers leave doubt.

    A stated goal is judged unless the project allows no model. Without one the task is
    the goal, and the judge is called under the same conditions as other models.
    """
    inputs = run.request.goal_inputs
    model = Metered(inputs.model) if inputs.model is not None else None
    skipped, asking = None, Asking(run.thresholds.ask_models)
    is_free = model is None or is_stated(run.interaction)
    if asking is not Asking.ALWAYS or not is_free:
        skipped = reason_to_skip(
            run.interaction,
            asking=asking,
            available=model is not None,
            doubts=_open_after(run, findings),
            goes_back=lambda: goes_back(findings, run.thresholds),
            thresholds=run.thresholds,
        )
    goal = check_goal(
        run.interaction,
        run.settled.mentions,
        run.settled.claims,
        inputs=replace(inputs, model=model if skipped is None else None),
        disputed=findings.is_disputed,
    )
    if skipped is not None and goal.check.outcome is Outcome.SKIPPED:
        goal = replace(
            goal,
            check=replace(goal.check, reason=str(skipped)),
            result=replace(goal.result, reason=str(skipped)),
        )
    return goal, model.usages if model else ()


def _open_after(run: _CascadeRun, findings: Findings) -> Sequence[Doubt]:
    """Return the doubts that the verifiers leave for the check of the goal."""
    line = run.thresholds.follow_up_below_completeness
    is_complete = findings.completeness is not None and findings.completeness >= line
    if is_stated(run.interaction) or not is_complete or findings.gaps:
        return (Doubt.GOAL_OPEN,)
    return run.signals.doubts


def _looked_up(run: _CascadeRun, names: Sequence[str]) -> tuple[MentionResult, ...]:
    """Look up names that a model points out: the ledger alone decides on them."""
    if not names:
        return ()
    answer, settled = run.interaction.answer, run.settled
    pointed_out = mentions_pointed_out(answer, names, settled.known)
    return tuple(
        replace(result, by_model=True) for result in settled.look_up(pointed_out)
    )


def _lower(ledger: float | None, model: float | None) -> float | None:
    """Return the lower of two confidences; None if the ledger has none."""
    return ledger if ledger is None or model is None else min(ledger, model)

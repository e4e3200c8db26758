"""Run the layers of a profile over one text, within its time and budget.

At most three layers at a time. What a layer could not find out, or does not apply to,
leaves the mean; what was not checked is not passed (docs/adr/0037).
"""

import random
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as NotDoneError
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

from verifyhub.engine.layer_results import (
    COST_UNKNOWN,
    EMPTY_TEXT,
    UNCALIBRATED,
    DetectionResult,
    LayerName,
    LayerResult,
    Risk,
)
from verifyhub.engine.layers.base import (
    FAILED_INSIDE,
    LATENCY,
    SWITCHED_OFF,
    Layer,
    LayerCalibrator,
    LayerFinding,
    LayerInput,
    LayerTools,
    inconclusive,
    skipped,
)
from verifyhub.engine.layers.budget import LOOK_SECONDS, RunBudget
from verifyhub.engine.layers.capped import Allowance, Capped, Countdown
from verifyhub.engine.layers.control import EVIDENCE_DIFFERS, differs
from verifyhub.engine.layers.fact_decomposition import FactDecomposition
from verifyhub.engine.layers.multi_source import MultiSource
from verifyhub.engine.layers.nli import NLI
from verifyhub.engine.layers.scores import clamped, mean
from verifyhub.engine.layers.self_consistency import SelfConsistency
from verifyhub.engine.layers.semantic_entropy import SemanticEntropy
from verifyhub.engine.ports import Clock, Cost, ModelError, ModelUsage
from verifyhub.engine.reports import Outcome
from verifyhub.engine.risk.profiles import Profile

LAYERS: tuple[Layer, ...] = (
    SemanticEntropy(),
    FactDecomposition(),
    MultiSource(),
    SelfConsistency(),
    NLI(),
)


T = TypeVar("T")

LAYERS_AT_ONCE = 3
CALLS_AT_ONCE = 6
# What a layer may take to make something of its last reply.
GRACE_SECONDS = 0.25

_BY_NAME: Mapping[LayerName, Layer] = {layer.name: layer for layer in LAYERS}
_NOTHING: Mapping[str, LayerCalibrator] = MappingProxyType({})


def run_layers(
    subject: LayerInput,
    *,
    tools: LayerTools,
    risk: Risk,
    profile: Profile,
    calibrators: Mapping[str, LayerCalibrator] = _NOTHING,
    enabled: Collection[LayerName] = tuple(LayerName),
    only: LayerName | None = None,
    spent: Sequence[ModelUsage] = (),
    clock: Clock = time.monotonic,
    rng: random.Random | None = None,
) -> DetectionResult:
    """Run every layer of a text's profile.

    Args:
        subject: The text, and what it is compared with.
        tools: What the layers may use.
        risk: Why it is this profile.
        profile: Which layers, the floor, and the caps on time and money.
        calibrators: By the name of their layer.
        enabled: Layers that are not switched off.
        only: Run this one layer alone, whatever the profile says.
        spent: What assessing the risk took; it counts against the cap on money.
        clock: Seconds that only ever grow.
        rng: The source of nonces; it must be unpredictable.
    """
    run = _LayersRun(
        subject=subject,
        tools=tools,
        profile=profile,
        enabled=frozenset(enabled),
        ends=Countdown(clock, clock() + profile.latency_seconds),
        budget=RunBudget(
            profile.microdollars,
            spent=sum(usage.cost_microdollars or 0 for usage in spent),
        ),
        rng=rng or random.SystemRandom(),
    )
    began = clock()
    jobs = run.all([only] if only else profile.layers)
    results = _doubted(subject, [job.result(calibrators) for job in jobs])
    usages = [*spent, *(usage for job in jobs for usage in job.allowance.taken())]
    outcome, confidence, is_calibrated = judged(results, profile.floor)
    return DetectionResult(
        risk=risk,
        outcome=outcome,
        confidence=confidence,
        floor=profile.floor,
        layers=results,
        calibrated=is_calibrated,
        cost=Cost.of(usages, run_microdollars=None),
        latency_seconds=clock() - began,
        stopped_by=run.stopped_by(jobs),
        reason=run.reason,
    )


def _doubted(
    subject: LayerInput, results: Sequence[LayerResult]
) -> tuple[LayerResult, ...]:
    """Let no layer pass a text that its evidence differs from (the meet rule)."""
    passed = any(result.outcome is Outcome.PASSED for result in results)
    if not passed or not differs(subject):
        return tuple(results)
    return tuple(
        replace(
            result,
            outcome=Outcome.INCONCLUSIVE,
            score=None,
            calibrated=None,
            calibration=UNCALIBRATED,
            reason=EVIDENCE_DIFFERS,
        )
        if result.outcome is Outcome.PASSED
        else result
        for result in results
    )


def judged(
    results: Sequence[LayerResult], floor: float
) -> tuple[Outcome, float | None, bool]:
    """Return the outcome of all layers, their confidence, and if it is calibrated."""
    scored = [result for result in results if result.score is not None]
    confidence = mean(
        [result.probability for result in scored if result.probability is not None]
    )
    calibrated = bool(scored) and all(
        result.calibrated is not None for result in scored
    )
    if confidence is None:
        return Outcome.INCONCLUSIVE, None, False
    failed = any(result.outcome == Outcome.FAILED for result in scored)
    if failed or confidence < floor:
        return Outcome.FAILED, confidence, calibrated
    if any(result.outcome == Outcome.INCONCLUSIVE for result in results):
        return Outcome.INCONCLUSIVE, confidence, calibrated
    return Outcome.PASSED, confidence, calibrated


@dataclass(slots=True, kw_only=True)
class _Job:
    """One layer on its way."""

    layer: Layer
    allowance: Allowance
    finding: LayerFinding | None = None
    began: float | None = None
    ended: float | None = None
    future: "Future[None] | None" = None

    def result(self, calibrators: Mapping[str, LayerCalibrator]) -> LayerResult:
        # A thread that ends without a word was ended from outside.
        finding = self.finding or inconclusive(FAILED_INSIDE)
        result = LayerResult(
            layer=self.layer.name,
            outcome=finding.outcome,
            score=clamped(finding.score),
            reason=finding.reason,
            cost=Cost.of(self.allowance.taken(), run_microdollars=None),
            latency_seconds=self._seconds(),
            details=finding.details,
        )
        calibrator = calibrators.get(str(self.layer.name))
        if result.score is None or calibrator is None:
            return result
        return replace(
            result,
            calibrated=clamped(calibrator.apply(result.score)),
            calibration=calibrator.version,
        )

    @property
    def is_done(self) -> bool:
        return self.future is not None and self.future.done()

    def due(self) -> float:
        """Seconds after which it is no longer waited for."""
        return self.allowance.left() + GRACE_SECONDS

    def _seconds(self) -> float:
        if self.began is None:
            return 0.0
        clock = self.allowance.layer.clock
        return (clock() if self.ended is None else self.ended) - self.began


@dataclass(slots=True, kw_only=True)
class _LayersRun:
    """Everything the layers of one text share."""

    subject: LayerInput
    tools: LayerTools
    profile: Profile
    enabled: frozenset[LayerName]
    ends: Countdown
    budget: RunBudget
    rng: random.Random
    calls: ThreadPoolExecutor = field(init=False)

    def __post_init__(self) -> None:
        self.calls = ThreadPoolExecutor(self._at_once(CALLS_AT_ONCE), "layer-call")

    def _at_once(self, most: int) -> int:
        allowed = self.tools.calls_at_once
        return most if allowed is None else max(1, min(most, allowed))

    def all(self, names: Sequence[LayerName]) -> list[_Job]:
        """Run the layers, and come back when the run's time is over at the latest."""
        jobs = [self._job(_BY_NAME[name]) for name in names]
        open_jobs = [job for job in jobs if job.finding is None]
        pool = ThreadPoolExecutor(self._at_once(LAYERS_AT_ONCE), "layer")
        try:
            for job in open_jobs:
                job.future = pool.submit(self._look, job)
            self._await(open_jobs)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            self.calls.shutdown(wait=False, cancel_futures=True)
        return jobs

    def stopped_by(self, jobs: Sequence[_Job]) -> str:
        """Name the cap that kept a layer from having its way."""
        late = any(job.allowance.is_late for job in jobs)
        return self.budget.stopped_by or (LATENCY if late else "")

    @property
    def reason(self) -> str:
        if self.subject.is_empty:
            return EMPTY_TEXT
        return COST_UNKNOWN if self.budget.is_blind else ""

    def _job(self, layer: Layer) -> _Job:
        finding = None
        if self.subject.is_empty:
            finding = LayerFinding(outcome=Outcome.FAILED, score=0.0, reason=EMPTY_TEXT)
        elif layer.name not in self.enabled:
            finding = skipped(SWITCHED_OFF)
        # Its own time starts when it does.
        allowance = Allowance(budget=self.budget, run=self.ends, layer=self.ends)
        return _Job(layer=layer, allowance=allowance, finding=finding)

    def _look(self, job: _Job) -> None:
        clock = self.ends.clock
        job.began = clock()
        job.allowance.layer = Countdown(clock, job.began + job.layer.timeout_seconds)
        try:
            try:
                finding = job.layer.look(self.subject, _LayerWork(self, job.allowance))
            except ModelError as error:
                finding = inconclusive(error.reason)
            except Exception as error:  # noqa: BLE001 - one layer must not end others
                finding = inconclusive(FAILED_INSIDE, error=type(error).__name__)
            # A caller that stopped waiting has already recorded a finding.
            if job.finding is None:
                job.ended, job.finding = clock(), finding
        finally:
            self.tools.release()

    def _await(self, jobs: Sequence[_Job]) -> None:
        waiting = list(jobs)
        while waiting:
            due = min(job.due() for job in waiting)
            futures = [job.future for job in waiting if job.future is not None]
            # A layer that begins meanwhile may be due sooner.
            patience = max(0.0, min(due, LOOK_SECONDS))
            wait(futures, timeout=patience, return_when=FIRST_COMPLETED)
            for job in waiting:
                if not job.is_done and job.due() <= 0:
                    if job.future is not None:
                        job.future.cancel()
                    if job.finding is None:
                        job.finding = inconclusive(job.allowance.late().reason)
            waiting = [
                job for job in waiting if job.finding is None and not job.is_done
            ]


class _LayerWork:
    """A layer's share of the run; see `base.Work`."""

    def __init__(self, run: _LayersRun, allowance: Allowance) -> None:
        tools = run.tools
        self._run, self._allowance = run, allowance
        self.rng = run.rng
        self.tools = replace(
            tools,
            text_model=tools.text_model and Capped(tools.text_model, allowance),
            verifier=tools.verifier and Capped(tools.verifier, allowance),
        )

    def each(self, tasks: Sequence[Callable[[], T]]) -> list[T | ModelError]:
        """Do several things at once; see `Work.each`."""
        futures = [self._run.calls.submit(self._tried, task) for task in tasks]
        results: list[T | ModelError] = []
        for future in futures:
            try:
                left = max(0.0, self._allowance.left())
                results.append(future.result(timeout=left))
            except NotDoneError:
                future.cancel()
                results.append(self._allowance.late())
        return results

    def _tried(self, task: Callable[[], T]) -> T | ModelError:
        try:
            return task()
        except ModelError as error:
            return error
        finally:
            self._run.tools.release()

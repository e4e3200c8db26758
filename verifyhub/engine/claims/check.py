"""Check claims of fact against the passages of a search (requirements D1 to D4).

A judge settles; without one only a sentence that stands word for word in a passage is
verified, and one that differs from it in a single number, date, name or denial is
doubted. Everything else is unknown, and so is whatever has no evidence.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from verifyhub.engine.claim_results import (
    Claim,
    ClaimEvidence,
    ClaimResult,
    FactStatus,
    JudgedBy,
    SentenceKind,
)
from verifyhub.engine.claims.extract import Extraction, extract_claims, split_claims
from verifyhub.engine.claims.judges import (
    DISPUTED,
    JUDGE_REASONS,
    MISLED,
    ClaimJudge,
    ClaimJudgement,
)
from verifyhub.engine.claims.local import (
    CANDIDATES,
    LOCAL_REASONS,
    SOURCES_PART,
    VERBATIM,
    Local,
    contradicted_facts,
    look,
)
from verifyhub.engine.claims.reading import ParsedText
from verifyhub.engine.claims.reading_passages import PassageReading, Readings
from verifyhub.engine.claims.report import NAME, check_of, summed_up, warnings_of
from verifyhub.engine.claims.support import answer_support
from verifyhub.engine.passages import Candidate, PassageOrigin, PassageSearch
from verifyhub.engine.ports import Clock, Model, ModelUsage
from verifyhub.engine.reports import CheckResult, Grade, ReportWarning
from verifyhub.engine.types import Interaction, Span
from verifyhub.engine.warning_codes import WarningCode

__all__ = ["NAME", "ClaimInputs", "ClaimsOpinion", "check_claims"]

MAX_CLAIMS = 40
# For all claims of an answer: a worker holds its lease for a quarter of an hour.
JUDGING_SECONDS = 240.0
# Of an answer, as far as it is compared as a whole.
MAX_WHOLE_CHARACTERS = 20_000
NO_EVIDENCE, NOT_FACTUAL, SETTLED, OVER_LIMIT, NO_JUDGE = (
    "no_evidence",
    "not_factual",
    "settled_elsewhere",
    "over_limit",
    "no_judge",
)
DEADLINE = "deadline"
# Every reason of a result, but those of a `ModelError`.
CLAIM_REASONS = (
    frozenset({NO_EVIDENCE, NOT_FACTUAL, SETTLED, OVER_LIMIT, NO_JUDGE})
    | JUDGE_REASONS
    | LOCAL_REASONS
)


@dataclass(frozen=True, slots=True)
class ClaimInputs:
    """Evidence, models and limits of a check of claims.

    Attributes:
        search: Finds passages that may support or contradict them.
        judge: Settles claims; None for local signals only.
        atomic_model: Splits sentences into atomic claims; None to check sentences.
        max_claims: Only the first so many are searched and judged.
        seconds: No further claim is judged after these. The judge's opinions are
            cached, so that another try gets further.
        clock: Measures `seconds`.
    """

    search: PassageSearch
    judge: ClaimJudge | None = None
    atomic_model: Model | None = None
    max_claims: int = MAX_CLAIMS
    seconds: float = JUDGING_SECONDS
    clock: Clock = time.monotonic


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsOpinion:
    """The result of checking an answer's claims.

    Attributes:
        check: The entry among the report's checks.
        claims: Every claim with its result, in the order of the answer.
        warnings: What a reader should know.
        usages: What models took.
    """

    check: CheckResult
    claims: tuple[ClaimResult, ...] = ()
    warnings: tuple[ReportWarning, ...] = ()
    usages: tuple[ModelUsage, ...] = ()

    @property
    def contradicted(self) -> bool:
        """Whether a judge, or the ledger, found evidence against a claim."""
        return any(claim.is_denied for claim in self.claims)

    @property
    def doubted(self) -> bool:
        """Whether sources part over a claim, or only local signals speak against it."""
        return any(claim.is_doubted for claim in self.claims)


def check_claims(
    interaction: Interaction, *, inputs: ClaimInputs, settled: Collection[Span] = ()
) -> ClaimsOpinion:
    """Check the claims of fact of an answer.

    Args:
        interaction: The run; its task goes to the judge.
        inputs: Search, judge and model.
        settled: Places of the answer that another check settles, such as claims of
            work done: sentences there are not judged again.
    """
    extraction = extract_claims(interaction.answer)
    if inputs.atomic_model is not None:
        unsplit = {
            claim.span for claim in contradicted_facts(extraction, inputs.search)
        }
        extraction = split_claims(extraction, model=inputs.atomic_model, whole=unsplit)
    selected = [claim for claim in extraction if _why_not(claim, settled) is None]
    selected = selected[: inputs.max_claims]
    hits = inputs.search.search([claim.text for claim in selected], limit=CANDIDATES)
    checker = _ClaimChecker(inputs, interaction.task)
    results = {
        id(claim): checker.check(claim, candidates)
        for claim, candidates in zip(selected, hits, strict=True)
    }
    claims = tuple(
        results.get(id(claim))
        or ClaimResult.of(
            claim=claim,
            status=FactStatus.UNKNOWN,
            reason=_why_not(claim, settled) or OVER_LIMIT,
        )
        for claim in extraction
    )
    support = checker.support_of(interaction.answer, extraction)
    return _opinion(
        claims,
        extraction,
        judge=checker.judge,
        support=support,
        failures=checker.failures,
        usages=checker.usages,
    )


def opinion_of_ledger(denied: Sequence[ClaimResult]) -> ClaimsOpinion:
    """Return the results of claims that the run's own outputs contradict."""
    extraction = Extraction(claims=tuple(denied))
    return _opinion(tuple(denied), extraction, judge=None, support=None)


def with_ledger(opinion: ClaimsOpinion, denied: Sequence[ClaimResult]) -> ClaimsOpinion:
    """Add contradictions by the run's own outputs to the results of search and judges.

    What a judge found verified all the same stays contradicted.
    """
    if not denied:
        return opinion
    claims = tuple(_with_denials(claim, denied) for claim in opinion.claims)
    misled = [
        warning
        for warning in opinion.warnings
        if warning.code == WarningCode.JUDGE_MISLED
    ]
    return replace(
        opinion,
        claims=claims,
        check=summed_up(opinion.check, claims),
        warnings=(*warnings_of(claims, ()), *misled),
    )


def _with_denials(claim: ClaimResult, denied: Sequence[ClaimResult]) -> ClaimResult:
    """Return a claim as the ledger leaves it; only very words elsewhere part them."""
    start, end = claim.span
    overlapping = [
        denial for denial in denied if denial.span[0] < end and start < denial.span[1]
    ]
    if not overlapping or claim.is_denied:
        return claim
    if claim.status is FactStatus.VERIFIED and claim.reason == VERBATIM:
        contradicting = (*filter(None, [overlapping[0].evidence]), *claim.contradicting)
        return replace(
            claim,
            status=FactStatus.AMBIGUOUS,
            reason=SOURCES_PART,
            contradicting=contradicting,
        )
    return overlapping[0]


def _why_not(claim: Claim, settled: Collection[Span]) -> str | None:
    """Return why a claim is not checked here; None where it is."""
    if claim.kind is not SentenceKind.FACTUAL:
        return NOT_FACTUAL
    start, end = claim.span
    if any(first < end and start < last for first, last in settled):
        return SETTLED
    return None


class _ClaimChecker:
    """Checks one claim after the other, and keeps what the judge took."""

    def __init__(self, inputs: ClaimInputs, task: str) -> None:
        self.judge, self.task = inputs.judge, task
        self.clock, self.until = inputs.clock, inputs.clock() + inputs.seconds
        self.readings = Readings()
        self.usages: list[ModelUsage] = []
        self.failures: list[str] = []
        # Why nothing more is asked: what is down for one claim is down for the next.
        self.stopped = ""
        self.parts: list[tuple[ParsedText, list[PassageReading]]] = []

    def check(self, claim: Claim, candidates: Sequence[Candidate]) -> ClaimResult:
        """Settle one claim, or say why it stays unknown."""
        if not candidates:
            return ClaimResult.of(
                claim=claim, status=FactStatus.UNKNOWN, reason=NO_EVIDENCE
            )
        passages = [
            self.readings.of(candidate.passage, claim.language)
            for candidate in candidates
        ]
        reading = ParsedText(claim.text, claim.language)
        self.parts.append((reading, passages))
        local = look(reading, passages)
        if self.judge is None:
            return _by_signals(claim, local, passages, NO_JUDGE)
        if not self.stopped and self.clock() >= self.until:
            self.stopped = DEADLINE
        if self.stopped:
            self.failures.append(self.stopped)
            return _by_signals(claim, local, passages, self.stopped)
        judgement = self.judge.judge(claim.text, candidates, task=self.task)
        self.usages += judgement.usages
        if judgement.is_missing:
            self.failures.append(judgement.reason)
            if judgement.reason == MISLED and not local.contradicts:
                # A text that talks to judges is no witness for anything.
                return replace(
                    _by_signals(claim, local, passages, judgement.reason),
                    status=FactStatus.UNKNOWN,
                    judged_by=JudgedBy.NOBODY,
                    reason=MISLED,
                    evidence=None,
                    contradicting=(),
                )
            if judgement.reason not in JUDGE_REASONS:
                self.stopped = judgement.reason
            return _by_signals(claim, local, passages, judgement.reason)
        if judgement.status is FactStatus.UNKNOWN and local.contradicts:
            return _by_signals(claim, local, passages, judgement.reason)
        result = _by_judge(claim, judgement, local, passages, self.judge.judged_by)
        doubted = local.contradicts or local.lacks(self.task)
        if result.status is FactStatus.VERIFIED and doubted:
            # What a local sign found stands, whatever a judge says (the meet rule).
            return replace(result, status=FactStatus.AMBIGUOUS, reason=DISPUTED)
        return result

    def support_of(self, answer: str, extraction: Extraction) -> float | None:
        """Return how well the passages that were found fit the whole answer.

        What was set apart and not searched for is compared with what was found for
        the rest: an answer of two facts and ten guesses is not borne out as a whole.
        """
        by_id = {
            passage.passage.id: passage
            for _, readings in self.parts
            for passage in readings
        }
        passages = list(by_id.values())
        set_apart = [
            (ParsedText(claim.text, claim.language), passages[:CANDIDATES])
            for claim in extraction
            if claim.kind is not SentenceKind.FACTUAL
        ]
        language = extraction.claims[0].language if extraction.claims else "en"
        whole_answer = ParsedText(answer[:MAX_WHOLE_CHARACTERS], language)
        return answer_support(whole_answer, [*self.parts, *set_apart], passages)


def _by_signals(
    claim: Claim, local: Local, passages: Sequence[PassageReading], reason: str
) -> ClaimResult:
    evidence = local.deciding
    return ClaimResult.of(
        claim=claim,
        status=local.status,
        judged_by=JudgedBy.LOCAL_SIGNALS if evidence else JudgedBy.NOBODY,
        reason=local.reason or reason,
        support=local.support,
        evidence=_evidence(passages, *evidence, local) if evidence else None,
        contradicting=tuple(
            _evidence(passages, place, span, local) for place, span in local.against
        ),
        signals=local.signals,
    )


def _by_judge(
    claim: Claim,
    judgement: ClaimJudgement,
    local: Local,
    passages: Sequence[PassageReading],
    judged_by: JudgedBy,
) -> ClaimResult:
    unknown = judgement.status is FactStatus.UNKNOWN
    deciding = None if unknown else judgement.deciding
    evidence = None
    if deciding is not None:
        evidence = _evidence(passages, deciding, local.best_in(deciding), local)
        evidence = replace(evidence, nuance=judgement.nuance or evidence.nuance)
    places = dict.fromkeys(
        [(place, local.best_in(place)) for place in judgement.against]
        + [pair for pair in local.against if pair[0] != judgement.deciding]
    )
    return ClaimResult.of(
        claim=claim,
        status=FactStatus.UNKNOWN if deciding is None else judgement.status,
        judged_by=judged_by,
        reason=judgement.reason,
        confidence=judgement.confidence,
        support=local.support,
        evidence=evidence,
        contradicting=tuple(
            _evidence(passages, place, span, local) for place, span in places
        ),
        signals=local.signals,
    )


def _evidence(
    passages: Sequence[PassageReading], place: int, span: Span, local: Local
) -> ClaimEvidence:
    passage = passages[place]
    # What a project keeps itself was not handed in by the agent's side.
    is_document = passage.passage.origin is PassageOrigin.DOCUMENT
    return ClaimEvidence.of(
        passage=passage.passage,
        span=passage.in_source(span),
        grade=Grade.A if is_document else Grade.C,
        nuance=local.nuance(place, span),
    )


def _opinion(
    claims: tuple[ClaimResult, ...],
    extraction: Extraction,
    *,
    judge: ClaimJudge | None,
    support: float | None,
    failures: Sequence[str] = (),
    usages: Sequence[ModelUsage] = (),
) -> ClaimsOpinion:
    return ClaimsOpinion(
        check=check_of(claims, extraction, judge, failures, support),
        claims=claims,
        warnings=warnings_of(claims, failures),
        usages=(*extraction.usages, *usages),
    )

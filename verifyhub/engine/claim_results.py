"""Claims of fact in an answer, with their status and evidence (D1 to D4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Self

from pydantic import Field

from verifyhub.common.contract import Share, StoredModel
from verifyhub.engine.passages import Passage, PassageOrigin
from verifyhub.engine.reports import Grade
from verifyhub.engine.types import Span


class SentenceKind(StrEnum):
    """The kind of a sentence; only factual ones are checked (requirement E2)."""

    FACTUAL = "factual"
    OPINION = "opinion"
    INFERENCE = "inference"
    UNCERTAIN = "uncertain"
    PLAN = "plan"
    QUESTION = "question"


class FactStatus(StrEnum):
    """The status of a claim of fact, in the words of requirement D3."""

    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


class JudgedBy(StrEnum):
    """What settled a claim; `nobody` without evidence or without a judge.

    `ledger`: a tool of the run returned the claimed fact with another value.
    """

    MODEL = "model"
    LOCAL_JUDGE = "local_judge"
    LEDGER = "ledger"
    LOCAL_SIGNALS = "local_signals"
    NOBODY = "nobody"


# Only these settle a contradiction; local signals only raise doubt.
SETTLING = frozenset({JudgedBy.MODEL, JudgedBy.LOCAL_JUDGE, JudgedBy.LEDGER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(StoredModel):
    """One checkable statement, with its place in the answer."""

    text: Annotated[
        str,
        Field(
            description="The judged text: the words at `span`, or a model's atomic "
            "restatement of them if `by_model` is set."
        ),
    ]
    span: Annotated[
        Span,
        Field(
            description="Position in the answer: a half-open range in Unicode code "
            "points."
        ),
    ]
    kind: Annotated[
        SentenceKind,
        Field(description="The kind of sentence; only factual claims are checked."),
    ] = SentenceKind.FACTUAL
    language: str = "en"
    by_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEvidence(StoredModel):
    """The deciding passage, and the deciding words in it."""

    passage: str
    """The passage's id; opaque."""
    origin: PassageOrigin
    ref: str
    """The source text: the position of a source or tool call in its run, or the id of a
    document or finding."""
    title: str = ""
    text: str
    """The complete passage."""
    deciding: str
    """The deciding words of the passage."""
    span: Span
    """Range of those words in the source text, in code points."""
    grade: Grade = Grade.C
    nuance: str = ""
    """A limitation of the evidence, as a stable code or in the judge's words."""

    @classmethod
    def of(
        cls, passage: Passage, *, span: Span, grade: Grade = Grade.C, nuance: str = ""
    ) -> Self:
        """Return a place of a passage; `span` lies in the text it was taken from."""
        start, end = (place - passage.span[0] for place in span)
        return cls(
            passage=passage.id,
            origin=passage.origin,
            ref=passage.ref,
            title=passage.title,
            text=passage.text,
            deciding=passage.text[start:end],
            span=span,
            grade=grade,
            nuance=nuance,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimResult(Claim):
    """A claim with its status, the deciding evidence and contradicting evidence."""

    status: FactStatus
    """The result of the comparison with the evidence."""
    judged_by: JudgedBy = JudgedBy.NOBODY
    """What decided the status."""
    reason: str = ""
    """Stable code for how it came about (`no_evidence`, `number_differs`, …)."""
    confidence: Share | None = None
    """The judge's confidence in this status; null if not judged."""
    calibrated: Share | None = None
    """The confidence after the project's calibration; null without one."""
    support: Share | None = None
    """How well the best passage matches by local signals. Used to rank claims only."""
    evidence: ClaimEvidence | None = None
    """The deciding passage; null if none."""
    contradicting: tuple[ClaimEvidence, ...] = ()
    """Passages that contradict the claim or `evidence`."""
    signals: tuple[Mapping[str, Any], ...] = ()
    """Differences between the claim and the evidence, with the words of each."""

    def __post_init__(self) -> None:
        if self.evidence is None and self.status != FactStatus.UNKNOWN:
            raise ValueError(f"{self.status} needs evidence: {self.text!r}")

    @classmethod
    def of(cls, claim: Claim, **result: Any) -> Self:
        """Return the result of checking a claim; the keywords are the other fields."""
        return cls(
            text=claim.text,
            span=claim.span,
            kind=claim.kind,
            language=claim.language,
            by_model=claim.by_model,
            **result,
        )

    @property
    def is_factual(self) -> bool:
        """Whether it states a fact; opinions, plans and questions do not."""
        return self.kind is SentenceKind.FACTUAL

    @property
    def is_settled(self) -> bool:
        """Whether a judge or the ledger settled it, and not local signals alone."""
        return self.judged_by in SETTLING

    @property
    def is_denied(self) -> bool:
        """Whether it is settled that the evidence speaks against it."""
        return self.status is FactStatus.CONTRADICTED and self.is_settled

    @property
    def is_doubted(self) -> bool:
        """Whether the evidence speaks against it and nobody settled that."""
        denying = {FactStatus.CONTRADICTED, FactStatus.AMBIGUOUS}
        return self.status in denying and not self.is_denied

    @property
    def is_open(self) -> bool:
        """Whether it states a fact that could not be settled."""
        return self.status is FactStatus.UNKNOWN and self.is_factual

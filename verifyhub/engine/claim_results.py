"""Claims of fact in an answer, and what the evidence says of each (D1 to D4)."""

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
    """What a sentence is; only factual ones are checked (requirement E2)."""

    FACTUAL = "factual"
    OPINION = "opinion"
    INFERENCE = "inference"
    UNCERTAIN = "uncertain"
    PLAN = "plan"
    QUESTION = "question"


class FactStatus(StrEnum):
    """What the evidence says of a claim; the words of requirement D3."""

    VERIFIED = "verified"
    CONTRADICTED = "contradicted"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


class JudgedBy(StrEnum):
    """Who settled a claim; `nobody` where there was no evidence or no judge.

    `ledger`: a tool of the run returned the very same otherwise.
    """

    MODEL = "model"
    LOCAL_JUDGE = "local_judge"
    LEDGER = "ledger"
    LOCAL_SIGNALS = "local_signals"
    NOBODY = "nobody"


# Only they settle that evidence speaks against a claim; local signals doubt.
SETTLING = frozenset({JudgedBy.MODEL, JudgedBy.LOCAL_JUDGE, JudgedBy.LEDGER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(StoredModel):
    """One checkable statement, where it stands in the answer."""

    text: Annotated[
        str,
        Field(
            description="What was judged: the words at `span`, or a model's atomic"
            " restatement of them, as `by_model` says."
        ),
    ]
    span: Annotated[
        Span,
        Field(
            description="Where it stands in the answer: a half-open range in Unicode"
            " code points."
        ),
    ]
    kind: Annotated[
        SentenceKind, Field(description="Only factual ones are checked.")
    ] = SentenceKind.FACTUAL
    language: str = "en"
    by_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEvidence(StoredModel):
    """The passage that decided, and the place in its text that did."""

    passage: str
    """The passage's id; opaque."""
    origin: PassageOrigin
    ref: str
    """Which text: the position of a source or tool call in its run, or the id of a
    document or finding."""
    title: str = ""
    text: str
    """The whole passage."""
    deciding: str
    """The words of it that decided."""
    span: Span
    """Where those words stand in the text that the passage was taken from, in code
    points."""
    grade: Grade = Grade.C
    nuance: str = ""
    """What limits the evidence, in a stable code or a judge's own words."""

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
    """A claim with its status, the evidence that decided and what speaks against it."""

    status: FactStatus
    """What the evidence says."""
    judged_by: JudgedBy = JudgedBy.NOBODY
    """Who settled it."""
    reason: str = ""
    """Stable code for how it came about (`no_evidence`, `number_differs`, …)."""
    confidence: Share | None = None
    """The judge's own of this status; null: not judged."""
    calibrated: Share | None = None
    """The same by the project's calibration; null without one."""
    support: Share | None = None
    """How well the best passage fits by local signs. It ranks claims and settles
    none."""
    evidence: ClaimEvidence | None = None
    """The passage that decided; null where none did."""
    contradicting: tuple[ClaimEvidence, ...] = ()
    """Passages that speak against the claim, or against `evidence`."""
    signals: tuple[Mapping[str, Any], ...] = ()
    """What differs from the evidence, as words of each."""

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
        against = {FactStatus.CONTRADICTED, FactStatus.AMBIGUOUS}
        return self.status in against and not self.is_denied

    @property
    def is_open(self) -> bool:
        """Whether it states a fact that nobody could settle."""
        return self.status is FactStatus.UNKNOWN and self.is_factual

"""The interface of layers: their input, tools and results."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol, TypeVar

from verifyhub.engine.claims.judges import ClaimJudge
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.passages import Embedder, PassageSearch
from verifyhub.engine.ports import Model, ModelError
from verifyhub.engine.reports import Outcome

T = TypeVar("T")

# Stable reasons; those of `ModelError` stand beside them.
NO_MODEL = "no_model"
NO_TASK = "no_task"
SWITCHED_OFF = "switched_off"
FAILED_INSIDE = "failed_inside"
# A cap of the run, or the layer's own time, kept a call from being made or waited for.
COST, LATENCY, CALLS, TIMEOUT = "cost", "latency", "calls", "timeout"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerInput:
    """One text and what it is compared with.

    Attributes:
        text: The text to check.
        task: What it answers; empty where it is unknown.
        context: The context from which the text was generated.
        sources: Texts that may speak for or against it, one each.
    """

    text: str
    task: str = ""
    context: str = ""
    sources: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to be seen in the text."""
        return not any(sign.isprintable() and not sign.isspace() for sign in self.text)


class LayerCalibrator(Protocol):
    """Turns a layer's raw score into a probability."""

    @property
    def version(self) -> str:
        """The version of the calibration, as recorded with results."""

    def apply(self, score: float) -> float:
        """Return the probability, 0..1, that a text of this raw score is right."""


class EntropyBy(StrEnum):
    """How meanings are compared: by entailment as published, or by cosine, cheaply."""

    ENTAILMENT = "entailment"
    COSINE = "cosine"


class ConsistencyBy(StrEnum):
    """How consistency is measured: five prompts about the text, or majority voting."""

    VARIANTS = "variants"
    MAJORITY = "majority"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerOptions:
    """Options of the layers.

    Attributes:
        samples: The number of answers that semantic entropy and majority voting
            sample, 2 to 20.
        temperature: The temperature of sampling.
        entropy_by: See `EntropyBy`.
        length_normalised: Whether a sample's probability is that of its mean token, as
            the paper's main results have it.
        fact_length_penalty: FActScore's gamma; fewer facts than this cost precision.
            0 for none; the paper's later version takes 10.
        consistency_by: See `ConsistencyBy`.
    """

    samples: int = 5
    temperature: float = 1.0
    entropy_by: EntropyBy = EntropyBy.ENTAILMENT
    length_normalised: bool = True
    fact_length_penalty: int = 0
    consistency_by: ConsistencyBy = ConsistencyBy.VARIANTS


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerTools:
    """Models and other tools of the layers; None where unavailable.

    Attributes:
        text_model: Writes answers and one-word replies.
        verifier: Gives structured opinions.
        search: Finds passages that may speak for a fact.
        embedder: For the cosine variant.
        judge: A judge on this machine, asked in place of the model where texts are
            compared; one that asks a model would not be held to the run's caps.
        options: See `LayerOptions`.
        release: Called in every thread that used them, when it is done with them:
            gives back what belongs to the thread, such as a database connection.
        calls_at_once: How many calls of models the payer allows at once; more would
            be refused. None for as many as the layers make.
    """

    text_model: Model | None = None
    verifier: Model | None = None
    search: PassageSearch | None = None
    embedder: Embedder | None = None
    judge: ClaimJudge | None = None
    options: LayerOptions = LayerOptions()
    release: Callable[[], None] = lambda: None
    calls_at_once: int | None = None


class LayerWork(Protocol):
    """A layer's part of a run: tools whose calls are counted, capped and timed."""

    @property
    def tools(self) -> LayerTools:
        """Tools whose models are limited to the layer's time and the run's budget."""

    @property
    def rng(self) -> random.Random:
        """The source of nonces; unpredictable from outside."""

    def each(self, tasks: Sequence[Callable[[], T]]) -> list[T | ModelError]:
        """Run several functions concurrently; return their results in order.

        What was not done in time is a `ModelError` in its place.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerFinding:
    """A layer's result; see `LayerResult` for the fields."""

    outcome: Outcome
    score: float | None = None
    reason: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


class Layer(Protocol):
    """One way to look at a text.

    Attributes:
        name: Which one.
        timeout_seconds: Its own time, within the run's.
    """

    @property
    def name(self) -> LayerName: ...

    @property
    def timeout_seconds(self) -> float: ...

    def look(self, subject: LayerInput, work: LayerWork) -> LayerFinding:
        """Check a text that is not empty.

        Raises:
            ModelError: If a model that it cannot do without gave nothing.
        """


def settled(
    outcome: Outcome, score: float, reason: str, **details: Any
) -> LayerFinding:
    """Return a finding with its score, which is left out where nothing is decided."""
    if outcome is Outcome.INCONCLUSIVE:
        return inconclusive(reason, **details)
    return LayerFinding(outcome=outcome, score=score, reason=reason, details=details)


def skipped(reason: str, **details: Any) -> LayerFinding:
    """Return a finding that the layer does not apply: no score, left out of means."""
    return LayerFinding(outcome=Outcome.SKIPPED, reason=reason, details=details)


def inconclusive(reason: str, **details: Any) -> LayerFinding:
    """Return a finding that the layer could not decide: no score, left out of means."""
    return LayerFinding(outcome=Outcome.INCONCLUSIVE, reason=reason, details=details)

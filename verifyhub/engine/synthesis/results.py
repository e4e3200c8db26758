"""Group subtasks' results by quality, for a synthesis (requirement A10)."""

from collections.abc import Sequence
from dataclasses import dataclass

from verifyhub.engine.synthesis.statements import sentences_with_numbers

RELIABLE_CONFIDENCE = 0.5
MOST_UNVERIFIED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class SubtaskResult:
    """A subtask's answer with its verdict.

    Attributes:
        task, answer: Texts; hostile.
        confidence: 0..1; None where nothing could be or was checked.
        unverified: Names that count and that no tool returned.
        verified: Names found in what tools returned.
        confirmed: Sentences that evidence bears out: work that was done, facts.
        gaps: What the answer leaves open.
        warnings: What a reader should know of it, a sentence each.
        rejected: Whether the verdict on it is reject.
    """

    task: str
    answer: str
    confidence: float | None = None
    unverified: tuple[str, ...] = ()
    verified: tuple[str, ...] = ()
    confirmed: tuple[str, ...] = ()
    gaps: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    rejected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Results by quality, each group in the order of the subtasks."""

    reliable: tuple[SubtaskResult, ...]
    uncertain: tuple[SubtaskResult, ...]


def is_reliable(result: SubtaskResult) -> bool:
    """Return whether a synthesis may build on a result (requirement A10).

    One without a confidence was not checked, and a rejected one is contradicted by its
    own trace, however confident: neither is reliable.
    """
    return (
        not result.rejected
        and result.confidence is not None
        and result.confidence >= RELIABLE_CONFIDENCE
        and len(result.unverified) <= MOST_UNVERIFIED
    )


def unconfirmed_numbers(result: SubtaskResult) -> tuple[str, ...]:
    """Return the sentences with numbers that no evidence supports, each once.

    A reliable result may hold numbers that were not looked up: those are not reliable.
    """
    return tuple(
        sentence
        for sentence in dict.fromkeys(sentences_with_numbers(result.answer))
        if not any(
            text and (sentence in text or text in sentence) for text in result.confirmed
        )
    )


def partition(results: Sequence[SubtaskResult]) -> Groups:
    """Split results into reliable and uncertain ones."""
    return Groups(
        reliable=tuple(result for result in results if is_reliable(result)),
        uncertain=tuple(result for result in results if not is_reliable(result)),
    )


def known_gaps(results: Sequence[SubtaskResult]) -> tuple[str, ...]:
    """Return every gap once, in order; case and blanks make no difference."""
    gaps: dict[str, str] = {}
    for result in results:
        for gap in result.gaps:
            gaps.setdefault(" ".join(gap.casefold().split()), gap)
    return tuple(gaps.values())

"""Events as evaluations of GenAI output, by the conventions of OpenTelemetry.

`gen_ai.evaluation.result`, in development; source: semantic-conventions-genai,
docs/gen-ai/gen-ai-events.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from verifyhub.events.catalogue import EventType
from verifyhub.events.formats.message import Message

EVENT_NAME: Final = "gen_ai.evaluation.result"
MAX_EXPLANATION: Final = 2000
MAX_NAMES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """One judgement of one answer; None for values that are not given."""

    name: str
    score: float | None = None
    label: str | None = None
    explanation: str = ""
    error: str | None = None


def evaluations_of(message: Message) -> list[Evaluation]:
    """Return the evaluations in an event; none for types without a judgement."""
    reader = READERS.get(message.type)
    return reader(message.data) if reader else []


def attributes_of(evaluation: Evaluation, message: Message) -> dict[str, str | float]:
    """Return the attributes of `gen_ai.evaluation.result` with those of its subject."""
    subject = message.subject
    attributes: dict[str, str | float | None] = {
        "gen_ai.evaluation.name": evaluation.name,
        "gen_ai.evaluation.score.value": evaluation.score,
        "gen_ai.evaluation.score.label": evaluation.label,
        "gen_ai.evaluation.explanation": evaluation.explanation[:MAX_EXPLANATION]
        or None,
        "gen_ai.response.id": subject.get("response"),
        "gen_ai.conversation.id": subject.get("session"),
        "error.type": evaluation.error,
        "verifyhub.event.id": message.id,
        "verifyhub.interaction.id": subject.get("interaction"),
    }
    return {name: value for name, value in attributes.items() if value is not None}


def _verdict(data: Mapping[str, Any]) -> list[Evaluation]:
    verification = data["verification"]
    reason = (
        f"{verification['action']}: {verification['reason']}."
        if verification["reason"]
        else ""
    )
    parts = [reason, _names("Not in the trace", verification["unverified"])]
    parts.append(_names("Gaps", verification["gaps"]))
    verdict = Evaluation(
        name="verifyhub.verdict",
        score=verification["confidence"],
        label=verification["verdict"],
        explanation=" ".join(filter(None, parts)),
    )
    return [verdict, *_layers(data)]


def _layers(data: Mapping[str, Any]) -> list[Evaluation]:
    detection = data.get("detection")
    if not detection:
        return []
    words = {True: "pass", False: "fail", None: "inconclusive"}
    return [
        Evaluation(
            name="verifyhub.detection",
            score=detection["overallConfidence"],
            label=words[detection["passed"]],
            explanation=f"{detection['layersRun']} layers ran;"
            f" risk {detection['riskLevel']}.",
        )
    ]


def _failed(_data: Mapping[str, Any]) -> list[Evaluation]:
    # No score of 0: the answer was not judged at all.
    return [Evaluation(name="verifyhub.verdict", error="verification_failed")]


def _word(data: Mapping[str, Any]) -> list[Evaluation]:
    override = data["override"]
    return [
        Evaluation(
            name=f"verifyhub.review.{override['target']}",
            label=override["after"] or None,
            explanation=" ".join(filter(None, [override["name"], override["reason"]])),
        )
    ]


def _names(word: str, names: list[str]) -> str:
    return f"{word}: {', '.join(names[:MAX_NAMES])}." if names else ""


READERS: Final[Mapping[str, Callable[[Mapping[str, Any]], list[Evaluation]]]] = {
    EventType.VERIFICATION_COMPLETED: _verdict,
    EventType.VERIFICATION_AMENDED: _verdict,
    EventType.VERIFICATION_FAILED: _failed,
    EventType.DETECTION_COMPLETED: _layers,
    EventType.REVIEW_OVERRIDDEN: _word,
}

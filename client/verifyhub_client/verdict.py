"""The verdict object, for agents' programs."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from verifyhub_client.words import VERDICT_SCHEMA, VERIFIED, Judgement, counts


class NoVerdictError(ValueError):
    """A reply is not a verdict object of a schema this client knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FlaggedName:
    """A name that no tool returned; `suggestion` is the correct name, if known."""

    text: str
    kind: str
    reason: str
    suggestion: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What to do about an answer that failed a check.

    Attributes:
        action: `flag_uncertain`, `request_sources`, `disclaim`, `regenerate`,
            `decompose_and_retry` or `block`.
        reason: The reason, as a stable code.
        text_for_agent: Text for the next prompt; quoted text in it is data.
        disclaimer: Text for readers of the answer, in its language.
    """

    action: str
    reason: str
    text_for_agent: str
    disclaimer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The verdict on one answer.

    Attributes:
        id: The interaction's id.
        verdict: `accept`, `uncertain` or `reject`.
        confidence, completeness: 0..1, or None if unknown.
        action: The next step: `accept`, `retry`, `reformulate`, `clarify`, `follow_up`
            or `fail`.
        reason: The reason, as a stable code.
        additional_context: Text for the next prompt; names in it are data.
        follow_ups: Subtasks that complete the answer.
        retry_after_seconds: Seconds to wait before the next step; 0 for none.
        flagged: The names that no tool returned and that count against the answer.
        verified: The names with evidence.
        gaps: Aspects of the task that the answer leaves out.
        warnings: Codes with their messages.
        raw: The complete object as received.
        mitigation: Advice for the answer; None if there is none.
    """

    id: str
    verdict: Judgement
    confidence: float | None
    completeness: float | None
    action: str
    reason: str
    additional_context: str
    follow_ups: tuple[str, ...]
    retry_after_seconds: float
    flagged: tuple[FlaggedName, ...]
    verified: tuple[str, ...]
    gaps: tuple[str, ...]
    warnings: tuple[tuple[str, str], ...]
    raw: Mapping[str, Any] = field(repr=False)
    mitigation: Advice | None = None

    @classmethod
    def from_json(cls, data: Any) -> "Verdict":
        """Read a verdict object.

        Raises:
            NoVerdictError: If it is not a valid verdict object.
        """
        try:
            return cls._read(data)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise NoVerdictError("the reply is no verdict object") from error

    @classmethod
    def _read(cls, data: Mapping[str, Any]) -> "Verdict":
        if data["schema"] != VERDICT_SCHEMA:
            raise NoVerdictError("the verdict has a schema this client does not know")
        decision, mentions = data["decision"], data["mentions"]
        return cls(
            id=str(data["id"]),
            verdict=Judgement(data["verdict"]),
            confidence=_share(data["confidence"]),
            completeness=_share(data["completeness"]),
            action=str(decision["action"]),
            reason=str(decision["reason"]),
            additional_context=str(decision["additional_context"]),
            follow_ups=tuple(str(text) for text in decision["follow_ups"]),
            retry_after_seconds=float(decision.get("retry_after_seconds") or 0),
            flagged=tuple(_flagged(name) for name in mentions if counts(name)),
            verified=tuple(
                str(name["text"]) for name in mentions if name["status"] == VERIFIED
            ),
            gaps=tuple(str(gap) for gap in data["gaps"]),
            warnings=tuple(
                (str(warning["code"]), str(warning["message"]))
                for warning in data["warnings"]
            ),
            raw=data,
            # Servers of earlier versions send no advice.
            mitigation=_advice(data.get("mitigation")),
        )


def _share(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not 0 <= value <= 1:
        raise NoVerdictError("a share is outside 0..1")
    return float(value)


def _advice(data: Mapping[str, Any] | None) -> Advice | None:
    if data is None:
        return None
    return Advice(**{one.name: str(data[one.name]) for one in fields(Advice)})


def _flagged(name: Mapping[str, Any]) -> FlaggedName:
    return FlaggedName(
        text=str(name["text"]),
        kind=str(name["kind"]),
        reason=str(name["reason"]),
        suggestion=name.get("suggestion"),
    )

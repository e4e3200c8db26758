"""The `submit_verification` call: its schema, and the strict reading of a reply.

Source: requirement A2.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from verifyhub.engine.judging.replies import (
    SHARE,
    STRINGS,
    SubmissionError,
    read_object,
    read_share,
    read_strings,
    read_text,
    reply_tool,
)
from verifyhub.engine.reports import ReportWarning

LISTS = ("mentions", "verified", "unverified", "gaps", "warnings")
NUMBERS = ("confidence", "completeness")
CONTRADICTION = "CONTRADICTION:"

Field = TypeVar("Field")

TOOL = reply_tool(
    "submit_verification",
    "Report what you found about the answer.",
    {
        **dict.fromkeys(LISTS, STRINGS),
        **dict.fromkeys(NUMBERS, SHARE),
        "reasoning": {"type": "string"},
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """The verifier's reply, with numbers in 0..1."""

    mentions: tuple[str, ...]
    verified: frozenset[str]
    unverified: frozenset[str]
    gaps: tuple[str, ...]
    contradictions: tuple[str, ...]
    remarks: tuple[str, ...]
    confidence: float
    completeness: float
    reasoning: str
    clamped: tuple[ReportWarning, ...] = ()

    def without(self, controls: Collection[str]) -> "Submission":
        """Remove texts about control names: no reader needs them."""

        def kept(texts: Iterable[str]) -> tuple[str, ...]:
            return tuple(
                text
                for text in texts
                if text.strip() and not any(control in text for control in controls)
            )

        return replace(
            self,
            mentions=kept(self.mentions),
            verified=frozenset(kept(self.verified)),
            unverified=frozenset(kept(self.unverified)),
            gaps=kept(self.gaps),
            contradictions=kept(self.contradictions),
            remarks=kept(self.remarks),
            reasoning=" ".join(kept([self.reasoning])),
        )

    def as_arguments(self) -> str:
        """Write it as the call's arguments again, to be kept and read later."""
        marked = [f"{CONTRADICTION} {text}" for text in self.contradictions]
        return json.dumps(
            {
                "mentions": self.mentions,
                "verified": sorted(self.verified),
                "unverified": sorted(self.unverified),
                "gaps": self.gaps,
                "warnings": [*marked, *self.remarks],
                "confidence": self.confidence,
                "completeness": self.completeness,
                "reasoning": self.reasoning,
            }
        )


def parse_submission(arguments: str) -> Submission:
    """Read the arguments of a `submit_verification` call.

    Raises:
        SubmissionError: If they are no JSON object of exactly this shape.
    """
    data = read_object(arguments, (*LISTS, *NUMBERS, "reasoning"))
    wrong: list[SubmissionError] = []
    lists = {name: _or_wrong(read_strings, data, name, wrong) or () for name in LISTS}
    shares = {name: _or_wrong(read_share, data, name, wrong) for name in NUMBERS}
    reasoning = _or_wrong(read_text, data, "reasoning", wrong)
    (confidence, clamped), (completeness, clamped_too) = (
        share or (0.0, ()) for share in shares.values()
    )
    if wrong:
        raise SubmissionError.of(wrong)
    model_warnings = lists["warnings"]
    marked = tuple(
        text for text in model_warnings if text.upper().startswith(CONTRADICTION)
    )
    return Submission(
        mentions=lists["mentions"],
        verified=frozenset(lists["verified"]),
        unverified=frozenset(lists["unverified"]),
        gaps=lists["gaps"],
        contradictions=tuple(text[len(CONTRADICTION) :].strip() for text in marked),
        remarks=tuple(text for text in model_warnings if text not in marked),
        confidence=confidence,
        completeness=completeness,
        reasoning=reasoning or "",
        clamped=(*clamped, *clamped_too),
    )


def _or_wrong(
    read: Callable[[Mapping[str, Any], str], Field],
    data: Mapping[str, Any],
    name: str,
    wrong: list[SubmissionError],
) -> Field | None:
    """Read a field, or note what is wrong with it: a reply is refused as a whole."""
    try:
        return read(data, name)
    except SubmissionError as error:
        wrong.append(error)
        return None

"""Excerpts of the texts that a report's evidence points to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from json import dumps
from typing import Any

from django.db.models import Q
from django.utils.safestring import SafeString

from verifyhub.common.untrusted import highlighted, visible
from verifyhub.engine.reports import EarlierEvidence, MentionResult
from verifyhub.engine.value_results import ValueResult
from verifyhub.ingest.models import Interaction, ToolCall

# Lines and characters shown on either side of the name.
CONTEXT_LINES = 4
CONTEXT_CHARACTERS = 600
# Collapsed characters beyond that; a link leads to the whole text.
FOLDED_CHARACTERS = 4_000
# Enough for the last lines of a test or build output.
ENDING_CHARACTERS = 400
NOTHING = SafeString("")
# Size of a part of a long text, which has pages.
PART_CHARACTERS = 60_000


@dataclass(frozen=True, slots=True)
class EarlierAnswer:
    """An earlier answer, its relation to the current one, and its time."""

    id: str
    relation: str
    at: datetime


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """One piece of evidence, rendered.

    `start` and `end` are the range of the whole text in `html`, in code points.
    """

    call: ToolCall
    field: str
    html: SafeString
    start: int
    end: int
    length: int
    # The collapsed text around it, and the length of the rest.
    before: SafeString = NOTHING
    after: SafeString = NOTHING
    # The line of the evidence, from 1.
    line: int = 1
    # The earlier answer that the call belongs to.
    turn: EarlierAnswer | None = None

    @property
    def folded_before(self) -> int:
        """How many characters before the shown range are collapsed."""
        return min(self.start, FOLDED_CHARACTERS)

    @property
    def folded_after(self) -> int:
        """How many characters after the shown range are collapsed."""
        return min(self.length - self.end, FOLDED_CHARACTERS)


def places(
    mention: MentionResult, calls: Mapping[int, ToolCall]
) -> list[EvidencePlace]:
    """Return the evidence of a mention, without parts that the trace no longer has."""
    places = []
    for evidence in mention.evidence:
        call = calls.get(evidence.tool_call)
        text = text_at(call, evidence.field) if call else None
        if call is not None and text is not None:
            places.append(_place(call, evidence.field, text, evidence.span))
    return places


def value_places(
    value: ValueResult, calls: Mapping[int, ToolCall]
) -> list[EvidencePlace]:
    """Return the places in outputs of a value's evidence."""
    places = []
    for evidence in value.evidence:
        call = calls.get(evidence.call)
        if (
            call is not None
            and evidence.span is not None
            and evidence.field == "output"
        ):
            places.append(_place(call, evidence.field, call.output, evidence.span))
    return places


def earlier_places(
    evidence: Sequence[EarlierEvidence], interaction: Interaction
) -> list[EvidencePlace]:
    """Return evidence in the traces of earlier answers, in one query.

    Deleted traces are left out.
    """
    places = []
    calls = _earlier_calls(evidence, interaction)
    for entry in evidence:
        call = calls.get((entry.interaction, entry.tool_call))
        if call is None:
            continue
        text = text_at(call, entry.field) if entry.span else None
        shown = ending(call)
        if text is not None and entry.span:
            shown = _place(call, entry.field, text, entry.span)
        places.append(replace(shown, turn=earlier_answer(entry, interaction)))
    return places


def earlier_answer(
    evidence: EarlierEvidence, interaction: Interaction
) -> EarlierAnswer:
    """Return the earlier answer that evidence is from."""
    return EarlierAnswer(
        evidence.interaction,
        evidence.relation,
        interaction.created_at - timedelta(seconds=evidence.age_seconds),
    )


def _earlier_calls(
    evidence: Sequence[EarlierEvidence], interaction: Interaction
) -> dict[tuple[str, int | None], ToolCall]:
    conditions = Q()
    for entry in evidence:
        if entry.interaction and entry.tool_call is not None:
            conditions |= Q(interaction=entry.interaction, index=entry.tool_call)
    if not conditions:
        return {}
    rows = ToolCall.objects.filter(
        conditions, project_id=interaction.project_id
    ).exclude(interaction__outputs_removed_at__isnull=False)
    return {(str(row.interaction_id), row.index): row for row in rows}


def _place(
    call: ToolCall, field: str, text: str, span: tuple[int, int]
) -> EvidencePlace:
    start, end = _lines_around(text, span)
    return EvidencePlace(
        call,
        field,
        highlighted(text[start:end], [(span[0] - start, span[1] - start)]),
        start,
        end,
        len(text),
        before=visible(text[max(0, start - FOLDED_CHARACTERS) : start]),
        after=visible(text[end : end + FOLDED_CHARACTERS]),
        line=text.count("\n", 0, span[0]) + 1,
    )


def _lines_around(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the range of some lines around a span; long lines are truncated."""
    least, most = max(0, span[0] - CONTEXT_CHARACTERS), span[1] + CONTEXT_CHARACTERS
    start = span[0]
    for _line in range(CONTEXT_LINES + 1):
        start = text.rfind("\n", least, start)
        if start < 0:
            start = least
            break
    else:
        start += 1
    end = span[1]
    for _line in range(CONTEXT_LINES + 1):
        end = text.find("\n", end, most) + 1
        if not end:
            return start, min(len(text), most)
    return start, end - 1


def ending(call: ToolCall) -> EvidencePlace:
    """Return the end of a tool's output, where tests and builds print the result."""
    start = max(0, len(call.output) - ENDING_CHARACTERS)
    html = highlighted(call.output[start:], [])
    length = len(call.output)
    return EvidencePlace(call, "output", html, start, length, length)


def part(
    text: str, start: int, spans: list[tuple[int, int]], *, first_id: str = ""
) -> SafeString:
    """Render one part of a long text from `start`, with marked spans."""
    end = start + PART_CHARACTERS
    return highlighted(
        text[start:end],
        [(first - start, last - start) for first, last in spans if last > start],
        first_id=first_id,
    )


def text_at(call: ToolCall, field: str) -> str | None:
    """Return the text of a call for the `field` of a report's evidence.

    Args:
        call: The complete tool call.
        field: `output`, `input`, or `input.` with keys and list indexes joined by
            dots.

    Returns:
        The string; None if there is none.
    """
    if field == "output":
        return call.output
    if field == "input":
        return dumps(call.input, ensure_ascii=False, indent=1)
    value = _follow(call.input, field.removeprefix("input."))
    return value if isinstance(value, str) or value is None else dumps(value)


def _follow(value: Any, path: str) -> Any:
    """Follow a dotted path; keys that contain dots are tried longest first."""
    if not path:
        return value
    if isinstance(value, list):
        head, _, rest = path.partition(".")
        inside = head.isdecimal() and int(head) < len(value)
        return _follow(value[int(head)], rest) if inside else None
    if isinstance(value, dict):
        keys = [key for key in value if path == key or path.startswith(f"{key}.")]
        for key in sorted(keys, key=len, reverse=True):
            return _follow(value[key], path[len(key) + 1 :])
    return None

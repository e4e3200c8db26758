"""A verdict as text in a terminal."""

import unicodedata
from collections.abc import Iterator

from verifyhub.engine.claim_results import (
    ClaimEvidence,
    ClaimResult,
    FactStatus,
    JudgedBy,
)
from verifyhub.engine.reports import Action, MentionResult, Verdict
from verifyhub.engine.value_results import ValueResult
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.ingest.formats.base import Transcript

COLOURS = {Verdict.ACCEPT: "32", Verdict.UNCERTAIN: "33", Verdict.REJECT: "31"}
# Contradicted claims have "!".
FACT_MARKS = {FactStatus.VERIFIED: "✓", FactStatus.UNKNOWN: "?"}
MAX_SHOWN = 200
# Controls, formats such as bidi overrides, surrogates, private use, line separators.
HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def visible(text: str, most: int = MAX_SHOWN) -> str:
    """Return an agent's text without control sequences for a terminal.

    Args:
        text: Hostile text.
        most: Maximum characters; an ellipsis replaces the rest.
    """
    cut = text if len(text) <= most else f"{text[:most]}…"
    return "".join(
        f"\\u{{{ord(char):x}}}" if unicodedata.category(char) in HIDDEN else char
        for char in cut
    )


def understood_as_text(transcript: Transcript, *, details: bool) -> str:
    """Describe a parsed transcript: in a line, or with all unmapped content.

    Args:
        transcript: The transcript.
        details: Whether to list each kind of unmapped entry.
    """
    left_out = sum(note.count for note in transcript.notes)
    line = (
        f"read as {transcript.format}: {transcript.turns} turns,"
        f" {len(transcript.interactions)} answers, {transcript.calls} calls with"
        f" {transcript.outputs} outputs, {left_out} entries not mapped"
    )
    if not details:
        return line
    notes = [
        f"  {note.count} × {visible(note.kind)}, first at {visible(note.first)}"
        for note in transcript.notes
    ]
    return "\n".join([line, *notes])


def as_text(report: VerificationReport, place: str, *, colour: bool) -> str:
    """Return the verdict in a few lines: problems first, then the next step."""
    head = report.verdict.upper()
    if colour:
        head = f"\x1b[1;{COLOURS[report.verdict]}m{head}\x1b[0m"
    lines = [f"{head}  {visible(report.id or place)}  {_measures(report)}"]
    lines += [f"  {line}" for line in _findings(report)]
    decision = report.decision
    if decision.action is not Action.ACCEPT:
        lines.append(f"  → {decision.action}: {visible(decision.reason)}")
    if report.explanation:
        # Its quotes are already safe for a terminal, and are not truncated.
        lines.append(f"  {report.explanation}")
    return "\n".join(lines)


def _measures(report: VerificationReport) -> str:
    names = report.counted_mentions
    values = [value for value in report.compared_values if value.is_settled]
    missing, flagged = len(report.flagged_mentions), len(report.flagged_values)
    parts = []
    if names:
        parts.append(f"{len(names) - missing} of {len(names)} names supported")
    if values:
        parts.append(f"{len(values) - flagged} of {len(values)} values supported")
    if report.confidence is not None:
        parts.append(f"confidence {report.confidence:.2f}")
    parts.append(f"coverage {report.coverage:.2f}")
    return ", ".join(parts)


def _findings(report: VerificationReport) -> Iterator[str]:
    for mention in report.mentions:
        if not mention.is_verified:
            yield _mention(mention)
    for value in report.flagged_values:
        yield _value(value)
    for claim in report.flagged_claims:
        about = ", ".join(f"“{visible(part)}”" for part in claim.parts)
        about = f" ({about})" if about else ""
        yield f"! “{visible(claim.text)}”: {claim.status}{about}"
    # Contradicted claims first, then open ones.
    for fact in sorted(report.facts, key=lambda fact: "!?✓".index(_mark(fact))):
        yield from _fact(fact)


def _mark(fact: ClaimResult) -> str:
    return FACT_MARKS.get(fact.status, "!")


def _fact(fact: ClaimResult) -> Iterator[str]:
    """Yield a claim of fact: its status, its judge, and the decisive words."""
    why = fact.reason.replace("_", " ")
    by = fact.judged_by.replace("_", " ")
    judged = why if fact.judged_by is JudgedBy.NOBODY else f"{why}, by {by}"
    yield f"{_mark(fact)} “{visible(fact.text)}”: {fact.status} ({judged})"
    if fact.evidence:
        yield f"    {_place(fact.evidence)}"
    for passage in fact.contradicting:
        yield f"    contradicted by: {_place(passage)}"
    for signal in fact.signals:
        claimed, evident = (visible(signal[side], 80) for side in ("claim", "evidence"))
        yield f"    {signal['kind']}: claim “{claimed}”, evidence “{evident}”"


def _place(evidence: ClaimEvidence) -> str:
    named = evidence.title or f"{evidence.origin} {evidence.ref}"
    start, end = evidence.span
    nuance = f" ({evidence.nuance.replace('_', ' ')})" if evidence.nuance else ""
    words = visible(evidence.deciding)
    return f"{visible(named)}, characters {start} to {end}{nuance}: “{words}”"


def _mention(mention: MentionResult) -> str:
    start = mention.spans[0][0] if mention.spans else 0
    reason = mention.reason.replace("_", " ")
    line = f"✗ {visible(mention.text)} ({mention.kind} at {start}): {reason}"
    if mention.suggestion:
        line += f"; did you mean {visible(mention.suggestion)}?"
    return line


def _value(value: ValueResult) -> str:
    start = value.spans[0][0] if value.spans else 0
    line = f"✗ {visible(value.text)} ({value.kind} at {start}): {value.status}"
    return f"{line}, {visible(value.note)}" if value.note else line

"""The exact text to add to an agent's next prompt.

Names, claims and gaps are JSON strings, since they are untrusted text that must not
continue as an instruction. Right names come first: listing only wrong names makes a
model repeat them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from verifyhub.engine.claim_results import ClaimResult
from verifyhub.engine.decisions.check_lines import (
    MAX_NAMED,
    check_lines,
    contrasted,
    doubt_lines,
    goal_lines,
    quoted,
    sureness_lines,
)
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    MentionResult,
)
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.value_results import ValueNote, ValueResult

# Names from tool outputs that are listed if a wrong name has no similar one.
MAX_SHOWN = 10
# A tenth of a small model's context; lines beyond it are counted.
MAX_CHARACTERS = 8_000
_OPPOSED = (
    "A verifier says that the answer contradicts the tool results or itself;"
    " settle each point with a tool call, or correct the answer:"
)
_SHORT = (
    "A verifier calls the answer {share:.0%} complete and names no part that is"
    " missing. Go through the task point by point, and answer each."
)
# Why a name has no evidence, if there is a more specific reason.
_WHY_WRONG = {
    "case_differs": "the tools write it in other capitals",
    "wrong_directory": "the tools show it in another folder",
    "wrong_extension": "the tools show it with another extension",
    "look_alike": "it is spelt with characters that look like others",
    "error_only": "a tool said that it does not exist",
    "input_only": "only you wrote it, into the input of a call",
    "self_written": "it stands only in a file that you wrote yourself",
    "grade_too_low": "the evidence for it is not enough for this project",
}
# The same for a value.
_WHY_WRONG_VALUE = {
    ValueNote.FAILED_CALL: "the call that names it failed",
    ValueNote.OTHER_RECORD: "the tools show it of something else",
    ValueNote.OTHER_FIELD: "the tools show it in another field",
    ValueNote.REPLACED: "a later call changed it",
    ValueNote.OTHER_CURRENCY: "the tools name another currency",
    ValueNote.OTHER_COUNT: "the tools show another number of them",
    ValueNote.OTHER_WEEKDAY: "the date is another day of the week",
}


def next_prompt(
    findings: Findings, thresholds: Thresholds, *, doubts: bool = False
) -> str:
    """Return the text for an agent's next attempt; may be empty.

    Args:
        doubts: Whether to include open checks.
    """
    repeated = {(mention.kind, mention.key) for mention in findings.repeated}
    new = [m for m in findings.wrong if (m.kind, m.key) not in repeated]
    goal = findings.goal_missed or findings.goal_unclear
    share = findings.completeness
    short = share is not None and share < thresholds.follow_up_below_completeness
    line = (
        thresholds.uncertain_below_confidence
        if doubts
        else thresholds.reformulate_below_confidence
    )
    return _bounded(
        [
            *_level_lines(findings.failed_level),
            *_repeated_lines(findings.repeated),
            *_name_lines(new, findings.shown),
            *_claim_lines(findings.claims),
            *_value_lines(findings.wrong_values),
            *_listed(_OPPOSED, findings.contradictions),
            *_fact_lines(findings.false_facts, findings.facts_contradicted),
            *check_lines(findings),
            *sureness_lines(findings, line),
            *_listed("Cover what is still missing:", findings.gaps),
            *((_SHORT.format(share=share),) if short and not findings.gaps else ()),
            *(doubt_lines(findings) if doubts else ()),
            *(goal_lines(goal) if goal else ()),
        ]
    )


def _bounded(lines: Sequence[str]) -> str:
    """Join lines as long as they fit, and append the number of others."""
    kept: list[str] = []
    room = MAX_CHARACTERS
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            kept.append(f"({len(lines) - len(kept)} more lines are left out.)")
            break
        kept.append(line)
    return "\n".join(kept)


def _level_lines(failed: CheckResult | None) -> list[str]:
    if failed is None:
        return []
    lines = ["These parts of your account failed a check; correct them:"]
    errors: Sequence[Mapping[str, Any]] = failed.details["errors"][:MAX_NAMED]
    for error in errors:
        about = f" ({quoted(error['file'])})" if error.get("file") else ""
        category = error["category"]
        lines.append(f"- {error['path']}{about}: {category}. {error['message']}")
    return lines


def _repeated_lines(repeated: Sequence[MentionResult]) -> list[str]:
    """Constrain names that were invented again."""
    if not repeated:
        return []
    lines = [
        "Never write these names: an earlier attempt used them too, and no tool"
        " returned them. Look for what exists, and name only that:"
    ]
    for mention in repeated[:MAX_NAMED]:
        instead = mention.suggestion
        use = f" (the tools returned {quoted(instead)})" if instead else ""
        lines.append(f"- {quoted(mention.text)}{use}")
    return lines


def _name_lines(wrong: Sequence[MentionResult], real_names: Sequence[str]) -> list[str]:
    use = [m for m in wrong if m.suggestion is not None][:MAX_NAMED]
    rest = [m for m in wrong if m.suggestion is None]
    lines = ["Use these names, which the tools returned:"] if use else []
    lines += [f"- {quoted(m.suggestion)} (not {quoted(m.text)})" for m in use]
    if not rest:
        return lines
    if real_names:
        real = ", ".join(quoted(name) for name in real_names[:MAX_SHOWN])
        lines.append(f"The tools showed, among others: {real}.")
    lines.append(
        "Confirm these names with a tool call, or leave them out;"
        " no tool returned them:"
    )
    for mention in rest[:MAX_NAMED]:
        why = _WHY_WRONG.get(mention.reason)
        lines.append(f"- {quoted(mention.text)}" + (f": {why}" if why else ""))
    return lines


def _claim_lines(claims: Sequence[CompletionClaim]) -> list[str]:
    lines = [_claim_line(claim) for claim in claims if claim.is_flagged][:MAX_NAMED]
    if lines:
        lines.insert(0, "Do this work or correct what you said of it:")
    return lines


def _claim_line(claim: CompletionClaim) -> str:
    whole = claim.text.rstrip(" .!")
    about = ", ".join(quoted(part) for part in claim.parts if part != whole)
    about = f": {about}" if about else ""
    if claim.status is ClaimStatus.UNATTEMPTED:
        return f"- {quoted(claim.text)}: no tool call did this{about}"
    # Numbered from 1.
    call = f" (call {claim.evidence[0] + 1} of the run)" if claim.evidence else ""
    return f"- {quoted(claim.text)}: the tool calls show otherwise{call}{about}"


def _value_lines(wrong: Sequence[ValueResult]) -> Iterator[str]:
    if wrong:
        yield (
            "These values are not what the tools returned; look each up, and correct"
            " it or leave it out:"
        )
    for value in wrong[:MAX_NAMED]:
        why = _WHY_WRONG_VALUE.get(value.reason, "no tool returned it")
        if value.note and value.reason is ValueNote.NOT_FOUND:
            why = f"{why}; the nearest that one returned is {quoted(value.note)}"
        elif value.note:
            why = f"{why} ({quoted(value.note)})"
        yield f"- {quoted(value.text)}: {why}"


def _fact_lines(false: Sequence[ClaimResult], contradicted: bool) -> Iterator[str]:
    if contradicted and not false:
        yield (
            "The evidence contradicts a statement of the answer. Compare each with what"
            " your tools returned, and correct it."
        )
    if false:
        yield "The evidence contradicts these statements; correct them:"
    yield from contrasted(false)


def _listed(head: str, texts: Sequence[str]) -> list[str]:
    lines = [f"- {quoted(text)}" for text in texts[:MAX_NAMED]]
    return [head, *lines] if lines else []

"""The exact text to add to an agent's next prompt.

Names, claims and gaps stand in it as JSON strings: they are other people's text, and a
string cannot end itself and go on as an instruction. What is known to be right is said
first: telling a model only what not to say makes it say it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub.engine.claim_results import ClaimResult
from verifyhub.engine.reports import (
    CheckResult,
    ClaimStatus,
    CompletionClaim,
    MentionResult,
)

MAX_NAMED = 30
MAX_NAME_CHARACTERS = 200
# A tenth of a small model's window; what does not fit is counted.
MAX_CHARACTERS = 8_000


def next_prompt(
    wrong: Sequence[MentionResult],
    claims: Sequence[CompletionClaim],
    gaps: Sequence[str],
    *,
    repeated: Sequence[MentionResult] = (),
    failed_level: CheckResult | None = None,
    false_facts: Sequence[ClaimResult] = (),
) -> str:
    """Write what an agent has to know for its next try; empty if there is nothing.

    Args:
        wrong: Names without evidence.
        claims: Claims of work done.
        gaps: What the answer leaves open.
        repeated: Those of `wrong` that an earlier attempt invented as well.
        failed_level: The level (requirements B1 to B3) that failed, if one did.
        false_facts: Claims of fact that the evidence contradicts.
    """
    again = {(mention.kind, mention.key) for mention in repeated}
    new = [m for m in wrong if (m.kind, m.key) not in again]
    return _bounded(
        [
            *_level_lines(failed_level),
            *_repeated_lines(repeated),
            *_name_lines(new),
            *_claim_lines(claims),
            *_fact_lines(false_facts),
            *_listed("Cover what is still missing:", gaps),
        ]
    )


def _bounded(lines: Sequence[str]) -> str:
    """Join whole lines as long as they fit, and say how many did not."""
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
    """Constrain: to be told once was not enough."""
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


def _name_lines(wrong: Sequence[MentionResult]) -> list[str]:
    use = [m for m in wrong if m.suggestion is not None][:MAX_NAMED]
    lines = ["Use these names, which the tools returned:"] if use else []
    lines += [f"- {quoted(m.suggestion)} (not {quoted(m.text)})" for m in use]
    return lines + _listed(
        "Confirm these names with a tool call, or leave them out;"
        " no tool returned them:",
        [m.text for m in wrong if m.suggestion is None],
    )


def _claim_lines(claims: Sequence[CompletionClaim]) -> list[str]:
    said = {
        ClaimStatus.CONTRADICTED: "the tool calls show otherwise",
        ClaimStatus.UNATTEMPTED: "no tool call did this",
    }
    lines = [
        f"- {quoted(claim.text)}: {said[claim.status]}"
        for claim in claims
        if claim.status in said
    ][:MAX_NAMED]
    if lines:
        lines.insert(0, "Do this work or correct what you said of it:")
    return lines


def _fact_lines(false: Sequence[ClaimResult]) -> list[str]:
    lines = (
        ["The evidence contradicts these statements; correct them:"] if false else []
    )
    for fact in false[:MAX_NAMED]:
        place = fact.evidence
        says = place.deciding or place.text if place else ""
        shown = f": the evidence says {quoted(says)}" if says else ""
        lines.append(f"- {quoted(fact.text)}{shown}")
    return lines


def _listed(head: str, texts: Sequence[str]) -> list[str]:
    lines = [f"- {quoted(text)}" for text in texts[:MAX_NAMED]]
    return [head, *lines] if lines else []


def quoted(text: str | None) -> str:
    """Return a text as a JSON string of ASCII, cut at 200 characters."""
    return json.dumps((text or "")[:MAX_NAME_CHARACTERS], ensure_ascii=True)

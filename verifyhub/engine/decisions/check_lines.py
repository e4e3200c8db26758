"""Advice to the agent about failed and open checks, as lines of its next prompt."""

import json
from collections.abc import Iterator, Sequence

from verifyhub.engine.claim_results import ClaimResult
from verifyhub.engine.claims.check import NAME as CLAIMS
from verifyhub.engine.cross_tier.consult import SECOND_NAME
from verifyhub.engine.cross_tier.verifier import NAME as CROSS_TIER
from verifyhub.engine.decisions.findings import Findings
from verifyhub.engine.decisions.reason_words import CHECK_REASONS
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.reports import CheckResult, ClaimStatus, GoalResult

MAX_NAMED = 30
MAX_NAME_CHARACTERS = 200
_LONGEST_TEXT = 500
LAYERS = {
    LayerName.SEMANTIC_ENTROPY: "State what your material shows; asked several times,"
    " you gave answers of different meaning.",
    LayerName.FACT_DECOMPOSITION: "Keep the facts that your sources show, and name the"
    " source of each.",
    LayerName.MULTI_SOURCE: "Build on what at least two of the sources say alike.",
    LayerName.SELF_CONSISTENCY: "Work from your material step by step; asked in other"
    " words, you answered otherwise.",
    LayerName.NLI: "Write what follows from the given context.",
}
_VERIFIERS = frozenset({CROSS_TIER, SECOND_NAME})


def quoted(text: str | None, most: int = MAX_NAME_CHARACTERS) -> str:
    """Return a text as a JSON string of ASCII, cut at 200 characters."""
    return json.dumps((text or "")[:most], ensure_ascii=True)


def check_lines(findings: Findings) -> list[str]:
    """Describe the failed checks that are not about names or claims."""
    lines: list[str] = []
    for check in findings.failed_checks:
        lines += _of_check(check, findings)
    if findings.below_floor and not any(
        check.name in set(LayerName) for check in findings.failed_checks
    ):
        lines.append(
            "The checks of meaning together do not bear the answer out. State only"
            " what your tools returned, and say where each statement comes from."
        )
    if findings.below_line:
        lines.append(
            "The answer scores below this project's blocking threshold. State only"
            " what your tools returned, and leave out what they did not."
        )
    return lines


def _of_check(check: CheckResult, findings: Findings) -> Iterator[str]:
    why = CHECK_REASONS.get(check.reason, check.reason.replace("_", " "))
    reason = f": {why}" if why else ""
    if check.name == CLAIMS:
        yield from doubted_lines(findings)
        return
    yield f"The check {quoted(check.name)} failed{reason}."
    if check.name in set(LayerName):
        yield LAYERS[LayerName(check.name)]
    names = check.details.get("doubted") if check.name in _VERIFIERS else None
    if names:
        yield (
            "A verifier does not accept these names as the answer uses them. Show each"
            " with a tool call, or correct what you say of it:"
        )
        yield from (f"- {quoted(name)}" for name in names[:MAX_NAMED])


def doubted_lines(findings: Findings) -> Iterator[str]:
    """List the statements that differ from the evidence, with the evidence."""
    doubted = findings.doubted_facts
    if not doubted:
        yield (
            "A statement of the answer differs from the evidence. Compare each with"
            " what your tools returned, and correct it."
        )
        return
    yield "The evidence differs from these statements; correct or confirm them:"
    yield from contrasted(doubted)


def contrasted(facts: Sequence[ClaimResult]) -> Iterator[str]:
    """List claims of fact, each beside what the evidence says."""
    for fact in facts[:MAX_NAMED]:
        place = fact.evidence
        says = place.deciding or place.text if place else ""
        contrast = f": the evidence says {quoted(says)}" if says else ""
        yield f"- {quoted(fact.text)}{contrast}"


def doubt_lines(findings: Findings) -> Iterator[str]:
    """List open checks, each with what would settle it."""
    if findings.facts_doubted:
        yield from doubted_lines(findings)
    unchecked = [
        claim for claim in findings.claims if claim.status is ClaimStatus.UNCHECKED
    ]
    if unchecked:
        yield (
            "The tool calls cannot settle these claims, because output was cut or an"
            " exit status hidden. Do the step again with its whole result visible:"
        )
        yield from (f"- {quoted(claim.text)}" for claim in unchecked[:MAX_NAMED])
    if findings.level_open:
        yield (
            "Your account of the work could not be settled whole. Name only files and"
            " commands that your tool calls show."
        )
    if findings.disagreed:
        yield (
            "Two verifiers judge the answer differently. Say for each statement which"
            " tool call shows it."
        )


def sureness_lines(findings: Findings, line: float) -> Iterator[str]:
    """Explain a low confidence that no names without evidence explain."""
    confidence = findings.confidence
    if confidence is not None and confidence < line and not findings.wrong:
        yield (
            f"The answer is trusted to {confidence:.0%} only. Keep to what the tool"
            " calls show, and say what you could not confirm."
        )


def goal_lines(goal: GoalResult) -> Iterator[str]:
    """List the missing parts of a goal, without claims that the ledger denied."""
    if goal.source == "ledger":
        yield "The goal was not reached: work that was reported is not shown."
        return
    unclear = goal.achieved is None
    if unclear:
        yield "Whether the goal was reached is unclear. Its verifier found:"
    elif goal.issues or goal.suggestions:
        yield "The goal was not reached. Its verifier found:"
    else:
        yield (
            "The goal was not reached, and its verifier names no part of it. Go through"
            f" it point by point: {quoted(goal.goal, _LONGEST_TEXT)}"
        )
    yield from (f"- {quoted(text, _LONGEST_TEXT)}" for text in goal.issues[:MAX_NAMED])
    if goal.suggestions:
        yield "It suggests:"
        yield from (
            f"- {quoted(text, _LONGEST_TEXT)}" for text in goal.suggestions[:MAX_NAMED]
        )

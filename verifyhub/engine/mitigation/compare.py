"""Whether a text may be offered instead of another: by both verdict objects.

A rewrite is an answer of a model like any other. It is offered only if its verdict is
no worse, what was wrong is gone and was looked at again, nothing new is wrong, and
enough of what was right is still said: a text without content has no faults either.
"""

from collections.abc import Iterable
from enum import StrEnum

from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.reports import MentionResult, Outcome, Verdict
from verifyhub.engine.verdicts import VerificationReport

# Best first.
_ORDER = (Verdict.ACCEPT, Verdict.UNCERTAIN, Verdict.REJECT)
# Of names and statements with evidence, and of the length where there were none.
LEAST_KEPT = 0.5
LEAST_LENGTH = 0.2


class Objection(StrEnum):
    """Why a rewrite is not offered; `OBJECTION_WORDS` says it in words."""

    UNCHANGED = "unchanged"
    VERDICT_WORSE = "verdict_worse"
    NAMES_REMAIN = "names_remain"
    NEW_NAMES = "new_names"
    STATEMENT_CONTRADICTED = "statement_contradicted"
    NEW_UNSUPPORTED = "new_unsupported"
    WORK_REMAINS = "work_remains"
    LAYER_FAILED = "layer_failed"
    LAYER_NOT_RUN = "layer_not_run"
    TOO_LITTLE_LEFT = "too_little_left"


OBJECTION_WORDS = {
    Objection.UNCHANGED: "unchanged text",
    Objection.VERDICT_WORSE: "its verdict is worse",
    Objection.NAMES_REMAIN: "it still contains unsupported names",
    Objection.NEW_NAMES: "it names something new that has no evidence",
    Objection.STATEMENT_CONTRADICTED: "the evidence contradicts a statement in it",
    Objection.NEW_UNSUPPORTED: "it states more without evidence than before",
    Objection.WORK_REMAINS: "it reports work that the run does not show",
    Objection.LAYER_FAILED: "a layer that failed fails again",
    Objection.LAYER_NOT_RUN: "a layer that failed could not look at it again",
    Objection.TOO_LITTLE_LEFT: "too little of the correct content is left",
}


def objections(
    before: VerificationReport, after: VerificationReport, *, texts: tuple[str, str]
) -> tuple[Objection, ...]:
    """Return the objections to offering a rewrite; none if it may be offered.

    Args:
        before: The verdict object of the text as it was.
        after: Of the rewrite, by the same checks over the same run.
        texts: The text as it was, and the rewrite.
    """
    names = _keys(after.flagged_mentions)
    names_before = _keys(before.flagged_mentions)
    failed, failed_before = (
        _layers(report, Outcome.FAILED) for report in (after, before)
    )
    judged = {
        Objection.UNCHANGED: _squeezed(texts[0]) == _squeezed(texts[1]),
        Objection.VERDICT_WORSE: _ORDER.index(after.verdict)
        > _ORDER.index(before.verdict),
        Objection.NAMES_REMAIN: bool(names_before & names),
        Objection.NEW_NAMES: bool(names - names_before),
        Objection.STATEMENT_CONTRADICTED: any(
            claim.is_denied or claim.is_doubted for claim in after.claims
        ),
        Objection.NEW_UNSUPPORTED: _open_facts(after) > _open_facts(before),
        Objection.WORK_REMAINS: bool(after.flagged_claims),
        Objection.LAYER_FAILED: bool(failed_before & failed),
        Objection.LAYER_NOT_RUN: bool(
            failed_before - failed - _layers(after, Outcome.PASSED)
        ),
        Objection.TOO_LITTLE_LEFT: _is_too_little(before, after, texts),
    }
    return tuple(objection for objection, holds in judged.items() if holds)


def _layers(report: VerificationReport, outcome: Outcome) -> frozenset[str]:
    layers = report.detection.layers if report.detection else ()
    return frozenset(layer.layer for layer in layers if layer.outcome is outcome)


def _keys(mentions: Iterable[MentionResult]) -> frozenset[tuple[str, str]]:
    return frozenset((mention.kind, mention.key) for mention in mentions)


def _open_facts(report: VerificationReport) -> int:
    """Count statements of fact that the evidence does not bear out."""
    return sum(fact.status is not FactStatus.VERIFIED for fact in report.facts)


def _shown(report: VerificationReport) -> int:
    """Count names and statements that have evidence."""
    names = [mention for mention in report.counted_mentions if mention.is_verified]
    verified = sum(claim.status is FactStatus.VERIFIED for claim in report.claims)
    return len(_keys(names)) + verified


def _is_too_little(
    before: VerificationReport, after: VerificationReport, texts: tuple[str, str]
) -> bool:
    if count := _shown(before):
        return _shown(after) < count * LEAST_KEPT
    old, new = (len(_squeezed(text)) for text in texts)
    return new < old * LEAST_LENGTH


def _squeezed(text: str) -> str:
    return " ".join(text.split())

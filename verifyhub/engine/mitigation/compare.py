"""Whether a text may be offered in the place of another: by both verdict objects.

A rewrite is an answer of a model like any other. It is offered only if its verdict is
no worse, what was wrong is gone and was looked at again, nothing new is wrong, and
enough of what was right is still said: a text without content has no faults either.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.mitigation.faults import JUDGES
from verifyhub.engine.reports import NOT_COUNTED, ClaimStatus, Outcome, Status, Verdict

# Best first.
_ORDER = (Verdict.ACCEPT, Verdict.UNCERTAIN, Verdict.REJECT)
# Of names and statements with evidence, and of the length where there were none.
LEAST_KEPT = 0.5
LEAST_LENGTH = 0.2
_WRONG_WORK = frozenset({ClaimStatus.CONTRADICTED, ClaimStatus.UNATTEMPTED})


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
    Objection.UNCHANGED: "it says the same",
    Objection.VERDICT_WORSE: "its verdict is worse",
    Objection.NAMES_REMAIN: "names without evidence are still in it",
    Objection.NEW_NAMES: "it names something new that has no evidence",
    Objection.STATEMENT_CONTRADICTED: "the evidence contradicts a statement in it",
    Objection.NEW_UNSUPPORTED: "it states more without evidence than before",
    Objection.WORK_REMAINS: "it reports work that the run does not show",
    Objection.LAYER_FAILED: "a layer that failed fails again",
    Objection.LAYER_NOT_RUN: "a layer that failed could not look at it again",
    Objection.TOO_LITTLE_LEFT: "too little of what was right is still said",
}


def objections(
    before: Mapping[str, Any], after: Mapping[str, Any], *, texts: tuple[str, str]
) -> tuple[Objection, ...]:
    """Return what speaks against offering a rewrite; nothing if it may be.

    Args:
        before: The verdict object of the text as it was.
        after: Of the rewrite, by the same checks over the same run.
        texts: The text as it was, and the rewrite.
    """
    judged = {
        Objection.UNCHANGED: _squeezed(texts[0]) == _squeezed(texts[1]),
        Objection.VERDICT_WORSE: _rank(after) > _rank(before),
        Objection.NAMES_REMAIN: bool(_flagged(before) & _flagged(after)),
        Objection.NEW_NAMES: bool(_flagged(after) - _flagged(before)),
        Objection.STATEMENT_CONTRADICTED: bool(contradicted(after)),
        Objection.NEW_UNSUPPORTED: _open_claims(after) > _open_claims(before),
        Objection.WORK_REMAINS: bool(_wrong_work(after)),
        Objection.LAYER_FAILED: bool(failed_layers(before) & failed_layers(after)),
        Objection.LAYER_NOT_RUN: bool(
            failed_layers(before) - failed_layers(after) - _passed_layers(after)
        ),
        Objection.TOO_LITTLE_LEFT: _is_too_little(before, after, texts),
    }
    return tuple(objection for objection, holds in judged.items() if holds)


def has_faults(report: Mapping[str, Any]) -> bool:
    """Whether there is anything in an answer that a rewrite could put right."""
    return bool(
        report.get("mitigation")
        or _flagged(report)
        or _wrong_work(report)
        or contradicted(report)
    )


def contradicted(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the claims that a judge found contradicted."""
    return [
        one
        for one in report.get("claims", ())
        if one["status"] == FactStatus.CONTRADICTED and one["judged_by"] in JUDGES
    ]


def failed_layers(report: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the layers that failed."""
    return _layers(report, Outcome.FAILED)


def _passed_layers(report: Mapping[str, Any]) -> frozenset[str]:
    return _layers(report, Outcome.PASSED)


def _layers(report: Mapping[str, Any], outcome: Outcome) -> frozenset[str]:
    detection = report.get("detection") or {}
    return frozenset(
        one["layer"] for one in detection.get("layers", ()) if one["outcome"] == outcome
    )


def _rank(report: Mapping[str, Any]) -> int:
    return _ORDER.index(Verdict(report["verdict"]))


def _names(report: Mapping[str, Any], status: Status) -> frozenset[tuple[str, str]]:
    return frozenset(
        (one["kind"], one["key"])
        for one in report["mentions"]
        if one["status"] == status and one["reason"] not in NOT_COUNTED
    )


def _flagged(report: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    return _names(report, Status.UNVERIFIED)


def _wrong_work(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [one for one in report["completion_claims"] if one["status"] in _WRONG_WORK]


def _open_claims(report: Mapping[str, Any]) -> int:
    """Count statements of fact that the evidence does not bear out."""
    return sum(
        1
        for one in report.get("claims", ())
        if one["kind"] == "factual" and one["status"] != FactStatus.VERIFIED
    )


def _shown(report: Mapping[str, Any]) -> int:
    """Count names and statements that have evidence."""
    claims: Sequence[Mapping[str, Any]] = report.get("claims", ())
    verified = [one for one in claims if one["status"] == FactStatus.VERIFIED]
    return len(_names(report, Status.VERIFIED)) + len(verified)


def _is_too_little(
    before: Mapping[str, Any], after: Mapping[str, Any], texts: tuple[str, str]
) -> bool:
    if shown := _shown(before):
        return _shown(after) < shown * LEAST_KEPT
    old, new = (len(_squeezed(text)) for text in texts)
    return new < old * LEAST_LENGTH


def _squeezed(text: str) -> str:
    return " ".join(text.split())

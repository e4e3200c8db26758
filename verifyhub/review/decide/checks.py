"""Validation of a decision before anything is written."""

from dataclasses import replace
from itertools import chain
from typing import Any

from django.utils.translation import gettext_lazy as _

from verifyhub.accounts.models import ApiKey
from verifyhub.engine.types import MentionKind
from verifyhub.review.decisions import (
    CLAIM,
    CLAIM_WORDS,
    MAX_CORRECTION_LENGTH,
    MAX_MISSED_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_PARTS,
    MAX_REASON_LENGTH,
    Decision,
    Missed,
    Reviewer,
)
from verifyhub.review.errors import (
    DecisionInvalidError,
    OwnAnswerError,
    ReasonMissingError,
    UnchangedError,
)
from verifyhub.review.models import ReasonCode, ReviewItem
from verifyhub.verification.models import FactWord, MentionStatus, Verdict


def acted_by(reviewer: Reviewer) -> dict[str, Any]:
    """Return the reviewer as fields of an act or an override."""
    if isinstance(reviewer, ApiKey):
        return {"api_key": reviewer}
    return {"reviewer": reviewer}


def check_decision(
    item: ReviewItem, decision: Decision, reviewer: Reviewer
) -> Decision:
    """Return the decision with trimmed texts, and missed names and claims located.

    Raises:
        OwnAnswerError: If a key judges an answer that it sent.
        DecisionInvalidError: If a part is invalid; the message begins with its field.
    """
    if isinstance(reviewer, ApiKey) and item.interaction.api_key_id == reviewer.id:
        raise OwnAnswerError(_("a key may not judge an answer that it sent itself"))
    if decision.says_nothing:
        raise DecisionInvalidError(_("enter a text"), field="decision")
    if decision.agree and decision.verdict:
        raise DecisionInvalidError(
            _("agree, or give another one; not both"), field="verdict"
        )
    decision = replace(
        decision,
        reason=_reason(decision),
        note=_bounded("note", decision.note.strip(), MAX_NOTE_LENGTH),
        missed=tuple(_located(item, missed) for missed in decision.missed),
    )
    if decision.verdict and decision.verdict not in Verdict.values:
        raise DecisionInvalidError(_("there is no such verdict"), field="verdict")
    if decision.verdict == item.verification.verdict:
        raise UnchangedError(
            _("this is already VerifyHub's verdict; agree instead"), field="verdict"
        )
    _check_parts(decision)
    _check_correction(item, decision)
    _check_codes(item, decision)
    return decision


def _reason(decision: Decision) -> str:
    reason = decision.reason.strip()
    if decision.contradicts and not reason and not decision.reason_codes:
        raise ReasonMissingError(_("give a reason"), field="reason")
    if len(reason) > MAX_REASON_LENGTH:
        raise ReasonMissingError(
            _("at most %(n)s characters"), field="reason", n=MAX_REASON_LENGTH
        )
    return reason


def _check_parts(decision: Decision) -> None:
    flips: tuple[tuple[Any, ...], ...] = (
        decision.mentions,
        decision.claims,
        decision.facts,
        decision.values,
    )
    if len([*chain(*flips), *decision.missed]) > MAX_PARTS:
        raise DecisionInvalidError(
            _("at most %(n)s names and claims"), field="decision", n=MAX_PARTS
        )
    if any(len({flip.index for flip in kind}) < len(kind) for kind in flips):
        raise DecisionInvalidError(
            _("give each name and claim only once"), field="index"
        )
    allowed = (MentionStatus.values, CLAIM_WORDS, FactWord.values, FactWord.values)
    for kind, statuses in zip(flips, allowed, strict=True):
        for flip in kind:
            _check_status(flip.status, statuses)


def _check_status(status: str, allowed: object) -> None:
    if status not in allowed:  # type: ignore[operator]
        raise DecisionInvalidError(_("there is no such status"), field="status")


def _located(item: ReviewItem, missed: Missed) -> Missed:
    """Find the text in the answer: at the given place, or else its first occurrence."""
    text = missed.text.strip()
    if not text:
        raise DecisionInvalidError(_("select or type what was missed"), field="text")
    _bounded("text", text, MAX_MISSED_LENGTH)
    if missed.kind != CLAIM and missed.kind not in set(MentionKind):
        raise DecisionInvalidError(_("there is no such kind"), field="kind")
    words = CLAIM_WORDS if missed.kind == CLAIM else MentionStatus.values
    _check_status(missed.status, words)
    answer, start = item.interaction.answer, missed.start
    if start is None or answer[start : start + len(text)] != text:
        start = answer.find(text)
    if start < 0:
        raise DecisionInvalidError(
            _("the answer does not contain this exact text"), field="text"
        )
    return replace(missed, text=text, start=start, suggestion=missed.suggestion.strip())


def _check_correction(item: ReviewItem, decision: Decision) -> None:
    if decision.correction is None:
        return
    _bounded("correction", decision.correction, MAX_CORRECTION_LENGTH)
    if not decision.correction.strip():
        raise DecisionInvalidError(_("enter the corrected answer"), field="correction")
    if _plain(decision.correction) == _plain(item.interaction.answer):
        raise UnchangedError(
            _("it is the answer itself; change it first"), field="correction"
        )


def _plain(text: str) -> str:
    """Return text with LF as line ends, whatever a browser sends."""
    return text.replace("\r\n", "\n").strip()


def _check_codes(item: ReviewItem, decision: Decision) -> None:
    codes = set(decision.reason_codes)
    valid = ReasonCode.objects.filter(
        project_id=item.project_id, code__in=codes, retired_at=None
    ).values_list("code", flat=True)
    if codes - set(valid):
        raise DecisionInvalidError(
            _("the project has no such code"), field="reason_codes"
        )


def _bounded(field: str, text: str, limit: int) -> str:
    if len(text) > limit:
        raise DecisionInvalidError(_("at most %(n)s characters"), field=field, n=limit)
    return text

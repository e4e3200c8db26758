"""Distil a verdict object to entries for the next agent (requirement A12)."""

import hashlib
from collections.abc import Iterator

from verifyhub.engine.claim_results import ClaimResult
from verifyhub.engine.cross_tier.verifier import INCONCLUSIVE_GAP
from verifyhub.engine.memory.entries import EntryKind, LearnedEntry
from verifyhub.engine.mentions.files import path_key
from verifyhub.engine.reports import (
    TOLD_VERIFIED,
    ClaimStatus,
    CompletionClaim,
    MentionResult,
    ReportWarning,
)
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.types import MentionKind
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.engine.warning_codes import ABOUT_THE_CHECK, WarningCode

MAX_KEY_LENGTH = 300
MAX_MENTION_KEY_LENGTH = 500
DIGEST_LENGTH = 32

# Prefixes of entries' keys, by their origin.
VERIFIED = "verified-"
UNVERIFIED = "unverified-"
CONTRADICTED = "contradicted-"
LOW_CONFIDENCE = "low-conf-"
GAPS = "gaps-"
WARNING = "warning-"

# The checks that entries come from; a warning's code determines its check.
GROUNDING, COMPLETION, CROSS_TIER = "grounding", "completion", "cross_tier"
CLAIMS = "claims"

# Warnings that repeat a mention or a claim of the same report, which already has a
# blocker.
REPEATING_PREFIX = "UNVERIFIED_"
REPEATING_CODES = frozenset(
    {
        WarningCode.LOOK_ALIKE_NAME,
        WarningCode.CONTRADICTED_CLAIM,
        WarningCode.CLAIM_CONTRADICTED,
    }
)


def distill(
    report: VerificationReport, *, subject: str, thresholds: Thresholds
) -> tuple[LearnedEntry, ...]:
    """Turn a verdict object into memory entries with stable keys.

    Verified mentions become findings with the verdict's confidence; unverified ones
    that count, warnings and contradicted claims become blockers; a low confidence
    becomes a blocker; gaps become gaps.

    Args:
        subject: The constant id of the answer, which is part of every key: the
            interaction's id.
        thresholds: Has the threshold of low confidence and the confidence of gaps.

    Returns:
        Entries in the order of the report, no key twice.
    """
    entries_by_key: dict[str, LearnedEntry] = {}
    for entry in _entries(report, subject, thresholds):
        entries_by_key.setdefault(entry.key, entry)
    return tuple(entries_by_key.values())


def entry_key(prefix: str, subject: str, *parts: str) -> str:
    """Return prefix, subject and parts joined by dashes; long parts are hashed.

    Keys are compared, never parsed; the digest distinguishes long names that are equal
    when truncated.
    """
    tail = "-".join(parts)
    key = f"{prefix}{subject}-{tail}" if parts else f"{prefix}{subject}"
    if len(key) <= MAX_KEY_LENGTH:
        return key
    return f"{prefix}{subject}-{_digest(tail)}"


def _entries(
    report: VerificationReport, subject: str, thresholds: Thresholds
) -> Iterator[LearnedEntry]:
    confidence = report.confidence
    for mention in report.mentions:
        # Names delivered by memory are not stored again, or they would never expire.
        if mention.is_verified and mention.reason != TOLD_VERIFIED:
            yield finding(mention, subject=subject, confidence=confidence)
        elif mention.is_flagged:
            yield blocker(mention, subject=subject)
    for claim in report.completion_claims:
        if claim.status is ClaimStatus.CONTRADICTED:
            yield _contradicted(claim, subject, COMPLETION)
    for fact in report.denied_claims:
        yield _contradicted(fact, subject, CLAIMS)
    if confidence is not None and confidence < thresholds.low_confidence_below:
        yield LearnedEntry(
            key=entry_key(LOW_CONFIDENCE, subject),
            kind=EntryKind.BLOCKER,
            text="The evidence for this answer was weak.",
            confidence=confidence,
            check=GROUNDING,
        )
    for gap in report.gaps:
        if gap != INCONCLUSIVE_GAP:
            yield LearnedEntry(
                key=entry_key(GAPS, subject, _digest(gap)),
                kind=EntryKind.GAP,
                text=gap,
                confidence=thresholds.gap_confidence,
                check=CROSS_TIER,
            )
    yield from (
        _warning(warning, subject)
        for warning in report.warnings
        if warning.code not in REPEATING_CODES | ABOUT_THE_CHECK
        and not warning.code.startswith(REPEATING_PREFIX)
    )


def finding(
    mention: MentionResult, *, subject: str, confidence: float | None
) -> LearnedEntry:
    return _named(VERIFIED, EntryKind.FINDING, mention, subject, confidence)


def blocker(mention: MentionResult, *, subject: str) -> LearnedEntry:
    """Return the blocker of a mention that has no evidence."""
    return _named(UNVERIFIED, EntryKind.BLOCKER, mention, subject, None)


def _named(
    prefix: str,
    kind: EntryKind,
    mention: MentionResult,
    subject: str,
    confidence: float | None,
) -> LearnedEntry:
    is_file = mention.kind is MentionKind.FILE
    return LearnedEntry(
        key=entry_key(prefix, subject, mention.kind, mention.key),
        kind=kind,
        # Without line numbers, which change with time.
        text=path_key(mention.text)[0] if is_file else mention.text,
        mention_kind=mention.kind,
        mention_key=mention.key[:MAX_MENTION_KEY_LENGTH],
        suggestion=mention.suggestion or "",
        confidence=confidence,
        grade=str(mention.grade or ""),
        check=GROUNDING,
        evidence=next((place.as_dict() for place in mention.evidence), None),
    )


def claim_key(*, kind: str, text: str, subject: str) -> str:
    """Return the key of a contradicted claim's blocker."""
    return entry_key(CONTRADICTED, subject, kind, _digest(text))


def _contradicted(
    claim: CompletionClaim | ClaimResult, subject: str, check: str
) -> LearnedEntry:
    return LearnedEntry(
        key=claim_key(kind=claim.kind, text=claim.text, subject=subject),
        kind=EntryKind.BLOCKER,
        text=claim.text,
        check=check,
    )


def _warning(warning: ReportWarning, subject: str) -> LearnedEntry:
    code, message = warning.code, warning.message
    return LearnedEntry(
        key=entry_key(WARNING, subject, code, _digest(message)),
        kind=EntryKind.BLOCKER,
        text=f"{code}: {message}",
        # The figure that the message names.
        confidence=(
            warning.details.get("confidence")
            if code == WarningCode.LOW_CONFIDENCE
            else None
        ),
        check=code,
    )


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:DIGEST_LENGTH]

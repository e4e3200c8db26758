"""Assign the best grade of evidence, and apply a project's minimum.

A: VerifyHub read the file itself. B: a tool gateway signed the call with the name. A
project may require a minimum grade; names with less do not count as verified.
"""

from collections.abc import Iterable
from dataclasses import replace

from verifyhub.engine.ports import FileState, FileTree
from verifyhub.engine.reports import (
    ClaimStatus,
    CompletionClaim,
    Grade,
    MentionResult,
    Status,
)
from verifyhub.engine.types import MentionKind

FOUND_IN_FILES = "found_in_files"
GRADE_TOO_LOW = "grade_too_low"
GRADE_REASONS = frozenset({FOUND_IN_FILES, GRADE_TOO_LOW})
# Maximum file lookups for one answer; each may read a whole file.
MAX_LOOKS = 200


def raise_grades(
    mentions: Iterable[MentionResult],
    *,
    signed_calls: frozenset[int],
    tree: FileTree | None,
    least: Grade,
) -> tuple[MentionResult, ...]:
    """Grade verified mentions by their best evidence.

    Args:
        mentions: The mentions as grounded by the trace.
        signed_calls: Tool calls that a gateway signed.
        tree: The folder that the operator declared; not an uploaded manifest, which is
            no proof that a file exists.
        least: The project's minimum; a mention verified by less is `grade_too_low`.

    Returns:
        The mentions in order. A file without a call is verified if it exists there; one
        with evidence is only looked up if its grade is too low.
    """
    results: list[MentionResult] = []
    remaining = MAX_LOOKS
    for mention in mentions:
        graded = _signed(mention, signed_calls)
        if tree is not None and remaining and _worth_a_look(graded, least):
            remaining -= 1
            if tree.look(graded.key, ()).state is FileState.PRESENT:
                graded = replace(
                    graded,
                    status=Status.VERIFIED,
                    reason=FOUND_IN_FILES,
                    grade=Grade.A,
                    suggestion=None,
                )
        results.append(enough(graded, least))
    return tuple(results)


def _signed(mention: MentionResult, calls: frozenset[int]) -> MentionResult:
    """Sort signed places first, on which the grade is based."""
    if mention.grade is not Grade.C or not calls:
        return mention
    signed = tuple(place for place in mention.evidence if place.tool_call in calls)
    if not signed:
        return mention
    unsigned = tuple(place for place in mention.evidence if place not in signed)
    return replace(mention, grade=Grade.B, evidence=signed + unsigned)


def _worth_a_look(mention: MentionResult, least: Grade) -> bool:
    # A key has no `..` left, and what lay above is another folder's file.
    if mention.kind is not MentionKind.FILE or ".." in mention.text:
        return False
    return mention.status is Status.UNVERIFIED or not _reaches(mention.grade, least)


def enough(mention: MentionResult, least: Grade) -> MentionResult:
    """Apply a project's minimum grade to a mention."""
    verified = mention.status is Status.VERIFIED
    if not verified or _reaches(mention.grade, least):
        return mention
    return replace(mention, status=Status.UNVERIFIED, reason=GRADE_TOO_LOW)


def _reaches(grade: Grade | None, least: Grade) -> bool:
    # Grades are letters in order, best first.
    return grade is not None and grade <= least


def raise_claim_grades(
    claims: Iterable[CompletionClaim], *, signed_calls: frozenset[int], least: Grade
) -> tuple[CompletionClaim, ...]:
    """Grade settled claims by the decisive call, like mentions.

    A claim that is supported with a lower grade than `least` is unchecked.
    """
    results: list[CompletionClaim] = []
    for claim in claims:
        signed = claim.grade is Grade.C and not signed_calls.isdisjoint(
            claim.evidence[:1]
        )
        graded = replace(claim, grade=Grade.B) if signed else claim
        results.append(enough_for_claim(graded, least))
    return tuple(results)


def enough_for_claim(claim: CompletionClaim, least: Grade) -> CompletionClaim:
    """Apply a project's minimum grade to a claim."""
    supported = claim.status is ClaimStatus.SUPPORTED
    # A report of another agent supports a claim with grade D, and says so by that
    # grade; only a stricter policy than the default refuses it.
    if not supported or least is Grade.C or _reaches(claim.grade, least):
        return claim
    return replace(claim, status=ClaimStatus.UNCHECKED)

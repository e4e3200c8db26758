"""Calculate confidence and coverage: how much of an answer the ledger settled."""

from collections.abc import Sequence

from verifyhub.engine.claim_results import ClaimResult, FactStatus, SentenceKind
from verifyhub.engine.reports import ClaimStatus, CompletionClaim, MentionResult, Status
from verifyhub.engine.value_results import ValueResult

_SETTLED = frozenset(
    {ClaimStatus.SUPPORTED, ClaimStatus.CONTRADICTED, ClaimStatus.UNATTEMPTED}
)


def confidence(counted: Sequence[MentionResult]) -> float | None:
    """Return the share of counted mentions that are verified, by Laplace's rule.

    (verified + 1) / (counted + 2): one verified name alone is 0.67, never 1.

    Returns:
        A share in (0, 1); None if nothing counts.
    """
    if not counted:
        return None
    verified = sum(1 for mention in counted if mention.status is Status.VERIFIED)
    return (verified + 1) / (len(counted) + 2)


def coverage(
    counted: int,
    mentions: int,
    claims: Sequence[CompletionClaim],
    values: Sequence[ValueResult] = (),
    facts: Sequence[ClaimResult] = (),
) -> float:
    """Return the share of mentions, claims and values that could be settled.

    Args:
        counted: Mentions that were settled, verified or not.
        mentions: All mentions, including those that need not exist.
        values: The values, if the run can settle them.
        facts: The claims of fact, if they were compared with evidence.

    Returns:
        A share in 0..1; 0 when there is nothing to check.
    """
    factual = [fact for fact in facts if fact.kind is SentenceKind.FACTUAL]
    everything = mentions + len(claims) + len(values) + len(factual)
    if not everything:
        return 0.0
    settled = sum(1 for claim in claims if claim.status in _SETTLED)
    settled += sum(1 for value in values if value.is_settled)
    settled += sum(1 for fact in factual if fact.status is not FactStatus.UNKNOWN)
    return (counted + settled) / everything

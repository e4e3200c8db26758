"""Check the claims of work done in an answer against what the run really did."""

from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.completion.claims import WorkClaim, find_claims
from verifyhub.engine.completion.deeds import DEEDS
from verifyhub.engine.completion.edits import settle_edit
from verifyhub.engine.completion.languages import ClaimKind
from verifyhub.engine.completion.ruling import Ruling, unattempted, unchecked, worst
from verifyhub.engine.completion.runs import settle_commands, settle_kind, settle_run
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import ClaimStatus, CompletionClaim

_RUN_KINDS = {
    ClaimKind.TESTS: RunKind.TESTS,
    ClaimKind.LINT: RunKind.LINT,
    ClaimKind.TYPECHECK: RunKind.TYPECHECK,
    ClaimKind.BUILD: RunKind.BUILD,
    ClaimKind.FORMAT: RunKind.FORMAT,
}
# Claims of one answer that are settled; each may cost a look at the whole trace.
MOST_CLAIMS = 300
_EDITS = frozenset({ClaimKind.EDIT, ClaimKind.CREATE, ClaimKind.DELETE, ClaimKind.FIX})


def check_completion(answer: str, ledger: Ledger) -> tuple[CompletionClaim, ...]:
    """Settle every claim of work done in an answer against what its tools did.

    Args:
        answer: What the agent says.
        ledger: What its tools show; nothing outside it is looked at.

    Returns:
        One entry per sentence that claims work, in order of the answer. A sentence
        with several claims ("tests and lint pass") has the status of its worst part.
        `evidence` holds tool call indexes, the deciding call first. The grade is C for
        what a successful call's output shows and D for another agent's word.
    """
    claims = [one for one in find_claims(answer) if not one.soft or ledger.changes]
    settled = [settle(claim, ledger) for claim in claims[:MOST_CLAIMS]]
    left = [unchecked()] * (len(claims) - len(settled))
    return tuple(map(_result, claims, [*settled, *left]))


def settle(claim: WorkClaim, ledger: Ledger) -> Ruling:
    """Return what the ledger says of a claim: the worst of its parts."""
    parts = [_settle_part(claim, kind, ledger) for kind in claim.kinds]
    return worst(parts) if parts else unattempted()


def _settle_part(claim: WorkClaim, kind: ClaimKind, ledger: Ledger) -> Ruling:
    if kind in _RUN_KINDS:
        if claim.names.commands and len(claim.kinds) == 1:
            return settle_commands(claim, ledger)
        return settle_kind(claim, _RUN_KINDS[kind], ledger)
    if kind in _EDITS:
        return settle_edit(claim, kind, ledger)
    if kind is ClaimKind.RUN:
        return settle_run(claim, ledger)
    return DEEDS[kind](claim, ledger)


def _result(claim: WorkClaim, ruling: Ruling) -> CompletionClaim:
    return CompletionClaim(
        text=claim.text,
        span=claim.span,
        kind=str(claim.kinds[0]),
        status=ClaimStatus(ruling.status),
        evidence=ruling.evidence,
        grade=ruling.grade,
    )

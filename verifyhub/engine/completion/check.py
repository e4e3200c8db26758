"""Check the claims of work done in an answer against what the run really did."""

from itertools import repeat

from verifyhub.engine.calls.programs import RunKind
from verifyhub.engine.completion.actions.claims import (
    ActionClaim,
    action_claims,
    serves,
)
from verifyhub.engine.completion.actions.settle import settle_action
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
    actions = action_claims(answer, ledger)
    spans = {claim.span for claim in actions}
    work = [
        one
        for one in find_claims(answer)
        if (not one.soft or ledger.changes)
        and one.span not in spans
        and not _is_about_records(one, ledger)
    ]
    both: list[WorkClaim | ActionClaim] = [*work, *actions]
    claims = sorted(both, key=lambda claim: claim.span)
    results = map(_checked, claims[:MOST_CLAIMS], repeat(ledger))
    left = [_result(claim, unchecked()) for claim in claims[MOST_CLAIMS:]]
    return tuple([one for one in results if one is not None] + left)


# Kinds of claims that are about records where a run has no files.
_ANY_OBJECT = frozenset(
    {
        ClaimKind.EDIT, ClaimKind.CREATE, ClaimKind.DELETE, ClaimKind.FIX,
        ClaimKind.SEND, ClaimKind.OTHER,
    }
)  # fmt: skip


def _is_about_records(claim: WorkClaim, ledger: Ledger) -> bool:
    """Whether the words of a claim are about records, in a run that has no files."""
    names = claim.names
    named = names.files or names.idents or names.commands or names.shas
    return not named and _ANY_OBJECT.issuperset(claim.kinds) and serves(ledger)


def _checked(claim: WorkClaim | ActionClaim, ledger: Ledger) -> CompletionClaim | None:
    """Return what a claim comes to; None where it tells a fact of a record."""
    if isinstance(claim, WorkClaim):
        return _result(claim, settle(claim, ledger))
    ruling = settle_action(claim, ledger)
    return None if ruling is None else _result(claim, ruling)


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


def _result(claim: WorkClaim | ActionClaim, ruling: Ruling) -> CompletionClaim:
    kind = claim.kinds[0] if isinstance(claim, WorkClaim) else ClaimKind.ACTION
    return CompletionClaim(
        text=claim.text,
        span=claim.span,
        kind=str(kind),
        status=ClaimStatus(ruling.status),
        evidence=ruling.evidence,
        grade=ruling.grade,
    )

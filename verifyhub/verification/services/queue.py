"""The queue of verifications (ADR 0003)."""

from verifyhub.common.row_queue import (
    LEASE_SECONDS,
    LOST_WORKER,
    MAX_ATTEMPTS,
    RowLease,
    RowQueue,
)
from verifyhub.verification.services.announce import announce_failed

# Wake-ups at a time: on each a worker takes rows for a second or more (`run_due`).
RINGS = 32

__all__ = [
    "LEASE_SECONDS",
    "LOST_WORKER",
    "MAX_ATTEMPTS",
    "RINGS",
    "RowLease",
    "claim",
    "claim_due",
    "fail",
    "put_back",
    "reconcile",
    "release",
    "renew",
    "renewing",
]

_VERIFICATIONS = RowQueue(
    "verification_verification",
    task="verification.verify",
    argument="verification_id",
    failed=announce_failed,
    rings=RINGS,
)
claim = _VERIFICATIONS.claim
claim_due = _VERIFICATIONS.claim_due
fail = _VERIFICATIONS.fail
renewing = _VERIFICATIONS.renewing
put_back = _VERIFICATIONS.put_back
reconcile = _VERIFICATIONS.reconcile
release = _VERIFICATIONS.release
renew = _VERIFICATIONS.renew

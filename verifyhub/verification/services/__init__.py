"""Writes: the queue of verifications, and the engine's reports."""

from verifyhub.verification.services.open import (
    VerificationRunningError,
    open_verification,
    reverify,
)
from verifyhub.verification.services.people import (
    set_human_status,
    set_human_verdict,
)
from verifyhub.verification.services.queue import reconcile
from verifyhub.verification.services.run import run_verification

__all__ = [
    "VerificationRunningError",
    "open_verification",
    "reconcile",
    "reverify",
    "run_verification",
    "set_human_status",
    "set_human_verdict",
]

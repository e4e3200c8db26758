"""The result of one check of `verifyhub doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorFinding:
    """The outcome of one check: ok, warning or failed, and why."""

    outcome: str
    text: str


def ok(text: str) -> DoctorFinding:
    """Return the finding of a check that passed."""
    return DoctorFinding(outcome="ok", text=text)


def warning(text: str) -> DoctorFinding:
    """Return the finding of a check that does not stop VerifyHub."""
    return DoctorFinding(outcome="warning", text=text)


def failed(text: str) -> DoctorFinding:
    """Return the finding of a check that failed."""
    return DoctorFinding(outcome="failed", text=text)

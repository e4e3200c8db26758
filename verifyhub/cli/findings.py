"""The result of one check of `verifyhub doctor`."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorFinding:
    """The outcome of one check: ok, warning or failed, and why."""

    outcome: str
    text: str

"""What can go wrong between an agent and VerifyHub.

HubError
├── HubUnavailableError      no usable reply after every try
├── HubRefusedError          the server will not take this request, however often sent
├── VerificationFailedError  the run is stored, but could not be verified
└── VerdictPendingError      the run is stored, but its verdict did not come in time

None of their texts holds the key, the task or the answer.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifyhub_client.verdict import Verdict


class HubError(Exception):
    """There is no verdict; the answer is not verified."""


class HubUnavailableError(HubError):
    """The server could not be reached, was overloaded, or replied with no sense."""


class HubRefusedError(HubError):
    """The server refused the request.

    Attributes:
        status: The HTTP status, from 300 to 499.
        errors: The refused fields and why, as pairs.
    """

    def __init__(
        self, status: int, detail: str, errors: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.status, self.errors = status, errors
        fields = "; ".join(f"{field}: {message}" for field, message in errors)
        super().__init__(f"{status}: {detail}" + (f" ({fields})" if fields else ""))


class VerificationFailedError(HubError):
    """The server stored the run, tried to verify it and gave up."""


class VerdictPendingError(HubError):
    """The verdict was not there in time; `id` is where it will be."""

    def __init__(self, interaction_id: str) -> None:
        self.id = interaction_id
        super().__init__(f"no verdict on {interaction_id} in time; ask for it later")


class AnswerBlockedError(Exception):
    """A blocked answer was to be shown; `id` names it, `reason` says why it is."""

    def __init__(self, interaction_id: str, reason: str) -> None:
        self.id, self.reason = interaction_id, reason
        super().__init__(f"the answer {interaction_id} is blocked: {reason}")


class AnswerRejectedError(Exception):
    """An answer was not let through; `id` names it, `verdict` says why."""

    def __init__(self, interaction_id: str, verdict: "Verdict") -> None:
        self.id, self.verdict = interaction_id, verdict
        judged = f"{verdict.verdict}, {verdict.reason}"
        super().__init__(f"the answer {interaction_id} is not let through: {judged}")


class ConnectionBrokenError(Exception):
    """One request got no complete reply; worth another try. Stays inside the client."""

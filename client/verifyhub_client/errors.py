"""Errors between an agent and VerifyHub.

HubError
├── HubUnavailableError      no usable reply after all tries
├── HubRefusedError          the server refused the request
├── VerificationFailedError  the run is stored, but could not be verified
└── VerdictPendingError      the run is stored, but its verdict is not ready in time

Their messages contain neither the key nor the task nor the answer.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verifyhub_client.verdict import Verdict


class HubError(Exception):
    """There is no verdict; the answer is not verified."""


class HubUnavailableError(HubError):
    """The server is unreachable or overloaded, or its reply is invalid."""


class HubRefusedError(HubError):
    """The server refused the request.

    Attributes:
        status: The HTTP status, from 300 to 499.
        errors: The invalid fields and the reasons, as pairs.
    """

    def __init__(
        self, status: int, detail: str, errors: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self.status, self.errors = status, errors
        fields = "; ".join(f"{field}: {message}" for field, message in errors)
        super().__init__(f"{status}: {detail}" + (f" ({fields})" if fields else ""))


class VerificationFailedError(HubError):
    """The server stored the run but could not verify it."""


class VerdictPendingError(HubError):
    """The verdict is not ready in time; fetch it later by `id`."""

    def __init__(self, interaction_id: str) -> None:
        self.id = interaction_id
        super().__init__(f"no verdict on {interaction_id} in time; ask for it later")


class AnswerBlockedError(Exception):
    """The answer `id` is blocked and may not be shown."""

    def __init__(self, interaction_id: str, reason: str) -> None:
        self.id, self.reason = interaction_id, reason
        super().__init__(f"the answer {interaction_id} is blocked: {reason}")


class AnswerRejectedError(Exception):
    """The verdict on the answer `id` is refused."""

    def __init__(self, interaction_id: str, verdict: "Verdict") -> None:
        self.id, self.verdict = interaction_id, verdict
        judged = f"{verdict.verdict}, {verdict.reason}"
        super().__init__(f"the answer {interaction_id} is not let through: {judged}")


class ConnectionBrokenError(Exception):
    """A request got no complete reply and may be retried; internal to the client."""

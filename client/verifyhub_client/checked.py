"""The result of a check that does not raise."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Generic, TypeVar

from verifyhub_client.errors import AnswerBlockedError, AnswerRejectedError
from verifyhub_client.verdict import Verdict
from verifyhub_client.words import Judgement, MitigationAction

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(Generic[T]):
    """What an agent returned, with what VerifyHub says of it.

    Attributes:
        value: What the agent returned, untouched.
        id: The answer's id at the server.
        verdict: None where there is none; then nobody checked the answer.
        error: Why there is none; a `HubError` where the hub gave none.
    """

    value: T
    id: str
    verdict: Verdict | None = None
    error: Exception | None = None

    @property
    def accepted(self) -> bool:
        """Whether VerifyHub accepted the answer."""
        return self.verdict is not None and self.verdict.verdict is Judgement.ACCEPT

    @property
    def rejected(self) -> bool:
        """Whether VerifyHub rejected the answer."""
        return self.verdict is not None and self.verdict.verdict is Judgement.REJECT

    def require(self, refuse: Collection[str] = (Judgement.REJECT,)) -> T:
        """Return the value, unless its verdict is among those that are refused.

        Without a verdict the value is returned: look at `error`.

        Raises:
            AnswerBlockedError: If the verdict's advice is that nobody may see it.
            AnswerRejectedError: If the verdict is one of `refuse`.
        """
        verdict = self.verdict
        if verdict is None:
            return self.value
        advice = verdict.mitigation
        if advice and advice.action == MitigationAction.BLOCK:
            raise AnswerBlockedError(self.id, advice.reason)
        if verdict.verdict in refuse:
            raise AnswerRejectedError(self.id, verdict)
        return self.value

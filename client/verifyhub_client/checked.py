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
    """The value that an agent returned, with its verdict.

    Attributes:
        value: The unchanged value of the agent.
        id: The answer's id at the server.
        verdict: The verdict; None if the answer was not checked.
        error: The reason why there is no verdict; a `HubError` if it is the hub's.
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
        """Return the value, unless its verdict is one of `refuse`.

        Without a verdict, the value is returned and `error` has the reason.

        Raises:
            AnswerBlockedError: If the verdict's advice is to block the answer.
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

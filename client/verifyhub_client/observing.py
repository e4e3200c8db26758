"""The common part of both hubs: the checker, and sending in the background."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub_client.loop import Checker
from verifyhub_client.runs import Agent, AgentAnswer, interaction_body, new_id
from verifyhub_client.sending import BackgroundSender
from verifyhub_client.stats import Stats

log = logging.getLogger("verifyhub_client")


class Observing:
    """The base class of hubs, in threads and in asyncio.

    Args:
        checker: Verifies answers.
        background: Sends answers in the background; None without a server.
        raise_errors: Whether sessions raise the hub's errors.
    """

    def __init__(
        self,
        checker: Checker,
        *,
        background: BackgroundSender | None = None,
        raise_errors: bool = False,
    ) -> None:
        self.checker, self._background = checker, background
        self.raise_errors = raise_errors

    @property
    def has_background(self) -> bool:
        """Whether there is a server to send to."""
        return self._background is not None

    @property
    def background(self) -> BackgroundSender:
        """The sender in the background.

        Raises:
            TypeError: If this hub has no server.
        """
        if self._background is None:
            raise TypeError("a hub in the process has no server to send to: use check")
        return self._background

    @property
    def stats(self) -> Stats:
        """Counters of the observed answers."""
        return self._background.stats() if self._background else Stats()

    def observe(
        self,
        task: str,
        answer: str | AgentAnswer,
        *,
        tool_calls: Sequence[Mapping[str, Any]] = (),
        id: str | None = None,  # noqa: A002 - the API's own word
        session: str | None = None,
        agent: Agent = Agent(),  # noqa: B008 - frozen
        parent: str | None = None,
    ) -> str:
        """Send an answer in the background, to be verified, without waiting.

        The arguments are those of `check`. `stats` counts the result; an answer that
        cannot be sent raises only if the hub has `raise_errors`.

        Returns:
            Its id at the server.

        Raises:
            TypeError: If this hub has no server.
        """
        background, own_id = self.background, id or new_id()
        try:
            body = body_of(
                task,
                answer,
                tool_calls,
                own_id,
                session,
                agent,
                parent,
                # Answers that are sent in the background arrive in any order.
                parent_expected=True,
            )
            background.put(body)
        except Exception as error:
            background.reject(error)
            log.warning("An answer cannot be sent: %s", type(error).__name__)
            if self.raise_errors:
                raise
        return own_id


def body_of(
    task: str,
    answer: str | AgentAnswer,
    tool_calls: Sequence[Mapping[str, Any]],
    interaction_id: str | None,
    session: str | None,
    agent: Agent,
    parent: str | None,
    *,
    parent_expected: bool = False,
) -> dict[str, Any]:
    """Return the API's document of one answer.

    Raises:
        ValueError: If tool calls are given twice.
    """
    if isinstance(answer, str):
        answer = AgentAnswer(answer=answer, tool_calls=tool_calls)
    elif tool_calls:
        raise ValueError("give tool calls once: in the AgentAnswer, or beside a text")
    return interaction_body(
        task,
        answer,
        interaction_id=interaction_id or new_id(),
        session=session,
        agent=agent,
        parent=parent,
        parent_expected=parent_expected,
    )

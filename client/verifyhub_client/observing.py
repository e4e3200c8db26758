"""Handing answers over to the background, alike for both hubs."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub_client.runs import Agent, AgentAnswer, interaction_body, new_id
from verifyhub_client.sending import BackgroundSender
from verifyhub_client.stats import Stats

log = logging.getLogger("verifyhub_client")


class Observing:
    """What a hub that can observe offers, in threads and in asyncio."""

    def __init__(
        self, background: BackgroundSender | None, *, raise_errors: bool
    ) -> None:
        self._background, self.raise_errors = background, raise_errors

    @property
    def has_background(self) -> bool:
        """Whether there is a server to send to."""
        return self._background is not None

    @property
    def background(self) -> BackgroundSender:
        """What sends in the background.

        Raises:
            TypeError: If this hub has no server.
        """
        if self._background is None:
            raise TypeError("a hub in the process has no server to send to: use check")
        return self._background

    @property
    def stats(self) -> Stats:
        """What became of the answers that were observed."""
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
        """Send an answer in the background, to be verified; it does not wait.

        What became of it is in `stats`. The arguments are those of `check`. What cannot
        be sent is counted, and raises only if the hub was made with `raise_errors`.

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
                # What is sent in the background does not arrive in its order.
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
    """Return the document of one answer, as the API takes it.

    Raises:
        ValueError: If there are tool calls in two places.
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

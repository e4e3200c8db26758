"""Handing answers over to the background, alike for both hubs."""

import logging
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from verifyhub_client.runs import Agent, AgentAnswer, interaction_body, new_id
from verifyhub_client.sending import BackgroundSender
from verifyhub_client.settings import Background
from verifyhub_client.stats import Stats
from verifyhub_client.steps import Send

log = logging.getLogger("verifyhub_client")


class Observer:
    """The background of a hub; there is no thread before the first answer."""

    def __init__(self, send: Send, settings: Background | None, owner: str) -> None:
        self._send, self._owner = send, owner
        self._settings = settings or Background()
        self._lock = threading.Lock()
        self._sender: BackgroundSender | None = None
        if self._settings.folder is not None:
            # What an earlier process left there is sent now.
            self.sender()

    def sender(self) -> BackgroundSender:
        if self._sender is None:
            with self._lock:
                if self._sender is None:
                    self._sender = BackgroundSender(
                        self._send, self._settings, self._owner
                    )
        return self._sender

    def failed(self, error: Exception) -> None:
        """Note an answer that cannot be sent as it is; the agent goes on."""
        log.warning("An answer cannot be sent: %s", type(error).__name__)
        self.sender().reject(error)

    def stats(self) -> Stats:
        return self._sender.stats() if self._sender else Stats()

    def flush(self, seconds: float) -> bool:
        return self._sender.flush(seconds) if self._sender else True

    def close(self) -> None:
        if self._sender:
            self._sender.close()


class Observing:
    """What a hub that can observe offers, in threads and in asyncio."""

    def __init__(self, observer: Observer | None, *, raise_errors: bool) -> None:
        self._observer, self.raise_errors = observer, raise_errors

    @property
    def has_background(self) -> bool:
        """Whether there is a server to send to."""
        return self._observer is not None

    @property
    def observer(self) -> Observer:
        """The background of this hub.

        Raises:
            TypeError: If it has no server.
        """
        if self._observer is None:
            raise TypeError("a hub in the process has no server to send to: use check")
        return self._observer

    @property
    def stats(self) -> Stats:
        """What became of the answers that were observed."""
        return self._observer.stats() if self._observer else Stats()

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
        observer, own_id = self.observer, id or new_id()
        try:
            body = body_of(task, answer, tool_calls, own_id, session, agent, parent)
            observer.sender().put(body)
        except Exception as error:
            observer.failed(error)
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
    )

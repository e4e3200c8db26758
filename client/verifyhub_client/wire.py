"""The hub of a VerifyHub server, in threads or asyncio."""

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from verifyhub_client.hubs import DEFAULT_BUDGET, AsyncHub, SyncHub
from verifyhub_client.masking import Masker, masked_run, masker_for
from verifyhub_client.protocol import (
    Guarded,
    Patience,
    check_steps,
    context_steps,
    guard_steps,
)
from verifyhub_client.sending import BackgroundSender
from verifyhub_client.settings import Background
from verifyhub_client.steps import Send, Steps, T, run, run_async
from verifyhub_client.transport import AsyncHttpSender, HttpSender
from verifyhub_client.verdict import Verdict


class _WireChecker:
    def __init__(self, patience: Patience, masker: Masker | None) -> None:
        self._patience, self._masker = patience, masker

    def check_steps(self, body: Mapping[str, Any]) -> Steps[Verdict]:
        if self._masker is not None:
            body = masked_run(body, self._masker)
        return check_steps(body, self._patience)

    def context_steps(self, session: str, task: str, budget: int) -> Steps[str]:
        return context_steps(session, task, budget, self._patience)

    def guard_steps(self, text: str) -> Steps[Guarded]:
        if self._masker is not None:
            text = self._masker.text(text)
        return guard_steps(text, self._patience)


class VerifyHub(SyncHub):
    """The synchronous hub of a VerifyHub server.

    Args:
        url: The server's address, such as `https://hub.example`.
        key: An API key of the project; never logged or shown.
        patience: Limits of retries and waits.
        background: Settings of `observe`.
        raise_errors: Whether sessions and `@verified` functions raise errors of the
            hub, and `observe` raises errors about its arguments. `check`, `context`,
            `guard` and `run_until_accepted` always do.
        mask: Whether secrets are masked before anything is sent or stored; a
            `masking.Masker` also masks personal data and own patterns.

    Raises:
        ValueError: If the address, the key or the background's folder is invalid.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        patience: Patience | None = None,
        background: Background | None = None,
        raise_errors: bool = False,
        mask: bool | Masker = False,
    ) -> None:
        self._patience = patience or Patience()
        masker = _masker(mask, key)
        self._sender = HttpSender(url, key)
        super().__init__(
            _WireChecker(self._patience, masker),
            background=_sender(self._sender, background, url, key, masker),
            raise_errors=raise_errors,
        )

    def flush(self, seconds: float = 5.0) -> bool:
        """Wait until observed answers are sent; False if the time is over before."""
        return self.background.flush(seconds)

    def close(self) -> None:
        """Send observed answers, within the background's `exit_seconds`."""
        self.background.close()

    def context(
        self,
        session: str,
        *,
        task: str = "",
        budget: int = DEFAULT_BUDGET,
        format: str = "text",  # noqa: A002 - the API's own word
    ) -> str:
        """Return the context for the next prompt, as text, Markdown, JSON or MCP.

        Raises:
            HubError: If it is not available.
        """
        steps = context_steps(session, task, budget, self._patience, format)
        return self.carry_out(steps)

    def carry_out(self, steps: Steps[T]) -> T:
        """Carry out steps; requests are sent to the server."""
        return run(steps, self._sender)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncVerifyHub(AsyncHub):
    """The asynchronous hub of a VerifyHub server; see `VerifyHub`."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        patience: Patience | None = None,
        background: Background | None = None,
        raise_errors: bool = False,
        mask: bool | Masker = False,
    ) -> None:
        self._patience = patience or Patience()
        masker = _masker(mask, key)
        self._sender = AsyncHttpSender(url, key)
        super().__init__(
            _WireChecker(self._patience, masker),
            background=_sender(HttpSender(url, key), background, url, key, masker),
            raise_errors=raise_errors,
        )

    async def flush(self, seconds: float = 5.0) -> bool:
        """Wait until observed answers are sent; see `VerifyHub.flush`."""
        return await asyncio.to_thread(self.background.flush, seconds)

    async def context(
        self,
        session: str,
        *,
        task: str = "",
        budget: int = DEFAULT_BUDGET,
        format: str = "text",  # noqa: A002 - the API's own word
    ) -> str:
        """Return the context for the next prompt; see `VerifyHub.context`."""
        steps = context_steps(session, task, budget, self._patience, format)
        return await self.carry_out(steps)

    async def carry_out(self, steps: Steps[T]) -> T:
        """Carry out steps; requests are sent to the server."""
        return await run_async(steps, self._sender)

    async def close(self) -> None:
        """Send observed answers and close the connections."""
        await asyncio.to_thread(self.background.close)
        await self._sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def _masker(mask: bool | Masker, key: str) -> Masker | None:
    if isinstance(mask, Masker):
        return mask
    return masker_for(key) if mask else None


def _sender(
    send: Send,
    settings: Background | None,
    url: str,
    key: str,
    masker: Masker | None,
) -> BackgroundSender:
    owner = "\0".join((url.rstrip("/"), key))
    return BackgroundSender(send, settings or Background(), owner, masker=masker)

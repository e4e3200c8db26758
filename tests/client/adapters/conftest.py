"""A hub in the process that remembers what it was asked, and what agents say."""

from collections.abc import Mapping
from typing import Any

import pytest

from verifyhub.embedded import LocalHub
from verifyhub_client.protocol import Patience
from verifyhub_client.wire import AsyncVerifyHub, VerifyHub

TASK = "Which file computes prices?"
LISTING = "shop/pricing.py\nshop/cart.py\n"
HONEST = "Prices are computed in `shop/pricing.py`."
INVENTED = "See `shop/taxes.py`, `shop/vouchers.py` and `shop/discounts.py`."
IMPATIENT = Patience(tries=1, verdict_seconds=1)
# Nothing listens on the port that no service has.
NOWHERE = "http://127.0.0.1:1"


class ListeningHub(LocalHub):
    """A hub in the process; `heard` holds every answer it was asked about."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Mapping[str, Any]] = []

    def check(self, task: str, answer: Any, **about: Any) -> Any:
        self.heard.append({"task": task, "answer": answer, **about})
        return super().check(task, answer, **about)


@pytest.fixture
def hub() -> ListeningHub:
    return ListeningHub()


@pytest.fixture
def away() -> VerifyHub:
    """A hub that nobody serves."""
    return VerifyHub(NOWHERE, "vh_key", patience=IMPATIENT)


@pytest.fixture
def away_async() -> AsyncVerifyHub:
    """The same, for asyncio."""
    return AsyncVerifyHub(NOWHERE, "vh_key", patience=IMPATIENT)

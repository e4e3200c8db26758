"""A real server with a worker, and agents that are plain functions."""

from collections.abc import Callable, Iterator
from typing import Any
from urllib.request import urlopen

import pytest

from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory
from verifyhub.embedded import AgentAnswer, Attempt, LocalHub, Patience, VerifyHub

TASK = "Which file computes prices, and how?"
LISTING = {
    "tool": "list_files",
    "input": {"path": "."},
    "output": "shop/pricing.py\nshop/cart.py\nshop/orders.py\n",
    "status": "ok",
}
HONEST = "Prices are computed in `shop/pricing.py`; `shop/cart.py` calls it."
INVENTED = (
    "See `shop/price_engine.py`, `shop/taxes.py`, `shop/vouchers.py` and"
    " `shop/discounts.py`."
)
IMPATIENT = Patience(tries=3, first_pause_seconds=0.01, longest_pause_seconds=0.05)


def says(*answers: str) -> tuple[Callable[[Attempt], AgentAnswer], list[Attempt]]:
    """An agent that gives these answers in turn, the last for ever; and its log."""
    asked: list[Attempt] = []

    def agent(attempt: Attempt) -> AgentAnswer:
        asked.append(attempt)
        text = answers[min(len(asked), len(answers)) - 1]
        return AgentAnswer(answer=text, tool_calls=[LISTING])

    return agent, asked


@pytest.fixture
def server(live_server: Any, worker: None) -> str:
    """The address of a real server whose project is `acme`."""
    ApiKeyFactory(secret=API_SECRET, project__slug="acme")
    # The first request of all loads the pages; that is nobody's waiting time here.
    with urlopen(f"{live_server.url}/healthz", timeout=100):
        return str(live_server.url)


@pytest.fixture
def hub(server: str) -> Iterator[VerifyHub]:
    with VerifyHub(server, API_SECRET, patience=IMPATIENT) as hub:
        yield hub


@pytest.fixture
def local() -> LocalHub:
    return LocalHub()

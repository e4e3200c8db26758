"""Answers that came the real way: recorded, verified by the engine, queued."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.stored import verify_stored
from verifyhub.accounts.models import Project
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import ReviewItem
from verifyhub.verification.models import Verification

GREP = {
    "tool": "Grep",
    "input": {"pattern": "price"},
    "output": "shop/pricing.py:12: def compute_price(cart):\n"
    "shop/tax.py:3: def add_tax(net):\n",
}
ANSWER = (
    "The price is made in `compute_price()` of `shop/pricing.py`, then"
    " `apply_discount()` from `shop/discounts.py` lowers it."
)


def send(project: Project, **content: Any) -> Interaction:
    body = {
        "task": "Where is the price computed?",
        "answer": ANSWER,
        "session": "s-1",
        "agent": {"name": "scout"},
        "tool_calls": [GREP],
        **content,
    }
    return verify_stored(project, parse_interaction(body)).interaction


@pytest.fixture
def answered(project: Project) -> Callable[..., Interaction]:
    """Send an answer to the project: `answered(answer="…")`."""

    def sent(**content: Any) -> Interaction:
        return send(project, **content)

    return sent


@pytest.fixture
def item(answered: Callable[..., Interaction]) -> ReviewItem:
    """An open item: two names of the answer are in no tool output."""
    return ReviewItem.objects.get(interaction=answered())


def newest_run(interaction: Interaction) -> Verification:
    found = interaction.verifications.order_by("-number").first()
    assert found is not None
    return found

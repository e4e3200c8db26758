"""A small part of `make liar`: what a reader of replies believes is what it may."""

import pytest

from tests.liar.__main__ import hold_replies, hold_verifications


@pytest.mark.parametrize("count", [4000, pytest.param(200_000, marks=pytest.mark.deep)])
def test_no_reply_passes_that_is_not_exactly_what_was_asked_for(count):
    seen, wrong = hold_replies(count, seed="test")

    assert wrong == []
    assert min(seen[f"{kind} passes"] for kind in ("verifier", "goal", "word")) > 50


@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.deep)])
def test_no_lie_raises_what_the_ledger_found(count):
    seen, wrong = hold_verifications(count, seed="test")

    assert wrong == []
    assert seen["replies in them"] > count

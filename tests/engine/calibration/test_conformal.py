"""A conformal threshold keeps what it promises, or refuses to promise."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.calibration.conformal import (
    BlockingThreshold,
    TooFewRightError,
    threshold,
)
from verifyhub.engine.errors import CalibrationError


def drawn(scores: list[float], at_most: float = 0.05) -> BlockingThreshold:
    return threshold(scores, [True] * len(scores), at_most)


def test_the_threshold_is_the_score_of_the_rank():
    found = drawn([number / 100 for number in range(1, 100)])

    # floor((99 + 1) x 0.05) = 5: the fifth lowest passes, four lower ones do not.
    assert (found.rank, found.score, found.n) == (5, 0.05, 99)
    assert found.promise == "at most 5 % false blocks, n = 99"
    assert found.blocks(0.049)
    assert not found.blocks(0.05)


@pytest.mark.parametrize(("at_most", "least"), [(0.05, 19), (0.1, 9), (0.07, 14)])
def test_too_few_right_answers_promise_nothing(at_most, least):
    with pytest.raises(TooFewRightError) as refused:
        drawn([0.5] * (least - 1), at_most)

    assert refused.value.needed == least
    assert "below 1" in str(refused.value)
    assert drawn([0.5] * least, at_most).rank == 1


def test_wrong_answers_set_nothing_and_are_counted():
    right, wrong = [0.5 + number / 200 for number in range(39)], [0.1, 0.2, 0.9]

    found = threshold(right + wrong, [True] * 39 + [False] * 3)

    assert found.n == 39
    assert (found.caught.count, found.caught.total) == (2, 3)


@pytest.mark.parametrize("at_most", [0, -0.1, 0.51, float("nan")])
def test_a_share_out_of_range_is_refused(at_most):
    with pytest.raises(CalibrationError, match="at_most"):
        drawn([0.5] * 100, at_most)


@given(
    st.lists(st.floats(0, 1), min_size=19, max_size=200),
    st.sampled_from([0.05, 0.1, 0.2]),
)
def test_right_answers_it_was_drawn_from_are_blocked_within_the_promise(
    scores, at_most
):
    found = drawn(scores, at_most)

    blocked = sum(found.blocks(score) for score in scores)
    assert blocked < found.rank
    assert blocked <= at_most * (len(scores) + 1)


@given(st.lists(st.floats(0, 1), min_size=19, max_size=80), st.randoms())
def test_the_order_of_answers_does_not_matter(scores, shuffler: random.Random):
    shuffled = list(scores)
    shuffler.shuffle(shuffled)

    assert drawn(shuffled).score == drawn(scores).score


@pytest.mark.parametrize("n", [19, 50, 137])
@pytest.mark.parametrize("digits", [17, 1])
def test_answers_not_seen_before_are_blocked_within_the_promise(n, digits):
    """Many projects, one further right answer each; ties where digits are few."""
    dice = random.Random(f"{n} {digits}")
    rounds = 3000

    def a_score() -> float:
        return round(dice.betavariate(4, 2), digits)

    blocked = sum(
        drawn([a_score() for _ in range(n)]).blocks(a_score()) for _ in range(rounds)
    )

    # Four standard errors of a share of 5 %.
    assert blocked / rounds <= 0.05 + 4 * (0.05 * 0.95 / rounds) ** 0.5

"""What a spelling of a number stands for, wherever it is read."""

import pytest

from verifyhub.engine.claims.numbers import quantities
from verifyhub.engine.text.numbers import figures, spelled


@pytest.mark.parametrize(
    ("digits", "numbers"),
    [
        ("1234", {1234}),
        ("1,234", {1234}),
        ("1.234", {1234, 1.234}),
        ("1.234,5", {1234.5}),
        ("1 234", {1234}),
        ("0,125", {0.125}),
        ("1.2.3", set()),
    ],
)
def test_digits_are_every_number_they_can_stand_for(digits, numbers):
    assert figures(digits) == numbers


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("seven", 7),
        ("twenty-three", 23),
        ("soixante", 60),
        ("two-three", None),
        ("once", None),
    ],
)
def test_a_word_is_the_number_it_names(word, number):
    assert spelled(word) == number


def test_a_claim_reads_the_words_for_a_number_as_its_digits():
    (written,), (digits,) = (
        quantities(f"It has {n} rows") for n in ("twenty-three", 23)
    )

    assert written.agrees(digits)

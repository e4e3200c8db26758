import random
import string
import zlib

from hypothesis import given
from hypothesis import strategies as st

from verifyhub.common.packing import (
    head_bytes,
    packed,
    packed_json,
    unpacked,
    unpacked_head,
    unpacked_json,
)
from verifyhub.events.usual_texts import USUAL_TEXTS

LINES = st.lists(st.text('aé界𝄞 "0', max_size=40))


@given(LINES, st.integers(1, 60), st.integers(1, 500))
def test_a_text_and_its_beginning_come_back(lines, times, characters):
    text = "\n".join(lines * times)

    data = packed(text)

    if data is None:
        return
    begun = data[: head_bytes(characters)]
    assert unpacked(data) == text
    assert len(data) < len(text.encode())
    assert unpacked_head(begun, characters) == text[:characters]


@given(LINES, st.integers(1, 60), st.integers(1, 500))
def test_a_text_of_a_former_version_is_read(lines, times, characters):
    text = "\n".join(lines * times) + "."
    data = zlib.compress(text.encode(), 1)

    begun = data[: head_bytes(characters)]
    assert unpacked(data) == text
    assert unpacked_head(begun, characters) == text[:characters]


def test_four_rows_of_random_letters_fit_on_a_page():
    dice = random.Random(3)
    characters = string.ascii_letters + string.digits
    lines = ("".join(dice.choices(characters, k=71)) + "\n" for _ in range(35))
    letters = "".join(lines)[:2500]

    # 2,032 bytes of a row, less what else the row of a short call has.
    assert len(packed(letters)) <= 2032 - 124


def test_random_letters_get_smaller_and_short_texts_stay():
    digits = "".join(f"{7919 * n % 65536:04x}" for n in range(2000))

    assert len(packed(digits) or digits) < 0.7 * len(digits)
    assert packed("ok") is None


WORDS = st.text('aé界𝄞 \\"0', max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inside: st.lists(inside) | st.dictionaries(WORDS, inside),
    max_leaves=20,
)


@given(VALUES)
def test_a_value_comes_back_with_its_dictionary(value):
    data = packed_json(value, USUAL_TEXTS)

    assert unpacked_json(data, USUAL_TEXTS) == value

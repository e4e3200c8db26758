from hypothesis import given
from hypothesis import strategies as st

from verifyhub.common.packing import head_bytes, packed, unpacked, unpacked_head

LINES = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))


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


def test_random_letters_get_smaller_and_short_texts_stay():
    digits = "".join(f"{7919 * n % 65536:04x}" for n in range(2000))

    assert len(packed(digits) or digits) < 0.7 * len(digits)
    assert packed("ok") is None

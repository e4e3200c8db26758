"""Texts become passages of whole sentences that hold everything but blanks."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from verifyhub.engine.passages import PassageOrigin
from verifyhub.engine.retrieval.split import MAX_WORDS, WORD_CHARACTERS, split

LONGEST = MAX_WORDS * WORD_CHARACTERS
SENTENCE = "The pump on the second floor was replaced in March by two people. "


def passages(text):
    return split(text, origin=PassageOrigin.DOCUMENT, ref="d", title="Pumps")


@settings(max_examples=50)
@given(
    st.lists(
        st.one_of(
            st.text(max_size=300),
            st.sampled_from(
                [SENTENCE, "\n\n", "\n- one\n- two\n", "# Head\n", "你好。"]
            ),
            st.integers(1, 3_000).map(lambda size: "x" * size),
            st.integers(1, 3_000).map(lambda size: " " * size),
            st.integers(1, 300).map(lambda size: "水は流れる" * size),
        ),
        max_size=20,
    ).map("".join)
)
def test_passages_stand_in_the_text_in_order_and_leave_out_only_blanks(text):
    found = passages(text)

    last = 0
    for passage in found:
        start, end = passage.span
        assert passage.text == text[start:end]
        assert passage.text == passage.text.strip() != ""
        assert not text[last:start].strip()
        assert end - start <= LONGEST
        last = end
    assert not text[last:].strip()
    assert len({passage.id for passage in found}) == len(found)


def test_prose_is_cut_between_sentences():
    found = passages(SENTENCE * 40)

    assert len(found) > 1
    assert all(passage.text.endswith("people.") for passage in found)
    assert all(passage.text.startswith("The pump") for passage in found)
    assert all(60 <= len(passage.text.split()) <= 130 for passage in found[:-1])


def test_a_heading_stays_with_what_follows_it():
    text = f"{SENTENCE * 7}\n\n## Valves\n\n{SENTENCE * 7}"

    found = passages(text)

    assert [passage.text.startswith("## Valves") for passage in found] == [False, True]


def test_an_initial_or_a_wrapped_line_ends_no_passage_where_a_sentence_does():
    text = "It was written by J. R.\nTolkien in 1937 for his own\nchildren. " * 30

    assert all(one.text.endswith("children.") for one in passages(text))


def test_a_text_without_blanks_is_cut_by_length():
    found = passages("水" * 5_000)

    assert "".join(passage.text for passage in found) == "水" * 5_000
    assert all(len(passage.text) <= 2 * MAX_WORDS for passage in found)


def test_a_text_of_blanks_has_no_passages():
    assert passages(" \n\t \u3000\n") == []


@pytest.mark.parametrize(
    "shape", ["a", " ", "a ", ". ", "。", "\n", "# ", "a\n\n", "- \n", "\x00", "\ud800"]
)
@pytest.mark.parametrize(
    "size", [1_000_000, pytest.param(10_000_000, marks=pytest.mark.deep)]
)
def test_megabytes_of_anything_are_read_once(shape, size):
    text = shape * (size if len(shape) == 1 else size // 33)

    found = passages(text)

    kept = sum(len(passage.text) for passage in found)
    assert kept <= len(text)
    assert all(len(passage.text) <= LONGEST for passage in found)

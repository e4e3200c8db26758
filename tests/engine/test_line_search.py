"""The words of lines are those that a search for their places finds."""

from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.text import search
from verifyhub.engine.text.search import LineSearch, NameSearch

WORDS = st.lists(st.text("abé", min_size=1, max_size=3), unique=True, min_size=1)
TEXTS = st.text("abé \n\ud800")


@given(WORDS, TEXTS)
def test_the_words_of_each_line_are_found(words, text):
    names = NameSearch(words)

    assert [line.split() for line in LineSearch(words).in_lines(text)] == [
        [words[name] for name, _, _ in names.in_block(line)]
        for line in text.split("\n")
    ]


def test_words_are_found_in_texts_of_many_blocks():
    text = "one two\n" * search.BLOCK

    lines = LineSearch(["two", "three"]).in_lines(text)

    assert list(map(str.strip, lines)) == ["two"] * search.BLOCK + [""]


def test_words_of_several_automatons_stand_in_one_line(monkeypatch):
    monkeypatch.setattr(search, "_MOST_TOGETHER", 1)

    lines = LineSearch(["one", "two"]).in_lines("two one\none")

    assert [line.split() for line in lines] == [["one", "two"], ["one"]]

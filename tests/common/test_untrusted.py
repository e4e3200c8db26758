"""Agent text: escaped, visible, and cut where the spans say."""

import re

from django.utils.safestring import mark_safe
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.common.untrusted import excerpt, highlighted, split_at_spans, visible

TEXT = st.text(st.characters(codec="utf-8")) | st.text("<>&\"'/ab\u202e\u200b\n\r\x00")
SPANS = st.lists(st.tuples(st.integers(-3, 40), st.integers(-3, 40)), max_size=8)
OURS = re.compile(r'<span class="ctl" title="[^"<>]*">[^<>]*</span>|</?mark>')


@given(TEXT, SPANS)
def test_joined_segments_are_the_text(text, spans):
    segments = split_at_spans(text, spans)

    assert "".join(segment.text for segment in segments) == text


@given(TEXT, SPANS)
def test_segments_know_the_spans_around_them(text, spans):
    segments = split_at_spans(text, spans)

    assert all(
        (position in segment.covers)
        == (spans[position][0] <= segment.start and segment.end <= spans[position][1])
        for segment in segments
        for position in range(len(spans))
    )


@given(TEXT, SPANS)
def test_no_markup_of_the_input_survives(text, spans):
    rest = OURS.sub("", highlighted(text, spans))

    assert "<" not in rest
    assert ">" not in rest
    assert '"' not in rest


@given(TEXT)
def test_no_direction_or_zero_width_character_survives(text):
    shown = visible(text)

    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\x00]", shown)


def test_text_called_safe_elsewhere_is_escaped_all_the_same():
    assert visible(mark_safe("<b>")) == "&lt;b&gt;"


def test_right_to_left_override_is_named():
    assert "RLO" in visible("photo\u202egpj.exe")


def test_a_long_invisible_run_becomes_one_mark():
    shown = visible("\u200b" * 10_000)

    assert len(shown) < 300
    assert "+9997" in shown


def test_windows_line_ends_are_not_marked():
    assert visible("a\r\nb") == "a\r\nb"


@given(st.text("ab\n", max_size=300), st.integers(0, 299), st.integers(0, 20))
def test_excerpt_contains_its_span(text, start, length):
    start = min(start, len(text))
    span = (start, min(len(text), start + length))

    first, last = excerpt(text, span, around=10)

    assert 0 <= first <= span[0]
    assert span[1] <= last <= len(text)

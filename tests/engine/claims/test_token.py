"""The one word of a judge: four words are verdicts, nothing else is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.claims.model_judge import TOKENS, parse_token


@pytest.mark.parametrize("word", TOKENS)
@pytest.mark.parametrize(
    "spelling",
    ["{}", " {}\n", "{}.", '"{}"', "'{}'.", '"{}."', "“{}”", "`{}`", "**{}**"],
)
def test_each_word_is_read_in_quotes_and_with_one_full_stop(word, spelling):
    assert parse_token(spelling.format(word)) is TOKENS[word]


def test_case_does_not_matter():
    assert parse_token("Contradicted") is FactStatus.CONTRADICTED


@pytest.mark.parametrize(
    "text",
    [
        "UNVERIFIED",
        "NOT VERIFIED",
        "VERIFIED CONTRADICTED",
        "VERIFIED, CONTRADICTED",
        "VERIFIED\nCONTRADICTED",
        "VERIFIED..",
        "VERIFIED!",
        "VERIFIED:",
        "Verdict: VERIFIED",
        "VERIFIED because the passage says so",
        "VERIFIEDVERIFIED",
        "VERIFIE",
        "VERI FIED",
        "VERI\u200bFIED",
        "veriﬁed",
        "ⅤERIFIED",
        "\"VERIFIED'",
        "TRUE",
        "YES",
        "ПОДТВЕРЖДЕНО",
        "",
        ".",
        '""',
    ],
)
def test_anything_else_is_no_verdict(text):
    assert parse_token(text) is None


@given(st.text())
def test_any_text_that_is_not_exactly_a_word_is_no_verdict(text):
    bare = text.strip().strip("\"'“”`*").removesuffix(".").strip("\"'“”`*")

    if bare.upper() not in TOKENS or not bare.isascii():
        assert parse_token(text) is None


@given(st.sampled_from(sorted(TOKENS)), st.text(min_size=1))
def test_a_word_with_more_around_it_is_no_verdict(word, more):
    for text in (f"{word} {more}", f"{more} {word}", f"{word}{more}x"):
        if text.strip(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0.\"'“”`*") != word:
            assert parse_token(text) in (None, TOKENS[word])
            assert parse_token(f"x{text}") is None

"""A verdict of one word is read exactly (requirement D3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.judging.one_word import one_word

ALLOWED = ("VERIFIED", "CONTRADICTED", "AMBIGUOUS", "UNKNOWN")


@pytest.mark.parametrize(
    "said",
    [
        "VERIFIED",
        "verified",
        " Verified.\n",
        "**VERIFIED**",
        '"VERIFIED"',
        "«VERIFIED»",
    ],
)
def test_the_word_alone_is_read_however_it_is_dressed(said):
    assert one_word(said, ALLOWED) == "VERIFIED"


@pytest.mark.parametrize(
    "said",
    [
        "UNVERIFIED",
        "NOT VERIFIED",
        "not verified",
        "VERIFIED CONTRADICTED",
        "VERIFIED, because the source says so.",
        "The claim is VERIFIED",
        "VERIFIEDUNKNOWN",
        "VERIFI",
        "",
        " \n",
        "VERIFIED!",
        "veri\ufb01ed",
    ],
)
def test_anything_beside_the_word_makes_it_unreadable(said):
    assert one_word(said, ALLOWED) is None


@given(st.text(max_size=60))
def test_only_an_allowed_word_ever_comes_out(said):
    assert one_word(said, ALLOWED) in {None, *ALLOWED}


@given(st.sampled_from(ALLOWED), st.text(alphabet="abcxyz", min_size=1, max_size=8))
def test_letters_before_or_after_the_word_make_another_one(word, more):
    assert one_word(more + word, ALLOWED) is None
    assert one_word(word + more, ALLOWED) is None

"""Expressions are left out only where they cannot match."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.completion import commands_did
from verifyhub.engine.completion.actions import clauses
from verifyhub.engine.completion.languages import english, english_results, status_lines
from verifyhub.engine.text.screen import Screen, needed_pieces

EXPRESSIONS = (
    english._VERB,
    english._NEW_FILE,
    *(one for _, one in english._STATES),
    *(one for _, one in english_results._RESULTS),
    english_results._COMMAND_RESULT,
    *(one for _, one in status_lines._LINES),
    status_lines._BARE_COMMAND,
    *status_lines._COMMANDS,
    *clauses._VERB_PATTERNS,
    clauses.LOOKED_UP,
    clauses.HAD_DONE,
    clauses.SUCCESS,
    clauses.STANDS,
    clauses.HEADING,
    *(one for one, _ in commands_did._WORK),
)


@given(st.sampled_from(EXPRESSIONS).flatmap(st.from_regex))
def test_what_an_expression_matches_passes(text):
    passed = set(Screen(EXPRESSIONS).passed(text))

    matching = {at for at, one in enumerate(EXPRESSIONS) if one.search(text)}

    assert matching <= passed


def test_nearly_every_wording_is_told_by_its_words():
    assert all(map(needed_pieces, EXPRESSIONS))


@pytest.mark.parametrize(
    ("expression", "pieces"),
    [
        ("colou?r|grey", {"color", "colour", "grey"}),
        (r"\w+ (?:passed|failed)\b", {" passed", " failed"}),
        ("(?:ab)*c", {"c"}),
        ("(?:ab)+", {"ab"}),
        ("[ab]c", {"ac", "bc"}),
        (r"\d+", set()),
        ("(?i:ab)", set()),
        ("a?", set()),
    ],
)
def test_pieces_are_those_without_which_nothing_matches(expression, pieces):
    assert needed_pieces(re.compile(expression)) == pieces


def test_an_expression_that_ignores_case_always_passes():
    assert list(Screen([re.compile("ab", re.IGNORECASE)]).passed("AB")) == [0]


def test_half_a_surrogate_pair_does_no_harm():
    assert list(Screen([re.compile("ab")]).passed("\ud800 ab")) == [0]

"""Effects are stored as codes; each reader gets them in their own language."""

import pytest
from django.utils.translation import override

from verifyhub.review.effect_words import (
    EFFECT_WORDS,
    effect_words,
    effects_with_text,
    english_effects,
)

PARAMS = {
    "kind": "environment_variable",
    "name": '"HOME"',
    "right": '"USER"',
    "session": "",
    "claim": '"All tests pass."',
    "why": '"HOME"',
    "why_code": "by_lead",
    "count": 2,
}
TOLD = {"code": "constraint_active", "params": {"kind": "package", "name": '"x"'}}
OLD = {"type": "entry", "text": "As it was told then."}


@pytest.mark.parametrize("code", sorted(EFFECT_WORDS))
def test_every_code_has_words_that_take_its_parameters(code):
    english = effect_words({"code": code, "params": PARAMS})
    with override("ru"):
        russian = effect_words({"code": code, "params": PARAMS})

    assert "%(" not in english + russian
    assert english != russian


def test_the_parts_of_a_sentence_are_worded_too():
    with override("fr"):
        french = effect_words(TOLD)

    assert 'paquet "x"' in french


def test_why_a_constraint_is_retired_is_worded_too():
    params = {**PARAMS, "kind": "package"}
    with override("fr"):
        french = effect_words({"code": "constraint_retired", "params": params})
        own = {**params, "why": "Ours.", "why_code": ""}
        ours = effect_words({"code": "constraint_retired", "params": own})

    assert french.endswith("Un responsable l'a retirée.")
    assert ours.endswith("Ours.")


def test_programs_get_english_whatever_the_reader_speaks():
    with override("ru"):
        (told,) = effects_with_text([TOLD])

    assert told == {
        **TOLD,
        "text": 'Every agent receives the constraint that there is no package "x".',
    }


def test_effects_that_are_older_than_their_codes_keep_their_sentence():
    with override("fr"):
        assert effect_words(OLD) == "As it was told then."
    assert english_effects([OLD]) == ["As it was told then."]

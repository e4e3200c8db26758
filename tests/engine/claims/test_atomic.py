"""A model splits sentences of fact, and can add nothing to them."""

import json

import pytest

from verifyhub.engine.claim_results import SentenceKind
from verifyhub.engine.claims.extract import extract_claims
from verifyhub.engine.ports import ModelError, ModelReply, ModelUsage

ANSWER = "Anna Meier built the bridge in 1932 and painted it red. I think it is nice."
SENTENCE = "Anna Meier built the bridge in 1932 and painted it red."


class Splits:
    """Answers with some claims; sorts the control names rightly unless told not to."""

    name = "splitter"

    def __init__(self, *claims, misled=False):
        self.claims, self.misled, self.asked = list(claims), misled, []

    def ask(self, request):
        (document,) = json.loads(request.user).values()
        self.asked.append((request.system, document, request.purpose))
        names, listed = document["names_to_sort"], document["names_listed"]
        absent = [name for name in names if name not in listed]
        said = {
            "claims": self.claims,
            "present": names if self.misled else listed,
            "absent": [] if self.misled else absent,
        }
        return ModelReply(text=json.dumps(said), usage=ModelUsage(input_tokens=9))


class Down:
    name = "down"

    def ask(self, _request):
        raise ModelError("unreachable", "nobody there")


def test_a_sentence_becomes_claims_at_its_place():
    model = Splits(
        "1 Anna Meier built the bridge in 1932.", "1. Anna Meier painted it red."
    )

    extraction = extract_claims(ANSWER, model=model)

    assert [(one.text, one.by_model) for one in extraction] == [
        ("Anna Meier built the bridge in 1932.", True),
        ("Anna Meier painted it red.", True),
        ("I think it is nice.", False),
    ]
    assert {one.span for one in extraction.claims[:2]} == {(0, len(SENTENCE))}
    assert extraction.usages == (ModelUsage(input_tokens=9),)
    assert extraction.reason == ""


def test_only_sentences_of_fact_are_shown_and_as_material():
    model = Splits()

    extract_claims(ANSWER, model=model)

    ((system, document, purpose),) = model.asked
    assert document["sentences"] == {"1": SENTENCE}
    assert SENTENCE not in system
    assert purpose == "claims.atomic"


@pytest.mark.parametrize(
    "said",
    [
        "1 Karl Huber built the bridge in 1932.",
        "1 Anna Meier built the bridge in 1934.",
        "1 Anna Meier never built the bridge.",
        "2 I think it is nice.",
        "0 Anna Meier built the bridge.",
        "9999999999 Anna Meier built the bridge.",
        "Anna Meier built the bridge.",
        "1",
        "one Anna Meier built the bridge.",
        "1 The moon is made of cheese.",
    ],
)
def test_what_the_sentence_does_not_say_is_dropped_and_the_sentence_stays(said):
    extraction = extract_claims(ANSWER, model=Splits(said))

    assert [one.text for one in extraction] == [SENTENCE, "I think it is nice."]


def test_a_denial_cannot_be_split_away():
    answer = "Anna Meier did not build the bridge in 1932."
    model = Splits("1 Anna Meier did build the bridge in 1932.")

    assert [one.text for one in extract_claims(answer, model=model)] == [answer]


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (Down(), "unreachable"),
        (Splits("1 Anna Meier built the bridge.", misled=True), "judge_misled"),
    ],
)
def test_a_model_that_fails_leaves_the_sentences_and_says_why(model, reason):
    extraction = extract_claims(ANSWER, model=model)

    assert [one.kind for one in extraction] == [
        SentenceKind.FACTUAL,
        SentenceKind.OPINION,
    ]
    assert extraction.reason == reason


def test_a_model_is_not_asked_about_an_answer_without_facts():
    model = Splits()

    extract_claims("Do you like it?", model=model)

    assert model.asked == []

"""E3 and E4: agreement of independent sources, and of five ways to ask."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.layers.doubles import PARIS, Opines, Writes, always, in_turn, look
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.layers.base import LayerInput
from verifyhub.engine.layers.multi_source import independent
from verifyhub.engine.layers.self_consistency import final_answer, majority, normal
from verifyhub.engine.ports import ModelError
from verifyhub.engine.reports import Outcome

SOURCES, CONSISTENCY = LayerName.MULTI_SOURCE, LayerName.SELF_CONSISTENCY
AWAY = ModelError("rate_limited", "later")
LONG = " ".join(f"word{number}" for number in range(60))


def sourced(*sources, **fields):
    subject = LayerInput(text="Paris.", task=PARIS.task, sources=sources)
    return look(SOURCES, subject, **fields)


@pytest.mark.parametrize(
    "sources",
    [(), ("Paris.",), ("Paris is it.", " PARIS  is it."), (LONG, LONG + " more")],
)
def test_fewer_than_two_independent_sources_are_insufficient(sources):
    model = always("SUPPORTS")
    result = sourced(*sources, verifier=model)

    assert (result.outcome, result.score) == (Outcome.SKIPPED, None)
    assert result.reason == "insufficient"
    assert model.calls == []


def test_two_sources_that_support_pass_with_agreement_times_confidence():
    result = sourced("France: Paris.", "Capital: Paris.", verifier=always("SUPPORTS"))

    assert (result.outcome, result.score) == (Outcome.PASSED, pytest.approx(0.9))


@pytest.mark.parametrize(
    ("supporting", "silent", "outcome"),
    [(3, 2, "passed"), (2, 2, "failed"), (1, 1, "failed")],
)
def test_three_fifths_have_to_support_and_two_at_least(supporting, silent, outcome):
    opinions = [("SUPPORTS", 0.8)] * supporting + [("SILENT", 0.8)] * silent
    sources = [f"Source {n} speaks of Paris." for n in range(len(opinions))]
    result = sourced(*sources, verifier=in_turn(*opinions))

    share = supporting / len(opinions)
    assert result.outcome == outcome
    assert result.score == pytest.approx(share * 0.8)


def test_a_source_nobody_could_ask_about_can_leave_it_open():
    sources = [f"Source {n} speaks of Paris." for n in range(3)]
    said = [("SUPPORTS", 0.9), ("SUPPORTS", 0.9), AWAY]
    certain = sourced(*sources, verifier=in_turn(*said))
    open_ = sourced(
        *sources, verifier=in_turn(("SUPPORTS", 0.9), ("SILENT", 0.9), AWAY)
    )

    assert (certain.outcome, certain.reason) == (Outcome.PASSED, "rate_limited")
    assert (open_.outcome, open_.reason) == (Outcome.INCONCLUSIVE, "rate_limited")


@pytest.mark.parametrize("given_", [2.0, -1.0])
def test_confidence_beyond_its_range_is_clamped(given_):
    result = sourced("One source.", "Two source.", verifier=always("SUPPORTS", given_))

    assert result.score == min(1.0, max(0.0, given_))


@pytest.mark.parametrize("given_", [float("nan"), "0.9", None, True, 10**400])
def test_confidence_that_is_no_number_is_no_opinion(given_):
    model = always("SUPPORTS", given_)
    result = sourced("One source.", "Two source.", verifier=model)

    assert (result.outcome, result.reason) == (Outcome.INCONCLUSIVE, "malformed")
    assert len(model.calls) == 4, "each is asked once more"


def test_a_word_that_was_not_asked_for_is_no_opinion():
    for word in ("UNSUPPORTED", "NOT SUPPORTS", "SUPPORTS CONTRADICTS"):
        result = sourced("One source.", "Two source.", verifier=always(word))
        assert result.outcome == Outcome.INCONCLUSIVE


def test_copies_are_found_whatever_the_script_and_the_marks():
    one = (
        "这座桥于一九三二年通车，横跨海港，共有四条车道，长五百零三米，是世界著名建筑。"
    )

    assert len(independent(["It is Paris.", "It is: Paris!"])) == 1
    assert len(independent([one, one[:-1] + "之一。"])) == 1
    assert (
        len(
            independent(
                [one, "埃菲尔铁塔建于一八八九年，位于巴黎市中心，高三百三十米。"]
            )
        )
        == 2
    )
    assert independent(["", "...", "One."]) == ["One."]


@given(st.permutations(["alpha beta", "gamma delta", "alpha beta", "ALPHA  beta"]))
def test_copies_count_once_in_any_order(texts):
    assert len(independent(texts)) == 2


@settings(max_examples=20)
@given(st.permutations(["SUPPORTS", "SUPPORTS", "SILENT", "CONTRADICTS"]))
def test_the_order_of_sources_does_not_matter(words):
    sources = [f"Source {n} says {word}." for n, word in enumerate(words)]
    by_text = Opines(
        lambda one: next((word, 0.8) for word in words if word in one["passages"][0])
    )
    result = sourced(*sources, verifier=by_text)

    assert result.score == pytest.approx(0.4)
    assert result.outcome == Outcome.FAILED


@settings(max_examples=20)
@given(st.integers(0, 4))
def test_one_more_source_that_agrees_never_lowers_the_score(supporting):
    def score(count):
        said = [("SUPPORTS", 0.7)] * count + [("SILENT", 0.7)] * (5 - count)
        sources = [f"Source {n} here." for n in range(5)]
        return sourced(*sources, verifier=in_turn(*said)).score

    assert score(supporting + 1) >= score(supporting)


def test_five_variants_are_asked_and_four_of_five_pass():
    model = in_turn(*[("AGREE", 0.9)] * 4, ("DISAGREE", 0.9))
    result = look(CONSISTENCY, verifier=model)

    assert (result.outcome, result.score) == (Outcome.PASSED, pytest.approx(0.72))
    assert len({call["system"] for call in model.calls}) == 5
    assert "Paris." not in "".join(call["system"] for call in model.calls)


def test_three_of_five_do_not_pass():
    said = [("AGREE", 0.9)] * 3 + [("DISAGREE", 0.9)] * 2
    assert look(CONSISTENCY, verifier=in_turn(*said)).outcome == Outcome.FAILED


def test_votes_that_never_came_leave_it_open_only_where_they_could_decide():
    open_ = look(CONSISTENCY, verifier=in_turn(*[("AGREE", 0.9)] * 3, AWAY, AWAY))
    lost = look(CONSISTENCY, verifier=in_turn(*[("DISAGREE", 0.9)] * 2, AWAY))
    none = look(CONSISTENCY, verifier=in_turn(AWAY))

    assert (open_.outcome, open_.score) == (Outcome.INCONCLUSIVE, None)
    assert lost.outcome == Outcome.FAILED
    assert (none.outcome, none.reason) == (Outcome.INCONCLUSIVE, "rate_limited")


def test_the_majority_of_sampled_reasonings_wins_wang_2022_figure_1():
    sampled = [
        "She has 16 - 3 - 4 = 9 eggs left, so she makes 9 * $2. The answer is $18.",
        "She sells the rest for $2 * (16 - 4 - 3). The answer is $26.",
        "She has 13 left, bakes with 4, so 9 eggs * $2. The answer is $18.",
    ]

    assert majority([normal(final_answer(one)) for one in sampled]) == ("18", 2)


def test_a_short_answer_can_be_held_against_the_majority():
    task = "How much does she make?"
    options = {"consistency_by": "majority", "samples": 5}
    answers = ["So: the answer is $18."] * 4 + ["The answer is 26"]
    right = LayerInput(text="$18", task=task)
    wrong = LayerInput(text="The answer is 26.", task=task)
    passed, failed = (
        look(CONSISTENCY, one, text_model=Writes(answers), options=options)
        for one in (right, wrong)
    )

    assert (passed.outcome, passed.score) == (Outcome.PASSED, pytest.approx(0.8))
    assert (failed.outcome, failed.score) == (Outcome.FAILED, pytest.approx(0.2))
    assert failed.details["majority"] == "18"


def test_a_long_answer_has_no_majority():
    options = {"consistency_by": "majority"}
    subject = LayerInput(text=LONG, task="Tell.")
    result = look(CONSISTENCY, subject, text_model=Writes(), options=options)

    assert (result.outcome, result.reason) == (Outcome.SKIPPED, "answer_too_long")


@pytest.mark.parametrize("name", [SOURCES, CONSISTENCY])
def test_without_a_model_it_is_skipped(name):
    subject = LayerInput(text="x", sources=("One source.", "Two source."))

    assert look(name, subject).reason == "no_model"

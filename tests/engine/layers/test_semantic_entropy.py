"""E1: answers drawn anew, clustered by meaning, and the entropy of the clusters."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.layers.doubles import PARIS, Writes, look
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.layers.base import LayerInput
from verifyhub.engine.layers.semantic_entropy import (
    MeaningLikeness,
    certainty,
    discrete_entropy,
    meanings_of,
    weighted_entropy,
)
from verifyhub.engine.ports import ModelError, ModelReply
from verifyhub.engine.reports import Outcome

ENTROPY = LayerName.SEMANTIC_ENTROPY


def by_city(first, second):
    """Two answers entail each other where they name the same city."""
    cities = [
        next(c for c in ("paris", "rome", "london") if c in text.lower())
        for text in (first, second)
    ]
    return "ENTAILMENT" if cities[0] == cities[1] else "CONTRADICTION"


def with_probability(text, share, tokens=1):
    return ModelReply(text=text, logprob=math.log(share), tokens=tokens)


def test_meanings_apart_leave_the_entropy_of_the_answers_kuhn_2023_table_1a():
    answers = [math.log(0.5)], [math.log(0.4)], [math.log(0.1)]

    assert weighted_entropy(answers) == pytest.approx(0.94, abs=0.005)


def test_one_meaning_in_two_wordings_lowers_it_kuhn_2023_table_1b():
    answers = [math.log(0.5), math.log(0.4)], [math.log(0.1)]

    assert weighted_entropy(answers) == pytest.approx(0.33, abs=0.005)


def test_the_table_is_reproduced_by_the_layer_itself():
    model = Writes(
        [
            with_probability("Paris", 0.5),
            with_probability("It's Paris", 0.4),
            with_probability("London", 0.1),
        ],
        relate=by_city,
    )
    result = look(ENTROPY, text_model=model, options={"samples": 3})

    assert result.details["weighted_entropy"] == pytest.approx(0.33, abs=0.005)
    assert result.details["discrete_entropy"] == pytest.approx(0.64, abs=0.005)
    assert result.details["by"] == "weighted"
    assert result.score == pytest.approx(1 - 0.3251 / math.log(3), abs=0.001)
    assert result.details["answer_share"] == pytest.approx(2 / 3)


def test_without_probabilities_the_counts_decide():
    model = Writes(["Paris.", "It's Paris", "Paris it is", "Rome", "Paris!"])
    result = look(ENTROPY, text_model=Writes(model._answers, relate=by_city))

    assert result.details["by"] == "discrete"
    assert [one["size"] for one in result.details["clusters"]] == [4, 1]
    assert result.score == pytest.approx(1 - 0.5004 / math.log(5), abs=0.001)


def test_one_answer_without_a_probability_leaves_the_counts_to_decide():
    answers = [with_probability("Paris", 0.5), "London"]
    model = Writes(answers, relate=by_city)
    result = look(ENTROPY, text_model=model, options={"samples": 2})

    assert result.details["weighted_entropy"] is None
    assert result.score == pytest.approx(0.0)


def test_length_normalised_or_not_is_a_choice():
    answers = [with_probability("Paris", 0.25, tokens=2), with_probability("Rome", 0.5)]
    shares = {}
    for by_length in (True, False):
        model = Writes(answers, relate=by_city)
        options = {"samples": 2, "length_normalised": by_length}
        result = look(ENTROPY, text_model=model, options=options)
        shares[by_length] = result.details["weighted_entropy"]

    assert shares[True] == pytest.approx(math.log(2))
    assert shares[False] == pytest.approx(0.6365, abs=0.001)


def test_all_alike_pass_and_are_not_compared():
    model = Writes(["Paris."])
    result = look(ENTROPY, text_model=model)

    assert (result.outcome, result.score) == (Outcome.PASSED, 1.0)
    assert set(model.purposes()) == {"layer.semantic_entropy"}


def test_the_prompt_is_the_task_with_its_context_and_always_the_same():
    model = Writes(["Paris."])
    subject = LayerInput(text="Rome", task="Which city?", context="The one in France.")
    look(ENTROPY, subject, text_model=model)
    samples = [call for call in model.calls if "samples" not in call["document"]]
    drawn = [call for call in samples if call["purpose"] == "layer.semantic_entropy"]

    assert len(drawn) == 5
    assert len({call["user"] for call in drawn}) == 1
    assert drawn[0]["document"]["task"] == "Which city?"
    assert drawn[0]["document"]["context"] == "The one in France."
    assert "Rome" not in drawn[0]["user"]
    assert drawn[0]["temperature"] == 1.0


def test_a_text_that_contradicts_what_most_answers_say_does_not_pass():
    subject = LayerInput(text="London.", task=PARIS.task)
    result = look(ENTROPY, subject, text_model=Writes(["Paris."], relate=by_city))

    assert result.outcome == Outcome.FAILED
    assert result.reason == "answer_contradicts_samples"
    assert result.details["answer_share"] == 0.0


def test_one_usable_answer_is_inconclusive():
    cut = ModelReply(text="Par", is_cut=True)
    failed = ModelError("rate_limited", "later")
    model = Writes(["Paris.", failed, cut, failed, cut])
    result = look(ENTROPY, text_model=model)

    assert (result.outcome, result.score) == (Outcome.INCONCLUSIVE, None)
    assert result.reason == "rate_limited"


def test_an_unreadable_judge_leaves_the_layer_inconclusive():
    model = Writes(["Paris.", "Rome."], relate=lambda *_: "NOT ENTAILMENT")
    result = look(ENTROPY, text_model=model)

    assert (result.outcome, result.reason) == (Outcome.INCONCLUSIVE, "malformed")


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, "no_model"),
        ({"text_model": Writes(), "subject": LayerInput(text="x")}, "no_task"),
        ({"text_model": Writes(), "options": {"entropy_by": "cosine"}}, "no_embedder"),
    ],
)
def test_where_it_does_not_apply_it_is_skipped(fields, reason):
    result = look(ENTROPY, **fields)

    assert (result.outcome, result.reason) == (Outcome.SKIPPED, reason)


class Embeds:
    """Vectors of a test: a right angle between cities."""

    name, dimension = "double", 2

    def embed(self, texts):
        return [[1.0, 0.0] if "Paris" in text else [0.0, 1.0] for text in texts]


def test_the_cheap_variant_is_the_mean_cosine():
    model = Writes(["Paris", "Paris!", "Rome"])
    options = {"entropy_by": "cosine", "samples": 3}
    result = look(ENTROPY, text_model=model, embedder=Embeds(), options=options)

    assert result.score == pytest.approx(1 / 3)
    assert result.details["by"] == "cosine"


def comparing(labels):
    """Compare positions by their label; the text at hand is the last one."""

    def compare(pairs):
        return [
            MeaningLikeness.SAME
            if labels[a] == labels[b]
            else MeaningLikeness.DIFFERENT
            for a, b in pairs
        ]

    return compare


LABELS = st.lists(st.sampled_from("abcd"), min_size=3, max_size=12)


@given(LABELS)
def test_clusters_are_those_of_the_published_algorithm(labels):
    found = meanings_of(len(labels) - 1, comparing(labels))
    greedy: list[list[int]] = []
    for place, label in enumerate(labels[:-1]):
        for cluster in greedy:
            if labels[cluster[0]] == label:
                cluster.append(place)
                break
        else:
            greedy.append([place])

    assert [list(cluster) for cluster in found.clusters] == greedy
    assert (found.at_hand is None) == (labels[-1] not in labels[:-1])


@given(LABELS, st.randoms())
def test_the_order_of_the_answers_does_not_matter(labels, random):
    *answers, mine = labels
    shuffled = random.sample(answers, len(answers))
    scores = []
    for some in (answers, shuffled):
        found = meanings_of(len(some), comparing([*some, mine]))
        entropy = discrete_entropy([len(cluster) for cluster in found.clusters])
        scores.append(certainty(entropy, found.placed))

    assert scores[0] == pytest.approx(scores[1])
    assert 0.0 <= scores[0] <= 1.0


@given(LABELS)
def test_one_answer_more_with_the_majority_never_lowers_the_score(labels):
    *answers, _ = labels
    most = max(sorted(set(answers)), key=answers.count)
    changed = next((p for p, one in enumerate(answers) if one != most), None)
    agreeing = list(answers)
    if changed is not None:
        agreeing[changed] = most
    before, after = (
        discrete_entropy([some.count(one) for one in set(some)])
        for some in (answers, agreeing)
    )

    assert after <= before + 1e-9


@given(st.lists(st.lists(st.floats(-50, 0), min_size=1), min_size=1, max_size=6))
def test_the_weighted_entropy_lies_between_nothing_and_the_number_of_meanings(logs):
    found = weighted_entropy(logs)

    assert 0.0 <= found <= math.log(len(logs)) + 1e-9


@given(st.data())
def test_a_failed_comparison_begins_no_meaning_of_its_own(data):
    kinds = st.sampled_from(
        [MeaningLikeness.SAME, MeaningLikeness.DIFFERENT, MeaningLikeness.UNKNOWN]
    )
    count = data.draw(st.integers(2, 6))

    def compare(pairs):
        return [data.draw(kinds) for _ in pairs]

    found = meanings_of(count, compare)

    assert found.placed + len(found.unplaced) == count
    assert len(found.clusters) >= 1

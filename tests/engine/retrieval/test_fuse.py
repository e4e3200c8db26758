"""Rankings joined by reciprocal rank (Cormack et al. 2009)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verifyhub.engine.retrieval.run_search import reciprocal_rank_fusion

RANKINGS = st.lists(
    st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True), max_size=5
)


@given(RANKINGS, st.randoms(use_true_random=False))
def test_the_order_of_the_rankings_changes_nothing(rankings, random):
    shuffled = rankings.copy()
    random.shuffle(shuffled)

    assert reciprocal_rank_fusion(rankings) == reciprocal_rank_fusion(shuffled)


@given(RANKINGS)
def test_everything_ranked_comes_once_and_scores_fall(rankings):
    fused = reciprocal_rank_fusion(rankings)

    names = [name for name, _ in fused]
    scores = [score for _, score in fused]
    assert sorted(names) == sorted({name for ranking in rankings for name in ranking})
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score < (len(rankings) + 0.1) / 61 for score in scores)


@given(st.lists(st.sampled_from("abcdefgh"), max_size=8, unique=True))
def test_one_ranking_keeps_its_order(ranking):
    assert [name for name, _ in reciprocal_rank_fusion([ranking])] == ranking


def test_the_scores_are_those_of_the_paper():
    fused = dict(reciprocal_rank_fusion([["a", "b"], ["b", "c"]]))

    assert fused["b"] == pytest.approx(1 / 61 + 1 / 62)
    assert fused["a"] == pytest.approx(1 / 61)
    assert fused["c"] == pytest.approx(1 / 62)


def test_a_name_that_one_ranking_repeats_counts_once():
    assert reciprocal_rank_fusion([["a", "a", "b"]]) == reciprocal_rank_fusion(
        [["a", "b"]]
    )

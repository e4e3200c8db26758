"""E5: whether a text follows from its context."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.engine.layers.doubles import Opines, always, look
from verifyhub.engine.claim_results import FactStatus, JudgedBy
from verifyhub.engine.claims.judges import ClaimJudgement
from verifyhub.engine.layer_results import LayerName
from verifyhub.engine.layers.base import LayerInput
from verifyhub.engine.layers.inference import Inference
from verifyhub.engine.layers.nli import PassageRelation, score_of, strongest
from verifyhub.engine.ports import ModelError
from verifyhub.engine.reports import Outcome

SUBJECT = LayerInput(
    text="It has four legs.", task="Legs?", context="It has four legs."
)
LONG = LayerInput(
    text="The bridge was opened in 1932.",
    context="\n\n".join(
        [f"Paragraph {n} tells of something else. " * 20 for n in range(20)]
        + ["The bridge was opened in 1932, says the plaque."]
    ),
)


def judged(subject=SUBJECT, **fields):
    return look(LayerName.NLI, subject, **fields)


@pytest.mark.parametrize(
    ("relation", "outcome", "score"),
    [
        ("ENTAILMENT", Outcome.PASSED, 0.9),
        ("NEUTRAL", Outcome.PASSED, 0.45),
        ("CONTRADICTION", Outcome.FAILED, 0.1),
    ],
)
def test_each_relation_has_its_score(relation, outcome, score):
    result = judged(verifier=always(relation))

    assert (result.outcome, result.score) == (outcome, pytest.approx(score))


def test_without_context_it_is_skipped():
    result = judged(LayerInput(text="x", context=" \n"), verifier=always("NEUTRAL"))

    assert (result.outcome, result.score) == (Outcome.SKIPPED, None)
    assert result.reason == "no_context"


def test_of_a_long_context_the_passage_that_entails_the_text_counts():
    def opinion(one):
        entails = "1932" in one["premise"]
        return ("ENTAILMENT", 0.95) if entails else ("NEUTRAL", 0.99)

    result = judged(LONG, verifier=Opines(opinion))

    assert (result.outcome, result.score) == (Outcome.PASSED, 0.95)
    assert result.details["passages"] <= 8
    assert result.details["left_out"] > 0
    assert "1932" in result.details["passage"]


def test_a_passage_that_contradicts_is_not_drowned_by_silent_ones():
    def opinion(one):
        contradicts = "1932" in one["premise"]
        return ("CONTRADICTION", 0.9) if contradicts else ("NEUTRAL", 1.0)

    result = judged(LONG, verifier=Opines(opinion))

    assert (result.outcome, result.score) == (Outcome.FAILED, pytest.approx(0.1))


def test_a_passage_nobody_judged_might_have_entailed_it():
    def opinion(one):
        if "1932" in one["premise"]:
            return ModelError("rate_limited", "later")
        return ("NEUTRAL", 0.9)

    result = judged(LONG, verifier=Opines(opinion))

    assert (result.outcome, result.reason) == (Outcome.INCONCLUSIVE, "rate_limited")


class Judge:
    """A judge on this machine."""

    name, judged_by = "local", JudgedBy.LOCAL_JUDGE

    def __init__(self, status, confidence=0.8, reason="judged"):
        self._said = ClaimJudgement(status=status, confidence=confidence, reason=reason)

    def judge(self, claim, candidates, *, task):
        assert candidates
        return self._said


def test_a_judge_on_this_machine_needs_no_model():
    passed = judged(judge=Judge(FactStatus.VERIFIED))
    failed = judged(judge=Judge(FactStatus.CONTRADICTED))
    broken = judged(judge=Judge(FactStatus.UNKNOWN, None, "judge_unreadable"))

    assert (passed.outcome, passed.score) == (Outcome.PASSED, 0.8)
    assert passed.details["judged_by"] == "local"
    assert failed.outcome == Outcome.FAILED
    assert (broken.outcome, broken.reason) == (
        Outcome.INCONCLUSIVE,
        "judge_unreadable",
    )


PASSAGES = st.lists(
    st.builds(PassageRelation, st.sampled_from(Inference), st.floats(0, 1)), min_size=1
)


@given(PASSAGES, st.randoms())
def test_the_score_is_a_share_that_no_order_changes(passages, random):
    shuffled = random.sample(passages, len(passages))

    assert 0.0 <= score_of(strongest(passages)) <= 1.0
    assert score_of(strongest(shuffled)) == score_of(strongest(passages))


@given(PASSAGES)
def test_one_more_entailing_passage_never_lowers_an_entailed_score(passages):
    entailed = [*passages, PassageRelation(Inference.ENTAILMENT, 0.5)]
    more = [*entailed, PassageRelation(Inference.ENTAILMENT, 0.9)]

    assert score_of(strongest(more)) >= score_of(strongest(entailed))

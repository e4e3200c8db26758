"""Claims of fact and detection layers in the pipeline: they lower, and never raise."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.builders import a_command, an_interaction, verify
from verifyhub.engine.calibration.calibrator import Calibrator, CurveKind
from verifyhub.engine.claim_results import (
    Claim,
    ClaimEvidence,
    ClaimResult,
    FactStatus,
    JudgedBy,
)
from verifyhub.engine.claims.check import ClaimInputs
from verifyhub.engine.claims.judges import ClaimJudgement
from verifyhub.engine.decisions.detection import DetectionInputs, raised
from verifyhub.engine.decisions.facts import calibrated
from verifyhub.engine.layer_results import Risk, RiskLevel
from verifyhub.engine.passages import Candidate, Passage, PassageOrigin
from verifyhub.engine.thresholds import Thresholds

SAYS = "The bridge has 14 arches."
RANK = {"reject": 0, "uncertain": 1, "accept": 2}


class Finds:
    """Finds the same passage for every claim."""

    def search(self, claims: Sequence[str], *, limit: int = 3) -> list[list[Candidate]]:
        passage = Passage(
            id="0",
            origin=PassageOrigin.SOURCE,
            ref="0",
            text=SAYS,
            span=(0, len(SAYS)),
        )
        return [[Candidate(passage=passage, score=1.0)] for _ in claims]


class Says:
    """A judge that gives one status to every claim."""

    name = "says"

    def __init__(self, status, judged_by=JudgedBy.MODEL):
        self.status, self.judged_by, self.asked = status, judged_by, 0

    def judge(self, claim, candidates, *, task):
        self.asked += 1
        return ClaimJudgement(status=self.status, deciding=0, confidence=0.9)


def answer(text=SAYS, *, file="src/app.py"):
    return an_interaction(f"See `{file}`. {text}", a_command("ls", "src/app.py"))


def checked(status, *, run=None, thresholds=None, judge=None):
    inputs = ClaimInputs(search=Finds(), judge=judge or Says(status))
    return verify(
        run or answer(),
        claim_inputs=inputs,
        thresholds=thresholds or Thresholds(),
    )


@pytest.mark.parametrize("status", FactStatus)
@pytest.mark.parametrize("file", ["src/app.py", "src/none.py"])
def test_no_judge_raises_what_the_ledger_said(status, file):
    alone = verify(answer(file=file)).verdict

    met = checked(status, run=answer(file=file)).verdict

    assert RANK[met] <= RANK[alone]


def test_a_contradiction_asks_for_clarity_and_rejects():
    report = checked(FactStatus.CONTRADICTED)

    assert (report.verdict, report.decision.action) == ("reject", "clarify")
    assert report.decision.reason == "fact_contradicted"
    assert SAYS in report.decision.additional_context


def test_sources_that_part_leave_the_answer_uncertain():
    report = checked(FactStatus.AMBIGUOUS)

    assert (report.verdict, report.decision.action) == ("uncertain", "accept")


def test_a_claim_that_is_borne_out_changes_nothing():
    assert checked(FactStatus.VERIFIED).verdict == verify(answer()).verdict


def test_what_nobody_settled_lowers_coverage():
    settled = checked(FactStatus.VERIFIED).coverage

    assert checked(FactStatus.UNKNOWN).coverage < settled


def test_a_model_does_not_judge_what_goes_back_anyway():
    judge = Says(FactStatus.VERIFIED)
    names = " ".join(f"`src/none{n}.py`" for n in range(5))

    checked(FactStatus.VERIFIED, run=answer(f"{names} {SAYS}"), judge=judge)

    assert judge.asked == 0


def test_a_judge_on_this_machine_is_asked_all_the_same():
    judge = Says(FactStatus.VERIFIED, JudgedBy.LOCAL_JUDGE)

    checked(FactStatus.VERIFIED, thresholds=Thresholds(ask_models="never"), judge=judge)

    assert judge.asked


def test_without_inputs_a_report_holds_neither():
    report = verify(answer())

    assert (report.claims, report.detection) == ((), None)


def test_the_risk_is_told_even_where_no_layer_runs():
    report = verify(
        answer("Take two tablets of ibuprofen."), detection_inputs=DetectionInputs()
    )

    assert report.detection is not None
    assert report.detection.risk.level == "critical"
    assert report.detection.outcome == "skipped"
    assert report.verdict == verify(answer("Take two tablets of ibuprofen.")).verdict


def test_layers_that_found_nothing_out_say_nothing():
    report = verify(answer(), detection_inputs=DetectionInputs(run=True, asked=True))

    assert report.detection is not None
    assert report.detection.outcome == "inconclusive"
    assert report.verdict == verify(answer()).verdict


@given(st.sampled_from(RiskLevel), st.sampled_from([*RiskLevel, "none", 7, None]))
def test_a_run_only_raises_its_risk(level, said):
    run = replace(answer(), metadata={"risk": said})

    found = raised(Risk(level=level, by="rules"), run).level

    order = list(RiskLevel)
    assert order.index(found) >= order.index(level)
    assert found in (level, said)


def a_result(status):
    passage = Finds().search([""])[0][0].passage
    return ClaimResult.of(
        claim=Claim(text=SAYS, span=(0, len(SAYS))),
        status=status,
        judged_by=JudgedBy.MODEL,
        confidence=0.9,
        evidence=ClaimEvidence.of(passage=passage, span=(0, 3)),
    )


def test_a_calibration_speaks_of_claims_and_is_turned_for_denials():
    # A judge that says 0.9 of claims that are true is right in seven of ten.
    curve = Calibrator(
        kind=CurveKind.ISOTONIC,
        parameters={"scores": [0.1, 0.9], "values": [0.2, 0.7]},
        version="1",
    )

    borne_out = calibrated(a_result(FactStatus.VERIFIED), curve)
    denied = calibrated(a_result(FactStatus.CONTRADICTED), curve)

    assert borne_out.calibrated == pytest.approx(0.7)
    assert denied.calibrated == pytest.approx(0.8)

"""An operator's own judge: loaded from a folder, its labels read, errors named."""

import json
import math

import pytest

from tests.engine.claims.builders import FindsAll, an_answer, candidates
from tests.engine.local_models.tiny_onnx import onnx_bytes, write_judge
from verifyhub.engine.claim_results import FactStatus, JudgedBy
from verifyhub.engine.claims.check import ClaimInputs, check_claims
from verifyhub.engine.local_models.judge import (
    LocalJudge,
    LocalJudgeError,
    configured_judge,
)

# By its words a passage bears a claim out, denies it, or says nothing.
WORDS = {"[SEP]": (0, 1, 0), "so": (6, 0, 0), "never": (0, 0, 6)}
CLAIM = "The bridge is open."
YES, NO, NOTHING = "It is so.", "It is never open.", "The river is long."


@pytest.fixture
def judge(tmp_path):
    return LocalJudge(write_judge(tmp_path / "nli", WORDS))


@pytest.mark.parametrize(
    ("passages", "status", "deciding", "against"),
    [
        ([YES], FactStatus.VERIFIED, 0, ()),
        ([NOTHING, YES], FactStatus.VERIFIED, 1, ()),
        ([NO, NOTHING, NO], FactStatus.CONTRADICTED, 0, (2,)),
        ([NO, YES], FactStatus.AMBIGUOUS, 1, (0,)),
        ([NOTHING], FactStatus.UNKNOWN, None, ()),
        ([], FactStatus.UNKNOWN, None, ()),
    ],
)
def test_labels_become_statuses_and_the_deciding_passage_is_known(
    judge, passages, status, deciding, against
):
    said = judge.judge(CLAIM, candidates(*passages), task="")

    assert (said.status, said.deciding, said.against) == (status, deciding, against)


def test_confidence_is_the_probability_of_the_label(judge):
    said = judge.judge(CLAIM, candidates(YES), task="")

    weights = [math.exp(6), math.exp(2), 1.0]
    assert said.confidence == pytest.approx(weights[0] / sum(weights))


def test_a_judge_of_two_labels_never_contradicts(tmp_path):
    words = {"[SEP]": (0, 1), "so": (6, 0), "never": (0, 6)}
    folder = write_judge(tmp_path, words, labels=("grounded", "hallucinated"))
    judge = LocalJudge(folder)

    assert judge.judge(CLAIM, candidates(YES), task="").status is FactStatus.VERIFIED
    assert judge.judge(CLAIM, candidates(NO), task="").status is FactStatus.UNKNOWN


def test_a_claim_is_judged_by_it_and_marked_so(judge):
    opinion = check_claims(
        an_answer(CLAIM), inputs=ClaimInputs(FindsAll(NO), judge=judge)
    )

    (result,) = opinion.claims
    assert result.judged_by is JudgedBy.LOCAL_JUDGE
    assert opinion.contradicted
    assert opinion.check.details["judge"] == "nli"


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("model.onnx", None, "model.onnx is missing"),
        ("tokenizer.json", None, "tokenizer.json is missing"),
        ("config.json", None, "config.json is missing"),
        ("model.onnx", b"no model", "model.onnx is no ONNX model"),
        ("model.onnx", onnx_bytes([[0.0] * 3] * 5, name="pixels"),
         "model.onnx has no input named input_ids"),
        ("model.onnx", onnx_bytes([[0.0] * 2] * 5), "names 3 labels"),
        ("model.onnx", onnx_bytes([[float("nan")] * 3] * 5), "no finite numbers"),
        ("model.onnx", onnx_bytes([[0.0] * 3]), "does not run"),
        ("tokenizer.json", b"{}", "tokenizer.json is no tokenizer"),
        ("config.json", b"{", "config.json holds no label map"),
        ("config.json", b"[]", "config.json holds no label map"),
        ("config.json", json.dumps({"id2label": {"0": "LABEL_0"}}).encode(),
         "'LABEL_0' is none of"),
        ("config.json", json.dumps({"id2label": {"1": "entailment"}}).encode(),
         "must count from 0"),
        ("config.json", json.dumps({"id2label": {"0": "neutral"}}).encode(),
         "no label that bears a claim out"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_named(tmp_path, file, content, said):
    folder = write_judge(tmp_path / "nli", WORDS)
    if content is None:
        (folder / file).unlink()
    else:
        (folder / file).write_bytes(content)

    with pytest.raises(LocalJudgeError, match=said) as raised:
        LocalJudge(folder)

    assert str(folder / file) in str(raised.value) or "config.json" in str(raised.value)


def test_the_setting_names_the_folder(tmp_path, monkeypatch):
    monkeypatch.delenv("VERIFYHUB_LOCAL_JUDGE", raising=False)
    assert configured_judge() is None

    monkeypatch.setenv("VERIFYHUB_LOCAL_JUDGE", str(tmp_path / "absent"))
    with pytest.raises(LocalJudgeError, match="is no folder"):
        configured_judge()

    folder = write_judge(tmp_path / "mine", WORDS)
    monkeypatch.setenv("VERIFYHUB_LOCAL_JUDGE", str(folder))
    assert configured_judge().name == "mine"

"""Training data: what people decided, in the formats that TRL and `datasets` read."""

import json

import pytest
from django.utils import timezone

from tests.factories import ClaimVerdictFactory, VerificationFactory
from tests.review.conftest import answered, item, send  # noqa: F401 - fixtures
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.dataset import DatasetFilters
from verifyhub.exports.stream import stream
from verifyhub.exports.training import TRAINING
from verifyhub.exports.writing import FileFormat
from verifyhub.review.decide import confirm_verdict, override_mention, override_verdict
from verifyhub.review.decide.apply import apply_decision
from verifyhub.review.decisions import Decision
from verifyhub.review.gold import mark_gold
from verifyhub.review.queue import item_for

RIGHT = "The price is made in `compute_price()` of `shop/pricing.py`."
FIXED = f"{RIGHT} Nothing lowers it."


def say(answer, verdict, person):
    found = item_for(verification=answer.verifications.get())
    if found.verification.verdict == verdict:
        confirm_verdict(item=found, reviewer=person, version=found.version)
    else:
        override_verdict(
            item=found,
            verdict=verdict,
            reason="I looked.",
            reviewer=person,
            version=found.version,
        )
    found.refresh_from_db()
    return found


def correct(answer, person):
    found = item_for(verification=answer.verifications.get())
    apply_decision(
        item=found,
        decision=Decision(correction=FIXED, reason="No discount."),
        reviewer=person,
        version=found.version,
    )


@pytest.fixture
def attempts(project, lead):
    """An answer that a person rejected, and the next attempt that they accepted."""
    first = send(project, id="run-1")
    second = send(project, id="run-2", parent="run-1", answer=RIGHT)
    say(first, "reject", lead)
    say(second, "accept", lead)
    return first, second


def text_of(project, name, viewer=None, written_as=FileFormat.JSONL, **filters):
    return b"".join(
        stream(
            DATASETS[name],
            written_as,
            project=project,
            filters=DatasetFilters(**filters),
            viewer=viewer,
        )
    )


def rows_of(project, name, viewer=None, **filters):
    return [
        json.loads(line)
        for line in text_of(project, name, viewer, **filters).splitlines()
    ]


def test_an_accepted_attempt_is_preferred_to_the_rejected_one_before(project, attempts):
    first, second = attempts

    (pair,) = rows_of(project, "preference_pairs")

    assert pair["prompt"] == [{"role": "user", "content": second.task}]
    assert pair["chosen"] == [{"role": "assistant", "content": second.answer}]
    assert pair["rejected"] == [{"role": "assistant", "content": first.answer}]
    assert (pair["source"], pair["decided_by"]) == ("attempt", "person")


def test_an_attempt_that_only_the_machine_judged_comes_when_asked_for(project):
    send(project, id="run-1")
    send(project, id="run-2", parent="run-1", answer=RIGHT)

    assert rows_of(project, "preference_pairs") == []
    (pair,) = rows_of(project, "preference_pairs", undecided=True)
    assert pair["decided_by"] == "machine"


def test_an_answer_to_another_task_is_no_attempt(project, lead):
    first = send(project, id="run-1", answer=RIGHT)
    second = send(
        project, id="run-2", parent="run-1", answer=RIGHT + " Yes.", task="And the tax?"
    )
    say(first, "reject", lead)
    say(second, "accept", lead)

    assert rows_of(project, "preference_pairs") == []


def test_a_correction_is_preferred_to_the_answer(project, lead):
    answer = send(project)
    correct(answer, lead)

    (pair,) = rows_of(project, "preference_pairs", shape="standard")

    assert (pair["prompt"], pair["chosen"], pair["rejected"]) == (
        answer.task,
        FIXED,
        answer.answer,
    )
    completions = rows_of(project, "labelled_completions", shape="standard")
    assert (FIXED, True) in [(one["completion"], one["label"]) for one in completions]


def test_what_people_accepted_is_wanted_and_what_they_rejected_is_not(
    project, attempts
):
    first, second = attempts
    send(project, id="run-3")

    found = {
        one["interaction_id"]: one["label"]
        for one in rows_of(project, "labelled_completions")
    }

    assert found == {str(first.id): False, str(second.id): True}


def test_answers_come_with_the_names_that_stand_in_them(project, lead):
    answer = send(project)
    found = item_for(verification=answer.verifications.get())
    override_mention(
        item=found,
        mention=found.verification.mentions.get(text="shop/discounts.py"),
        status="verified",
        reason="It is there.",
        reviewer=lead,
        version=found.version,
    )
    say(answer, "reject", lead)

    (row,) = rows_of(project, "labelled_answers")

    labels = {
        (span["text"], span["label"])
        for span in row["spans"]
        if answer.answer[span["start"] : span["end"]] == span["text"]
    }
    assert row["label"] == "reject"
    assert ("shop/discounts.py", "verified") in labels
    assert ("shop/pricing.py", "verified") in labels
    assert any(label == "unverified" for _, label in labels)


@pytest.mark.parametrize(
    ("status", "word", "label"),
    [
        ("verified", "right", "entailment"),
        ("contradicted", "wrong", "contradiction"),
        ("unknown", "right", "neutral"),
        ("contradicted", "right", None),
        ("verified", "wrong", None),
    ],
)
def test_a_claim_is_labelled_where_person_and_evidence_agree(
    project, status, word, label
):
    ClaimVerdictFactory(
        verification=VerificationFactory(interaction__project=project),
        status=status,
        human_status=word,
        evidence={"text": "The tax is 19 percent.", "deciding": "19", "title": "M"},
    )

    found = [one["label"] for one in rows_of(project, "claim_evidence")]

    assert found == ([label] if label else [])


def test_gold_that_may_measure_somebody_teaches_nobody(project, lead, reviewer):
    answer = send(project)
    found = say(answer, "accept", lead)
    mark_gold(
        item=found, verdict="accept", note="Sure.", actor=lead, now=timezone.now()
    )

    for name in ("labelled_completions", "labelled_answers"):
        assert rows_of(project, name) == []
        assert rows_of(project, name, reviewer) == []
        assert len(rows_of(project, name, lead)) == 1


@pytest.mark.parametrize("dataset", TRAINING, ids=lambda one: one.name)
@pytest.mark.parametrize("shape", ["conversational", "standard"])
@pytest.mark.parametrize("written_as", ["json", "parquet"])
def test_datasets_loads_it(
    project, attempts, lead, tmp_path, dataset, shape, written_as
):
    correct(send(project), lead)
    ClaimVerdictFactory(
        verification=VerificationFactory(interaction__project=project),
        human_status="wrong",
    )
    file_format = FileFormat("jsonl" if written_as == "json" else written_as)
    file = tmp_path / f"train.{file_format}"
    file.write_bytes(text_of(project, dataset.name, None, file_format, shape=shape))

    # Each process that tests would load it, for this one test.
    from datasets import load_dataset

    loaded = load_dataset(
        written_as, data_files=str(file), cache_dir=str(tmp_path), split="train"
    )

    columns = dataset.columns_of(deep=True, shape=shape)
    assert loaded.column_names == [one.name for one in columns]
    assert loaded.to_list() == rows_of(project, dataset.name, shape=shape)
    assert len(loaded) > 0

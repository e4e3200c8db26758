"""Values of answers, exported with what people say of them."""

import json

import pytest

from tests.review.conftest import answered  # noqa: F401 - fixtures
from tests.review.test_value_decisions import item, say  # noqa: F401 - a fixture
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.dataset import DatasetFilters
from verifyhub.exports.stream import stream
from verifyhub.exports.writing import FileFormat
from verifyhub.review.decide import undo_override
from verifyhub.review.models import Override


def rows_of(project, *, withheld=(), **filters):
    made = DATASETS["values"].rows(
        project, DatasetFilters(**filters), deep=True, withheld=withheld
    )
    return {row["text"]: row for row in made}


def test_a_row_tells_a_value_its_status_and_where_it_stands(project, item):  # noqa: F811
    row = rows_of(project)["$412.50"]

    shown = {key: row[key] for key in ("kind", "status", "human_status", "grade")}
    assert shown == {
        "kind": "money", "status": "supported", "human_status": "", "grade": "C",
    }  # fmt: skip
    assert item.interaction.answer[row["start"] : row["end"]] == "$412.50"
    assert (row["evidence_call"], row["evidence_path"]) == (0, "rent")
    assert row["evidence_record"] == "LS-3310"


@pytest.mark.usefixtures("one_voice")
def test_the_last_word_of_a_person_stands_beside_the_machines(project, item, lead):  # noqa: F811
    say(item, "$90", "wrong", lead)
    say(item, "$90", "right", lead)

    row = rows_of(project)["$90"]
    assert (row["status"], row["human_status"]) == ("unsupported", "right")


@pytest.mark.usefixtures("one_voice")
def test_a_word_that_was_taken_back_is_gone(project, item, lead):  # noqa: F811
    say(item, "$90", "wrong", lead)
    item.refresh_from_db()
    made = Override.objects.get(target=Override.Target.VALUE)

    undo_override(override=made, actor=lead, version=item.version)

    assert rows_of(project)["$90"]["human_status"] == ""


def test_answers_that_others_still_judge_and_other_verdicts_are_left_out(project, item):  # noqa: F811
    assert rows_of(project, withheld=[item.pk]) == {}
    assert rows_of(project, verdict="accept") == {}


def test_a_file_of_values_is_written(project, item):  # noqa: F811
    pieces = stream(
        DATASETS["values"], FileFormat.JSONL, project=project, filters=DatasetFilters()
    )
    written = b"".join(pieces)

    texts = [json.loads(line)["text"] for line in written.splitlines()]
    assert texts == ["LS-3310", "$412.50", "LS-4471", "$90"]

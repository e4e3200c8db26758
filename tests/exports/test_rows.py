"""Exports: exact, safe for spreadsheets, streamed, and of one project only."""

import csv
import io
import json
from itertools import islice

import pytest
from django.utils import timezone
from hypothesis import example, given
from hypothesis import strategies as st

from tests.factories import (
    ClaimVerdictFactory,
    ConstraintFactory,
    InteractionFactory,
    MentionVerdictFactory,
    ModelCallFactory,
    OverrideFactory,
    ReviewItemFactory,
    UserFactory,
    VerificationFactory,
)
from verifyhub.common.row_files import FORMULA_STARTS, csv_lines, json_lines
from verifyhub.common.walk import walk
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.dataset import DatasetFilters
from verifyhub.exports.stream import stream
from verifyhub.exports.tables import TABLES
from verifyhub.exports.writing import FileFormat
from verifyhub.ingest.models import Interaction
from verifyhub.review.models import Judgement

HOSTILE = st.text(st.characters(exclude_categories=["Cs"]))
EVERYTHING = DatasetFilters()
# Each has one row for each row of its table.
STORED = [one.name for one in TABLES if one.make_rows is None]
TEXT = (FileFormat.CSV, FileFormat.JSONL)


def lines(dataset, written_as, **how):
    """What is streamed, line by line."""
    text = b"".join(stream(dataset, written_as, **how)).decode()
    return text.splitlines()


def read_csv(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@given(st.lists(HOSTILE, min_size=1, max_size=4))
@example(["=1+1"])
@example(['@SUM(A1)\r\n"x",=cmd'])
@example(["\t=1", "＝1", "a\r\nb", "\u2028"])
def test_no_cell_begins_like_a_formula_and_all_text_survives(texts):
    columns = tuple(f"c{index}" for index in range(len(texts)))
    row = dict(zip(columns, texts, strict=True))

    _, cells = read_csv("".join(csv_lines(columns, [row])))

    assert not any(cell.startswith(FORMULA_STARTS) for cell in cells)
    assert [
        cell[1:] if text.startswith(FORMULA_STARTS) else cell
        for cell, text in zip(cells, texts, strict=True)
    ] == texts


@given(st.lists(st.dictionaries(HOSTILE, HOSTILE | st.integers() | st.none())))
@example([{"a": "\u2028 \x85 \r\n"}])
def test_json_lines_give_back_what_was_stored(rows):
    text = "".join(json_lines(rows))

    assert [json.loads(line) for line in text.splitlines()] == rows


def test_numbers_are_bare_and_text_is_quoted():
    row = {"n": -5, "share": 0.5, "text": "a", "none": None, "yes": True}

    _, line = csv_lines(tuple(row), [row])

    assert line == '-5,0.5,"a","","true"\r\n'


@pytest.fixture
def one_of_each(project):
    verification = VerificationFactory(
        interaction__project=project,
        interaction__answer="=cmd()",
        verdict="reject",
    )
    mention = MentionVerdictFactory(verification=verification, invented=True)
    ClaimVerdictFactory(verification=verification)
    item = ReviewItemFactory(verification=verification, state="confirmed")
    OverrideFactory(item=item, target="mention", mention=mention)
    Judgement.objects.create(
        project=project,
        item=item,
        reviewer=UserFactory(username="=ana"),
        verdict="reject",
        decision={"reason": "@SUM(A1)"},
        given_at=timezone.now(),
    )
    ConstraintFactory(project=project)
    ModelCallFactory(project=project)
    return project


@pytest.mark.parametrize("name", STORED)
@pytest.mark.parametrize("written_as", TEXT)
def test_every_row_of_the_project_comes_out(one_of_each, name, written_as):
    ConstraintFactory()
    ModelCallFactory()
    OverrideFactory(
        target="mention",
        mention=MentionVerdictFactory(invented=True),
    )

    text = list(
        lines(DATASETS[name], written_as, project=one_of_each, filters=EVERYTHING)
    )

    assert len(text) == (2 if written_as == FileFormat.CSV else 1)


def test_json_lines_hold_the_answer_as_it_was_sent(one_of_each):
    (line,) = lines(
        DATASETS["interactions"],
        FileFormat.JSONL,
        project=one_of_each,
        filters=EVERYTHING,
    )

    assert json.loads(line)["answer"] == "=cmd()"


@pytest.mark.parametrize(
    "name",
    ["interactions", "verdicts", "mentions", "claims", "overrides", "judgements"],
)
@pytest.mark.parametrize(("verdict", "count"), [("reject", 1), ("accept", 0)])
def test_rows_are_filtered_by_verdict(one_of_each, name, verdict, count):
    filters = DatasetFilters(verdict=verdict, answers={"verdict": verdict})
    rows = DATASETS[name].rows(one_of_each, filters, deep=False)

    assert len(list(rows)) == count


@pytest.mark.parametrize("name", ["interactions", "mentions", "claims", "overrides"])
def test_rows_of_later_attempts_are_told_from_those_of_first_ones(one_of_each, name):
    first = Interaction.objects.get(project=one_of_each)
    again = InteractionFactory(
        project=one_of_each, parent=first.client_id, task=first.task
    )
    MentionVerdictFactory(verification=VerificationFactory(interaction=again))
    filters = {
        which: DatasetFilters(answers={"attempt": which})
        for which in ("first", "again")
    }

    counts = {
        which: len(list(DATASETS[name].rows(one_of_each, chosen, deep=False)))
        for which, chosen in filters.items()
    }

    has_second = name in {"interactions", "mentions"}
    assert counts == {"first": 1, "again": int(has_second)}


@pytest.mark.parametrize("name", STORED)
def test_until_leaves_out_its_own_moment(one_of_each, name):
    (row,) = DATASETS[name].rows(one_of_each, EVERYTHING, deep=False)

    moment = row.get("created_at") or row["given_at"]
    before, from_then = DatasetFilters(until=moment), DatasetFilters(since=moment)

    assert list(DATASETS[name].rows(one_of_each, before, deep=False)) == []
    assert len(list(DATASETS[name].rows(one_of_each, from_then, deep=False))) == 1


def test_a_walk_in_batches_meets_every_row_once(project):
    made = InteractionFactory.create_batch(7, project=project)

    walked = walk(
        type(made[0]).objects.filter(project=project),
        order=("created_at", "id"),
        columns=("id",),
        size=3,
    )

    assert [row[0] for row in walked] == [row.id for row in made]


def test_rows_are_made_only_when_asked_for(project, django_assert_num_queries):
    InteractionFactory.create_batch(5, project=project)
    rows = walk(
        type(InteractionFactory.build()).objects.filter(project=project),
        order=("created_at", "id"),
        columns=("id",),
        size=2,
    )

    # One finds the keys, the other reads; the next two rows are left.
    with django_assert_num_queries(2):
        list(islice(rows, 2))


def test_calls_of_models_are_exported_with_their_cost_and_no_formula(project):
    ModelCallFactory(project=project, purpose="=cmd", model="@SUM(A1)")

    dataset = DATASETS["model_calls"]
    found = "\r\n".join(
        lines(dataset, FileFormat.CSV, project=project, filters=EVERYTHING)
    )

    header, row = read_csv(found)
    cells = dict(zip(header, row, strict=True))
    assert (cells["purpose"], cells["model"]) == ("'=cmd", "'@SUM(A1)")
    assert (cells["charged_tokens"], cells["cost_microdollars"]) == ("40", "1200")


def test_a_claims_row_tells_the_words_that_decided(one_of_each):
    (row,) = DATASETS["claims"].rows(one_of_each, EVERYTHING, deep=False)

    assert (row["evidence_title"], row["evidence_deciding"]) == ("Manual", "19 percent")

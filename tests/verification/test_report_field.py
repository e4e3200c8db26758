import json

import pytest
from django.db import connection
from django.db.models import JSONField
from django.db.models.functions import Cast

from tests.builders import a_command, an_interaction, verify
from tests.factories import VerificationFactory
from verifyhub.common.contract import reader_of
from verifyhub.engine.verdicts import VerificationReport
from verifyhub.verification.models import Verification
from verifyhub.verification.models.report_field import part_of

pytestmark = pytest.mark.django_db

ANSWER = "`parse_all()` in `src/app.py` reads it, and all 12 tests pass."


@pytest.fixture
def report():
    run = an_interaction(ANSWER, a_command("pytest -q", "3 failed in 0.1s"), id="r1")
    return verify(run).as_dict()


def stored(row):
    document = Cast("report", JSONField())
    return Verification.objects.values_list(document, flat=True).get(pk=row.pk)


def test_a_report_comes_back_whole_and_is_kept_smaller(report):
    row = VerificationFactory(report=report)

    row = Verification.objects.get(pk=row.pk)

    assert row.report == report
    assert list(Verification.objects.values_list("report", flat=True)) == [report]
    assert len(json.dumps(stored(row))) < 0.4 * len(json.dumps(report))


def test_its_parts_are_read_without_restoring_it(report):
    row = VerificationFactory(report=report)

    mentions = part_of(stored(row), "mentions")

    assert [one["text"] for one in mentions] == ["parse_all()", "src/app.py"]
    assert part_of(stored(row), "values") is None


def test_a_report_of_a_former_version_comes_back_whole(report):
    reader = reader_of(VerificationReport)
    lean = reader.write(VerificationReport.from_dict(report), defaults=False)
    row = VerificationFactory()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE verification_verification SET report = %s",
            [json.dumps({**lean, "lean": 1})],
        )

    assert Verification.objects.get(pk=row.pk).report == report
    assert part_of(stored(row), "mentions") == lean["mentions"]


def test_queries_find_what_they_read_beside_it(report):
    VerificationFactory(report=report)

    holds = {
        "report__checks__contains": [{"name": "goal", "outcome": "failed"}],
        "report__completion_claims__contains": [{"status": "contradicted"}],
        "report__goal__state": "not_achieved",
    }

    assert Verification.objects.filter(**holds).exists()


@pytest.mark.parametrize(
    "document",
    [
        {"schema": 1, "completion_claims": []},
        {"schema": 1, "verdict": "accept", "judge_of_version_0": "kept"},
        {"mentions": "none of ours"},
    ],
)
def test_one_of_another_version_is_kept_as_it_is(document):
    row = VerificationFactory(report=document)

    assert Verification.objects.get(pk=row.pk).report == document
    assert stored(row) == document

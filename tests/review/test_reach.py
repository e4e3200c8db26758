"""How far a flagged name reaches is asked of the rows without evidence alone."""

import pytest
from django.db import connection

from tests.factories import VerificationFactory
from verifyhub.review.queue.reach import reaches_of
from verifyhub.verification.models import MentionVerdict

pytestmark = pytest.mark.django_db
VERIFIED = """
INSERT INTO verification_mentionverdict (id, project_id, verification_id, index, text,
    kind, key, status, reason, grade, suggestion, human_status)
SELECT gen_random_uuid(), %s, %s, n, 'a.py', 'file', 'a.py', 'verified', '', 'B', '', ''
FROM generate_series(1, 3000) AS n
"""


def test_a_name_that_stands_everywhere_is_not_read_to_its_end():
    run = VerificationFactory()
    with connection.cursor() as cursor:
        cursor.execute(VERIFIED, [run.project_id, run.pk])
        cursor.execute("ANALYZE verification_mentionverdict")
    rows = MentionVerdict.objects.filter(
        project=run.project_id, kind="file", key="a.py", status="unverified"
    )

    assert "mention_invented_name" in rows[:500].explain()


@pytest.mark.parametrize("others", [1, 5])
def test_it_looks_further_where_a_names_first_rows_are_of_few_sessions(
    project, monkeypatch, others
):
    monkeypatch.setattr("verifyhub.review.queue.reach.FEW_ROWS_PER_NAME", 2)
    own, *_ = runs = [
        VerificationFactory(interaction__project=project) for _ in range(others + 1)
    ]
    rare = VerificationFactory(interaction__project=project)
    for run, key in (*((run, "a.py") for run in runs), (rare, "rare.py")):
        MentionVerdict.objects.create(
            project=project,
            verification=run,
            index=0,
            text=key,
            kind="file",
            key=key,
            status="unverified",
            reason="not_in_trace",
        )

    asked = [(own, [("file", "a.py")]), (rare, [("file", "rare.py")]), (own, [])]

    assert reaches_of(asked) == [others, 0, 0]

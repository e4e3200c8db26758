"""How far a flagged name reaches is asked of the rows without evidence alone."""

import pytest
from django.db import connection

from tests.factories import VerificationFactory
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

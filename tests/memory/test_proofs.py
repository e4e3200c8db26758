"""When evidence of a proving grade last showed a name is asked of an index's end."""

import pytest
from django.db import connection

from tests.factories import ProjectFactory
from verifyhub.memory.models import MemoryEntry

pytestmark = pytest.mark.django_db
FINDINGS = """
INSERT INTO memory_memoryentry (created_at, updated_at, id, project_id, key, kind,
    state, mention_kind, mention_key, text, suggestion, mention_status, grade, source)
SELECT now() - n * interval '1 s', now(), gen_random_uuid(), %s, 'verified-' || n,
    'finding', 'active', 'file', 'a.py', 'a.py', '', '', 'C', 'verification'
FROM generate_series(1, 3000) AS n
"""


def test_a_name_that_every_session_shows_is_not_read_to_its_end():
    project = ProjectFactory()
    with connection.cursor() as cursor:
        cursor.execute(FINDINGS, [project.pk])
        cursor.execute("ANALYZE memory_memoryentry")
    rows = MemoryEntry.objects.filter(
        project=project, kind="finding", mention_kind="file", mention_key="a.py"
    )

    plan = rows.filter(grade="A").order_by("-created_at")[:1].explain()

    assert "memory_entry_proven" in plan
    assert "Sort" not in plan

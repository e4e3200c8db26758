"""What deleted answers taught is taken back, and what does not hang on it stays."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.memory.reports import mention, remember
from tests.memory.test_overrides import say
from verifyhub.memory.models import MemoryEntry
from verifyhub.memory.services import forget_answers

pytestmark = pytest.mark.django_db

FALSE_FACT = mention("mind-auth", status="verified")


def test_what_a_deleted_correction_denied_stands_again(project, reviewer, lead):
    first, second, third = (remember(project, FALSE_FACT) for _ in range(3))
    say(first, "mind-auth", "unverified", reviewer)
    say(second, "mind-auth", "unverified", lead)
    finding = MemoryEntry.objects.get(kind="finding", interaction_id=third.id)
    assert finding.state == "superseded"

    forget_answers(project, [second.id])

    finding.refresh_from_db()
    assert finding.state == "active"


def test_entries_on_a_name_that_nobody_spoke_of_are_not_looked_through(project):
    first, _ = remember(project, FALSE_FACT), remember(project, FALSE_FACT)

    with CaptureQueriesContext(connection) as asked:
        forget_answers(project, [first.id])

    assert MemoryEntry.objects.get().state == "active"
    assert not any("\"state\" = 'superseded'" in one["sql"] for one in asked)

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import InteractionFactory
from verifyhub.common.row_writes import update
from verifyhub.ingest.models import Interaction

pytestmark = pytest.mark.django_db


def test_each_row_gets_its_own_values_and_others_stay(project):
    rows = [InteractionFactory(project=project, agent_role="a") for _ in range(4)]
    for number, row in enumerate(rows[:3]):
        row.agent_role = f"'{number}' %s \\"
        row.metadata = {"n": [number, None]}
        row.run_input_tokens = None if number else 7
        row.created_at = timezone.now() - timedelta(days=number)

    names = ["agent_role", "metadata", "run_input_tokens", "created_at"]
    update(rows[:3], names)

    stored = Interaction.objects.in_bulk([row.pk for row in rows])
    for row in rows[:3]:
        found = stored[row.pk]
        assert [getattr(found, name) for name in names] == [
            getattr(row, name) for name in names
        ]
    assert stored[rows[3].pk].agent_role == "a"


def test_fields_that_are_not_named_stay(project):
    row = InteractionFactory(project=project, task="before")
    row.task, row.answer_text = "after", "after"

    update([row], ["answer_text"])

    row.refresh_from_db()
    assert (row.task, row.answer) == ("before", "after")


def test_no_rows_ask_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        update([], ["task"])

import pytest
from django.db.utils import IntegrityError

from tests.factories import InteractionFactory
from verifyhub.accounts.models import Project
from verifyhub.common.row_writes import insert
from verifyhub.ingest.models import Interaction, ToolCall

pytestmark = pytest.mark.django_db


def values(row) -> dict[str, object]:
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname not in {"id", "created_at"}
    }


def a_call(interaction, index: int) -> ToolCall:
    return ToolCall(
        project_id=interaction.project_id,
        interaction=interaction,
        index=index,
        tool="read",
        input={"path": ["é", None, 1.5]},
        output="a 'quoted' \\ %s text\n",
        status="ok",
    )


def test_rows_are_written_as_the_orm_writes_them():
    interaction = InteractionFactory()
    a_call(interaction, 0).save()

    insert([a_call(interaction, 1), a_call(interaction, 2)])

    first, *others = ToolCall.objects.order_by("index")
    assert [values(one) | {"index": 0} for one in others] == [values(first)] * 2


def test_a_default_of_the_database_stays_its_own():
    insert([Project(name="Acme", slug="by-insert")])

    assert Project.objects.get(slug="by-insert").layers_run == "on_request"


def test_the_keys_that_were_written_are_told(project):
    held = InteractionFactory(project=project, client_id="a")
    twin = Interaction(project=project, client_id="a", task="t", answer="a")
    other = Interaction(project=project, client_id="b", task="t", answer="a")

    written = insert([twin, other], ignore_conflicts=True)

    assert written == {other.pk}
    assert set(Interaction.objects.values_list("pk", flat=True)) == {held.pk, other.pk}


def test_a_conflict_is_an_error_unless_it_is_ignored(project):
    InteractionFactory(project=project, client_id="a")

    with pytest.raises(IntegrityError):
        insert([Interaction(project=project, client_id="a", task="t", answer="a")])


def test_nothing_is_written_by_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert insert([]) == set()

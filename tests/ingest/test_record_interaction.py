import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from tests.factories import ProjectFactory
from tests.ingest.runs import a_call, an_interaction
from verifyhub.ingest.models import Interaction, Session
from verifyhub.ingest.selectors import to_engine
from verifyhub.ingest.services import ClientIdConflictError, record_interaction
from verifyhub.ingest.steps import AFTER_RECORDING

TWINS = 50


def record(project, api_key=None, **fields):
    return record_interaction(
        project=project, api_key=api_key, interaction=an_interaction(**fields)
    )


def test_an_interaction_is_stored_with_its_calls(project, api_key):
    row, created = record(project, api_key, id="run-1", session="s-1")

    stored = Interaction.objects.get(client_id="run-1")
    assert (created, stored) == (True, row)
    assert (stored.session.key, stored.api_key) == ("s-1", api_key)
    assert stored.tool_calls.get().output.startswith("def parse")


def test_the_row_gives_back_what_was_parsed(project):
    sent = an_interaction(
        id="run-1",
        session="s",
        parent="run-0",
        agent={"name": "explorer", "tier": "small", "role": "subtask"},
        tool_calls=[
            a_call(
                id="c1",
                input={"b": [1, {"d": 1, "c": 2.5}], "aa": None},
                output="\r\n tab\t é \U0001f600 \u202e ﬁ \ufeff",
                started_at="2026-05-01T12:00:00.123456+02:00",
                duration_ms=12,
            ),
            {"tool": "Bash", "is_error": True},
        ],
        self_assessment={"confidence": 0.5},
        claims=["a"],
        sources=[{"url": "u"}],
        metadata={"z": 1, "a": {"y": 1, "b": 2}},
    )

    row, _ = record_interaction(project=project, api_key=None, interaction=sent)

    assert to_engine(Interaction.objects.get(pk=row.pk)) == sent


class TestAnyText(TestCase):
    @settings(max_examples=40)
    @given(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters=["\x00"]))
    )
    def test_text_comes_back_byte_for_byte(self, text):
        sent = an_interaction(
            task=text,
            answer=text,
            tool_calls=[a_call(output=text, input={"k" + text: text})],
        )

        row, _ = record_interaction(
            project=ProjectFactory(), api_key=None, interaction=sent
        )

        assert to_engine(Interaction.objects.get(pk=row.pk)) == sent


def test_the_same_id_with_the_same_content_gives_the_same_row(project):
    first, _ = record(project, id="run-1", metadata={"a": 1, "b": 2})

    second, created = record(project, id="run-1", metadata={"b": 2, "a": 1})

    assert (second.pk, created) == (first.pk, False)
    assert first.tool_calls.count() == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"answer": "Something else."},
        {"session": "other"},
        {"tool_calls": [a_call(output="changed")]},
        {"tool_calls": [a_call(status="error")]},
        {"metadata": {"a": 2}},
    ],
)
def test_the_same_id_with_other_content_is_a_conflict(project, changed):
    record(project, id="run-1", session="s", metadata={"a": 1})

    with pytest.raises(ClientIdConflictError):
        record(
            project, **{"id": "run-1", "session": "s", "metadata": {"a": 1}, **changed}
        )


def test_two_projects_may_use_one_id(project):
    record(project, id="run-1")

    _, created = record(ProjectFactory(), id="run-1", answer="Another.")

    assert created


def test_without_an_id_every_post_is_a_new_interaction(project):
    assert record(project)[0] != record(project)[0]


def test_a_session_is_made_once(project):
    record(project, session="s-1")
    record(project, session="s-1", answer="Next.")

    assert Session.objects.get().interactions.count() == 2


def test_a_failing_step_undoes_the_interaction(project, add_step):
    def fail(_interactions):
        raise RuntimeError

    add_step(AFTER_RECORDING, fail)

    with pytest.raises(RuntimeError), transaction.atomic():
        record(project, id="run-1")

    assert not Interaction.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_fifty_twins_at_once_make_one_row():
    project = ProjectFactory()
    barrier = threading.Barrier(TWINS)

    def post(_: int):
        barrier.wait()
        try:
            return record(project, id="run-1", session="s-1")
        finally:
            connection.close()

    with ThreadPoolExecutor(TWINS) as pool:
        results = list(pool.map(post, range(TWINS)))

    assert len({row.pk for row, _ in results}) == 1
    assert sum(created for _, created in results) == 1
    row = Interaction.objects.get()
    assert (row.tool_calls.count(), row.verifications.count()) == (1, 1)


def test_what_a_run_took_comes_back_as_it_was_sent(project):
    usage = {"input_tokens": 1200, "output_tokens": 80, "cost_usd": 0.0123}
    run = an_interaction(id="run-1", usage=usage)

    row, _ = record_interaction(project=project, api_key=None, interaction=run)

    row.refresh_from_db()
    assert row.run_cost_microdollars == 12_300
    assert to_engine(row).usage == run.usage

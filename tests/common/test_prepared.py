"""Queries that are built once, and statements that PostgreSQL prepares."""

import pytest
from django.db import DataError, connection, models

from tests.factories import ProjectFactory
from tests.verification.test_run_verification import opened
from verifyhub.accounts.models import Project
from verifyhub.common.prepared import PREPARED_AFTER, PreparedQuery, prepared_cursor
from verifyhub.verification.models import Verification

pytestmark = pytest.mark.django_db

RUNS = PreparedQuery(
    lambda ids: (
        Verification.objects.filter(pk__any_of=ids)
        .select_related("interaction__session")
        .order_by("created_at", "id")
    )
)
NAMED = PreparedQuery(
    lambda projects: (
        Project.objects.filter(pk__any_of=projects)
        .exclude(name="50 % 'off' %s")
        .values_list("slug", "thresholds")
    )
)


def prepared_texts():
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [text for (text,) in cursor.fetchall()]


def test_it_returns_what_the_orm_does(project, django_assert_num_queries):
    opened(project, session="one")
    opened(project)
    usual = list(Verification.objects.order_by("created_at", "id"))

    found = RUNS(ids=[one.pk for one in usual])

    with django_assert_num_queries(0):
        sessions = [one.interaction.session for one in found]
    assert found == usual
    assert [one and one.key for one in sessions] == ["one", None]


def test_values_are_read_and_constants_written_as_by_the_orm():
    project = ProjectFactory(thresholds={"earlier_turns": 3})
    other = ProjectFactory(name="50 % 'off' %s")

    found = NAMED(projects=[project.pk, other.pk])

    assert found == [(project.slug, {"earlier_turns": 3})]


def test_related_rows_are_found_by_their_keys(project):
    verification = opened(project)
    of_answers = PreparedQuery(
        lambda answers: Verification.objects.filter(
            interaction__any_of=answers, interaction__project__any_of=answers
        )
    )
    either = PreparedQuery(
        lambda ids: Verification.objects.filter(
            models.Q(interaction__any_of=ids) | models.Q(pk__any_of=ids)
        )
    )

    assert of_answers(answers=[verification.interaction_id]) == []
    assert either(ids=[verification.interaction_id]) == [verification]


def test_lists_of_any_length_share_one_plan(project):
    for length in range(PREPARED_AFTER + 3):
        NAMED(projects=[project.pk] * length)

    assert sum('"accounts_project"' in text for text in prepared_texts()) == 1


def test_behind_a_pooler_nothing_is_left_in_a_session(project, settings):
    settings.PGBOUNCER = True
    before = prepared_texts()

    for _ in range(PREPARED_AFTER + 2):
        NAMED(projects=[project.pk])
        with prepared_cursor() as cursor:
            cursor.execute("SELECT %(number)s::int + 27", {"number": 1})

    assert prepared_texts() == before


def test_the_plan_outlives_a_transaction_that_failed(project):
    for _ in range(PREPARED_AFTER + 1):
        NAMED(projects=[project.pk])
    savepoint = connection.savepoint()
    with prepared_cursor() as cursor, pytest.raises(DataError):
        cursor.execute("SELECT 1 / %(zero)s::int", {"zero": 0})
    connection.savepoint_rollback(savepoint)

    assert NAMED(projects=[project.pk]) == [(project.slug, project.thresholds)]

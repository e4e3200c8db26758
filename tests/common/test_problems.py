import select

import psycopg
import pytest
from django.core.exceptions import PermissionDenied
from django.db import (
    DataError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    transaction,
)
from django.http import Http404
from rest_framework.exceptions import Throttled, ValidationError

from verifyhub.accounts.models import Project
from verifyhub.common.api import problem_details


@pytest.mark.parametrize("error", [OperationalError("secret"), InterfaceError()])
def test_a_database_that_is_away_is_503_with_a_time_to_retry(error):
    response = problem_details(error, {})

    assert (response.status_code, response["Retry-After"]) == (503, "2")
    assert "secret" not in str(response.data)


@pytest.mark.django_db(transaction=True)
def test_a_transaction_that_waited_too_long_is_503():
    # By chance the reset of the connection arrives before its reason is read.
    with pytest.raises((InternalError, OperationalError)) as told:
        _wait_in_a_transaction()

    assert problem_details(told.value, {}).status_code == 503


@pytest.mark.parametrize(
    ("cause", "is_503"),
    [
        (psycopg.InternalError("received 2 results from command 'BEGIN'"), True),
        (psycopg.errors.InFailedSqlTransaction(), False),
    ],
)
def test_a_pooler_that_lost_the_database_in_a_statement_is_503(cause, is_503):
    error = InternalError(str(cause))
    error.__cause__ = cause

    response = problem_details(error, {})

    assert (response is not None and response.status_code == 503) is is_503


def test_throttling_is_429_with_a_time_to_retry():
    response = problem_details(Throttled(wait=7), {})

    assert (response.status_code, response["Retry-After"]) == (429, "7")


@pytest.mark.parametrize(
    ("error", "status"), [(Http404(), 404), (PermissionDenied(), 403)]
)
def test_djangos_own_refusals_are_problems(error, status):
    assert problem_details(error, {}).data["status"] == status


def test_nested_field_errors_are_named_by_path():
    error = ValidationError(
        {"agent": {"name": ["is too long"]}, "task": ["is missing"]}
    )

    assert problem_details(error, {}).data["errors"] == [
        {"field": "agent.name", "message": "is too long"},
        {"field": "task", "message": "is missing"},
    ]


def test_any_other_exception_is_left_to_the_500_page():
    assert problem_details(DataError(), {}) is None


@transaction.atomic
def _wait_in_a_transaction():
    """Ask the database once it has ended the connection."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 1")
    select.select([connection.connection.fileno()], [], [], 30)
    Project.objects.exists()

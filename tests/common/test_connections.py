"""A connection is checked at its next use, unless it has just been in use."""

import pytest
from django.db import connection

QUERY = "SELECT query FROM pg_stat_activity WHERE pid = %s"
TERMINATE = "SELECT pg_terminate_backend(%s, 5000)"


@pytest.fixture
def own(transactional_db):
    """A connection of its own that a request has just used."""
    own = connection.copy()
    own.connect()
    with own.cursor() as cursor:
        cursor.execute("SELECT 'last'")
    own.close_if_unusable_or_obsolete()
    yield own
    own.close()


def asked(statement: str, own) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement, [own.connection.info.backend_pid])
        return cursor.fetchone()[0]


def test_a_connection_that_was_just_in_use_is_not_asked(own):
    own.close_if_health_check_failed()

    assert asked(QUERY, own) == "SELECT 'last'"


def test_a_connection_that_was_idle_is_asked(own):
    own.used_at -= 10

    own.close_if_health_check_failed()

    assert asked(QUERY, own) == "SELECT 1"


def test_a_connection_that_was_just_ended_is_replaced(own):
    assert asked(TERMINATE, own)

    with own.cursor() as cursor:
        cursor.execute("SELECT 2")
        assert cursor.fetchone() == (2,)

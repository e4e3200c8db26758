"""A database server without pgvector is named as such."""

from importlib import import_module

import pytest
from django.db import NotSupportedError, connection

pytestmark = pytest.mark.django_db
MIGRATION = import_module("verifyhub.knowledge.migrations.0001_tables")


class Server:
    """What a migration is given, on a server that has this version, or none."""

    def __init__(self, version):
        self.connection, self.version = self, version

    def cursor(self):
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def execute(self, statement):
        assert "pg_available_extensions" in statement

    def fetchone(self):
        return (self.version,) if self.version else None


@pytest.mark.parametrize("version", ["", "0.7.4", "0.5.1"])
def test_a_server_without_it_or_with_an_old_one_stops_the_migration(version):
    with pytest.raises(NotSupportedError, match=r"pgvector 0\.8.*Install"):
        MIGRATION.require_pgvector(None, Server(version))


@pytest.mark.parametrize("version", ["0.8.0", "0.8.6", "0.10", "1.0.0"])
def test_a_newer_one_is_taken(version):
    MIGRATION.require_pgvector(None, Server(version))


def test_the_server_at_hand_has_it():
    with connection.cursor() as cursor:
        cursor.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'")
        assert cursor.fetchone() is not None

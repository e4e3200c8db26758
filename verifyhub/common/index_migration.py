"""Migrations that change indexes of large tables beside a running server.

Nothing waits for them: PostgreSQL builds and drops each index concurrently. One that
was broken off may be run again; what it left half made is dropped first.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class IndexMigration(migrations.Migration):
    """Runs operations of `replaced`, `dropped` and `known`."""

    atomic = False

    def apply(
        self,
        project_state: ProjectState,
        schema_editor: BaseDatabaseSchemaEditor,
        collect_sql: bool = False,
    ) -> ProjectState:
        """Change the state without its classes, then the database.

        Django renders every related model again after each operation, and here all
        models are related through their project.
        """
        project_state.__dict__.pop("apps", None)
        return super().apply(project_state, schema_editor, collect_sql)


def replaced(old: str, former: str, new: str, definition: str) -> Operation:
    """Build an index, then drop the one whose place it takes.

    Args:
        old: Its predecessor.
        former: How that one was defined, from the table on.
        new: Its name.
        definition: What follows `CREATE INDEX … ON`.
    """
    return migrations.RunSQL(
        [*_built(new, definition), _without(old)],
        [*_built(old, former), _without(new)],
    )


def dropped(name: str, definition: str) -> Operation:
    """Drop an index; on the way back it is built as it was defined."""
    return migrations.RunSQL([_without(name)], _built(name, definition))


def added(name: str, definition: str) -> Operation:
    """Build an index that takes no other's place."""
    return migrations.RunSQL(_built(name, definition), _without(name))


def known(*operations: Operation) -> Operation:
    """Let the state of the models follow, where the database needs nothing."""
    return migrations.SeparateDatabaseAndState(state_operations=operations)


def tuned(table: str, **settings: float) -> Operation:
    """Set parameters of a table's or an index's storage."""
    values = ", ".join(f"{name} = {value}" for name, value in settings.items())
    return migrations.RunSQL(
        f"ALTER TABLE {table} SET ({values})",
        f"ALTER TABLE {table} RESET ({', '.join(settings)})",
    )


def _without(name: str) -> str:
    return f"DROP INDEX CONCURRENTLY IF EXISTS {name}"


def _built(name: str, definition: str) -> tuple[str, str]:
    return _without(name), f"CREATE INDEX CONCURRENTLY {name} ON {definition}"

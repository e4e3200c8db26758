"""Detect databases in which only some of the replaced migrations are recorded.

Django treats a replacing migration as applied if all that it replaces are recorded. If
only some are, it silently plans neither; if none is, it creates existing tables.
"""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

LAST_COMMIT_WITH_THEM = "a79f056"


@register(Tags.database)
def check_replaced_migrations(
    *, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """Return an error for a database that an older version left between migrations.

    `manage.py migrate` and the preparation of a start run this check first.
    """
    missing: list[str] = []
    migrations = MigrationLoader(None).disk_migrations
    for alias in databases or []:
        recorded = MigrationRecorder(connections[alias]).applied_migrations()
        begun = {app for app, _name in recorded}
        for key, migration in migrations.items():
            if migration.replaces and key not in recorded and key[0] in begun:
                lacks = [name for name in migration.replaces if name not in recorded]
                missing += [".".join(name) for name in lacks]
    if not missing:
        return []
    return [
        Error(
            f"This database was made by an earlier commit and lacks {len(missing)} of"
            f" its migrations ({', '.join(sorted(missing)[:3])} …): start it once with"
            f" commit {LAST_COMMIT_WITH_THEM}, or choose an empty VERIFYHUB_HOME."
            " Nothing in it was changed.",
            id="verifyhub.E001",
        )
    ]

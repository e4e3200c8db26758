"""Recognise a database in which the migrations that were joined are recorded in part.

Django takes a replacing migration as applied where all that it replaces are recorded.
Where only some are, it leaves both out of its plan without a word.
"""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

LAST_COMMIT_WITH_THEM = "5db7a52"


@register(Tags.database)
def check_replaced_migrations(
    *, databases: Sequence[str] | None = None, **_options: Any
) -> list[CheckMessage]:
    """Return an error for a database that an older commit left between migrations.

    `manage.py migrate` and the preparation of a start ask for it before they change
    anything.
    """
    missing: list[str] = []
    replacements = MigrationLoader(None).replacements
    for alias in databases or []:
        recorded = MigrationRecorder(connections[alias]).applied_migrations()
        for key, migration in replacements.items():
            lacks = [name for name in migration.replaces if name not in recorded]
            if key not in recorded and len(lacks) < len(migration.replaces):
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

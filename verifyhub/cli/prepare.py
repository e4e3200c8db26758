"""Migrate the database and collect the static files for this version.

One process runs all steps, so that Django is started once. Run it as `python -m
verifyhub.cli.prepare`; the last line of a failure says what to do. `--static` only
creates the static files, which each machine with a web server needs.
"""

import gc
import hashlib
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import django
import psycopg
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connections
from django.db.migrations.executor import MigrationExecutor

from verifyhub.cli.rights import grant_rights
from verifyhub.common import env
from verifyhub.common.partitions import keep_partitions
from verifyhub.common.replaced_migrations import check_replaced_migrations


def main() -> int:
    """Migrate, collect static files, create the first accounts, load the demo."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    # Garbage collection would take a fifth of the time of this short process.
    gc.disable()
    if sys.argv[1:] == ["--static"]:
        return _static_alone()
    try:
        application = _become_owner()
        django.setup()
        call_command("bootstrap", check=True)
        _wait_for_database(env.integer("VERIFYHUB_DATABASE_WAIT_SECONDS", 30))
        with ThreadPoolExecutor(max_workers=1) as beside:
            # In parallel with the database.
            static = beside.submit(_collect_static)
            _migrate()
            if application:
                with psycopg.connect(
                    os.environ["DATABASE_URL"], autocommit=True
                ) as connection:
                    grant_rights(connection, application)
            static.result()
        call_command("bootstrap")
        if env.flag("VERIFYHUB_DEMO", True):
            call_command("load_demo")
    except (CommandError, DatabaseError, env.SettingError) as error:
        print(f"{type(error).__name__}: {str(error).strip()}", file=sys.stderr)
        return 1
    return 0


def _static_alone() -> int:
    try:
        django.setup()
        _collect_static()
    except (CommandError, OSError, env.SettingError) as error:
        print(f"{type(error).__name__}: {str(error).strip()}", file=sys.stderr)
        return 1
    return 0


def _become_owner() -> str:
    """Use the owner of the tables, if it differs from the application's role.

    Returns:
        The application's address; empty if it is the owner itself.
    """
    owner = env.text("VERIFYHUB_OWNER_DATABASE_URL", "")
    if not owner:
        return ""
    application = env.text("DATABASE_URL", "")
    os.environ.pop("DATABASE_URL_FILE", None)
    os.environ["DATABASE_URL"] = owner
    return application


def _wait_for_database(seconds: int) -> None:
    """Wait for a database that may be starting."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            connections["default"].ensure_connection()
        except DatabaseError:
            if time.monotonic() >= deadline:
                raise
            time.sleep(0.5)
        else:
            return


def _migrate() -> None:
    for problem in check_replaced_migrations(databases=["default"]):
        raise CommandError(problem.msg)
    executor = MigrationExecutor(connections["default"])
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if missing:
        call_command("migrate", interactive=False, verbosity=0)
        print(f"{missing} migrations applied")
    # Before the first row of a new month after a downtime.
    keep_partitions()


def _collect_static() -> None:
    """Collect and compress the static files, if they have changed."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    digest = hashlib.sha256()
    for file in sorted(_inputs()):
        status = file.stat()
        digest.update(f"{file}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    fingerprint = digest.hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="ascii") == fingerprint:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(fingerprint, encoding="ascii")


def _inputs() -> Iterator[Path]:
    for finder in get_finders():
        for name, storage in finder.list(ignore_patterns=[]):
            yield Path(storage.path(name))


if __name__ == "__main__":
    sys.exit(main())

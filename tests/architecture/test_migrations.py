import os
import re
import subprocess
import sys

import psycopg
import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import connection
from django.db.migrations import AlterField
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from psycopg import sql

from tests.architecture.tree import CHECKOUT
from verifyhub.cli import prepare
from verifyhub.common.replaced_migrations import check_replaced_migrations


@pytest.mark.django_db
def test_no_model_change_lacks_its_migration():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_every_migration_has_a_name_that_says_what_it_does():
    names = [file.name for file in own_migrations()]

    assert not [name for name in names if re.search(r"_auto_\d", name)]


# Django keeps them in its state alone, and renders all models anew for each change.
def test_labels_and_choices_are_changed_where_their_field_is_made():
    loader = MigrationLoader(None)
    needless = []
    for file in own_migrations():
        app, name = file.parts[-3], file.stem
        for operation in loader.get_migration(app, name).operations:
            if isinstance(operation, AlterField):
                state = loader.project_state((app, name), at_end=False)
                model = state.models[app, operation.model_name_lower]
                if stored(model.get_field(operation.name)) == stored(operation.field):
                    needless.append(f"{app}.{name}: {operation.name}")

    assert not needless


def stored(field):
    """Return what the database knows of a field."""
    _name, path, args, options = field.deconstruct()
    known = {key: options[key] for key in options if key not in field.non_db_attrs}
    return path, list(args), known


def forget(*names: tuple[str, str]) -> None:
    for app, name in names:
        MigrationRecorder.Migration.objects.filter(app=app, name=name).delete()


@pytest.mark.django_db
def test_a_database_of_the_former_migrations_has_nothing_to_do():
    replacements = MigrationLoader(None).replacements
    forget(*replacements)

    executor = MigrationExecutor(connection)

    assert replacements
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    assert check_replaced_migrations(databases=["default"]) == []


@pytest.mark.django_db
def test_one_with_a_part_of_them_is_refused_before_anything_is_changed():
    forget(("memory", "0001_tables"), ("memory", "0005_voices"))

    with pytest.raises(SystemCheckError, match=r"0005_voices.*commit a79f056"):
        call_command("migrate", skip_checks=False, verbosity=0)


@pytest.mark.django_db
def test_one_with_none_of_them_but_older_ones_is_refused_as_well():
    replaced = MigrationLoader(None).replacements["memory", "0001_tables"].replaces
    forget(("memory", "0001_tables"), *replaced)
    MigrationRecorder(connection).record_applied("memory", "0001_initial")

    with pytest.raises(SystemCheckError, match=r"0001_schema.*commit a79f056"):
        call_command("migrate", skip_checks=False, verbosity=0)


@pytest.mark.django_db
def test_a_start_says_it_in_one_line(capsys, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    forget(("review", "0001_tables"), ("review", "0002_fewer_indexes"))

    assert prepare.main() == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.fixture
def empty_database(django_db_setup: None):
    given = settings.DATABASES["default"]
    # Two runs on one server must not drop each other's.
    name = f"{given['NAME']}_there_and_back"
    with psycopg.connect(
        host=given["HOST"],
        port=given["PORT"],
        user=given["USER"],
        password=given["PASSWORD"],
        dbname="postgres",
        autocommit=True,
    ) as connection:
        drop = sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name))
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield os.environ["DATABASE_URL"].rsplit("/", 1)[0] + f"/{name}"
        connection.execute(drop)


# Each migration there and back, in a process of its own.
@pytest.mark.deep
@pytest.mark.timeout(400)
def test_every_migration_can_be_taken_back(empty_database, monkeypatch):
    monkeypatch.setenv("DATABASE_URL", empty_database)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    monkeypatch.setenv("VERIFYHUB_SECRET_KEY", "for-this-test-only")

    result = subprocess.run(
        [sys.executable, "-m", "tests.architecture.there_and_back"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
    )

    assert result.returncode == 0, result.stderr
    taken_back = set(result.stdout.split())
    assert {f"{file.parts[-3]}.{file.stem}" for file in own_migrations()} <= taken_back


def own_migrations():
    found = list((CHECKOUT / "verifyhub").glob("*/migrations/0*.py"))
    assert found
    return found

"""Backups, made of a system that runs, restored elsewhere and started there."""

import json
import os
import re
import stat
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from psycopg import sql

from tests.cli.conftest import Up
from tests.cli.in_process import verifyhub
from tests.factories import ProjectFactory
from verifyhub.cli.welcome import EXAMPLE

EMPTY = "verifyhub_restored"


@pytest.fixture
def server(django_db_setup: None) -> str:
    return os.environ["DATABASE_URL"].rsplit("/", 1)[0]


@pytest.fixture
def filled(server: str, transactional_db: None) -> str:
    """The address of a database with rows that others see."""
    ProjectFactory(name="Kept")
    return f"{server}/{connection.settings_dict['NAME']}"


@pytest.fixture
def empty(server: str) -> Iterator[str]:
    name = sql.Identifier(EMPTY)
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name)
    with psycopg.connect(f"{server}/postgres", autocommit=True) as admin:
        admin.execute(drop)
        admin.execute(sql.SQL("CREATE DATABASE {}").format(name))
        yield f"{server}/{EMPTY}"
        admin.execute(drop)


@pytest.fixture
def backup(filled: str, tmp_path: Path) -> Path:
    file = tmp_path / "of.backup"
    made = verifyhub(
        "backup",
        str(file),
        settings={
            "DATABASE_URL": filled,
            "VERIFYHUB_SECRET_KEY": "kept with it",
            "VERIFYHUB_HOME": str(tmp_path),
        },
    )
    assert made.returncode == 0, made.stderr
    return file


def restored(file: Path, address: str) -> subprocess.CompletedProcess[str]:
    home = str(file.with_name("home"))
    settings = {"DATABASE_URL": address, "VERIFYHUB_HOME": home}
    return verifyhub("restore", "-", given=file.read_bytes(), settings=settings)


def test_a_backup_fills_an_empty_database_with_the_same_rows(backup, empty):
    result = restored(backup, empty)

    assert "every table matches the backup" in result.stdout, result.stderr
    with psycopg.connect(empty) as copy:
        names = copy.execute("SELECT name FROM accounts_project").fetchall()
    assert ("Kept",) in names
    assert "not empty" in restored(backup, empty).stderr


def test_a_backup_is_private_and_holds_the_secret_key_unless_told_otherwise(backup):
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    with tarfile.open(backup) as archive:
        assert archive.extractfile("secret-key").read() == b"kept with it\n"


def test_a_backup_that_was_changed_is_refused(backup, empty):
    whole = bytearray(backup.read_bytes())
    whole[len(whole) // 2] ^= 1
    backup.write_bytes(whole)

    result = restored(backup, empty)

    assert result.returncode == 1
    assert "changed or damaged" in result.stderr


def test_a_row_that_a_restore_lost_is_found(backup, empty, tmp_path):
    folder = tmp_path / "opened"
    with tarfile.open(backup) as archive:
        archive.extractall(folder, filter="data")
    manifest = (folder / "manifest.json").read_text()
    (rows,) = re.findall(r'"accounts_project": \[\s+"(\d+)"', manifest)
    promised = manifest.replace(
        f'"accounts_project": [\n   "{rows}"', '"accounts_project": [\n   "77"'
    )
    (folder / "manifest.json").write_text(promised)
    with tarfile.open(backup, "w") as archive:
        for file in folder.iterdir():
            archive.add(file, file.name)

    result = restored(backup, empty)

    assert result.returncode == 1
    assert "accounts_project: 77 rows" in result.stderr


def command(*words: str, home: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "verifyhub.cli.main", *words],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], "VERIFYHUB_HOME": str(home)},
        capture_output=True,
        text=True,
    )


@pytest.mark.deep
@pytest.mark.worker
@pytest.mark.timeout(300)
def test_a_system_starts_on_the_restored_copy_and_answers_as_before(
    up, tmp_path_factory
):
    said = up.start_and_wait()
    key = re.search(r"API key +(vh_\S+)", said)[1]
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}

    _, sent = up.get(
        "/api/v1/interactions/",
        "POST",
        json.dumps(EXAMPLE),
        Prefer="wait=25",
        **headers,
    )
    link = f"/api/v1/interactions/{json.loads(sent)['id']}/"
    before = up.get(link, **headers)
    made = command("backup", "of.backup", "--test", home=up.home, cwd=up.home)
    assert made.returncode == 0, made.stderr
    up.stop()
    at_rest = command("backup", "at-rest.backup", home=up.home, cwd=up.home)
    assert at_rest.returncode == 0, at_rest.stderr

    other = Up(tmp_path_factory.mktemp("restored"))
    result = command("restore", "of.backup", home=other.home, cwd=up.home)
    assert "every table matches the backup" in result.stdout, result.stderr
    other.start_and_wait()
    after = other.get(link, **headers)
    other.stop()

    assert before[0] == after[0] == 200
    assert json.loads(before[1])["verdict"] == json.loads(after[1])["verdict"]

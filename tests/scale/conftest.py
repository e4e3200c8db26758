"""Systems of several machines: `python -m tests.suite deep tests/scale`."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from tests.object_store import a_bucket, s3_server
from tests.scale.machines import Machine, a_broker

KEY = "vh_scale_0123456789abcdef0123456789abcdef"
DATABASE = "verifyhub_scale"


@pytest.fixture
def database_url(django_db_setup: None) -> Iterator[str]:
    """An empty database, and its owner's address."""
    name = f"{DATABASE}_{os.environ.get('PYTEST_XDIST_WORKER', 'gw')}"
    server = os.environ["DATABASE_URL"].rsplit("/", 1)[0]
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(
        sql.Identifier(name)
    )
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield f"{server}/{name}"
        connection.execute(drop)


@pytest.fixture
def store() -> Iterator[dict[str, str]]:
    """A bucket, and the settings that lead to it."""
    with s3_server() as address:
        _, system = a_bucket(address, "system")
        yield {
            "VERIFYHUB_STORE_URL": system.url,
            "VERIFYHUB_STORE_ENDPOINT": system.endpoint,
            "VERIFYHUB_STORE_KEY_ID": system.key_id,
            "VERIFYHUB_STORE_SECRET": system.secret,
        }


@pytest.fixture
def broker_url(tmp_path) -> Iterator[str]:
    with a_broker(tmp_path / "broker") as url:
        yield url


@pytest.fixture
def shared(database_url, broker_url, store) -> dict[str, str]:
    """All that the machines of a system share."""
    return {
        "DATABASE_URL": database_url,
        "BROKER_URL": broker_url,
        "VERIFYHUB_SECRET_KEY": "of-these-tests-" * 4,
        "VERIFYHUB_INIT_API_KEY": KEY,
        **store,
    }


@contextmanager
def two_machines(folder: Path, shared: dict[str, str]) -> Iterator[list[Machine]]:
    """Two of them, and a prepared database."""
    made = [Machine(folder / name, dict(shared)) for name in ("one", "two")]
    try:
        prepared = made[0].start("prepare")
        assert prepared.wait(180) == 0, made[0].said()
        yield made
    finally:
        for one in made:
            one.stop()


@pytest.fixture
def machines(tmp_path, shared) -> Iterator[list[Machine]]:
    with two_machines(tmp_path, shared) as made:
        yield made

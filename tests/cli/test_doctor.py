import os
import subprocess
import sys

import pytest

from tests.architecture.tree import CHECKOUT


def doctor(**settings: str) -> tuple[int, dict[str, str]]:
    result = subprocess.run(
        [sys.executable, "-m", "verifyhub.cli.main", "doctor"],
        cwd=CHECKOUT,
        env={**os.environ, "VERIFYHUB_SECRET_KEY": "for-this-test-only", **settings},
        capture_output=True,
        text=True,
    )
    lines = (line.split() for line in result.stdout.splitlines())
    return result.returncode, {words[1]: words[0] for words in lines}


@pytest.mark.worker
@pytest.mark.django_db(transaction=True)
def test_it_finds_each_part_of_a_prepared_system(settings):
    given = settings.DATABASES["default"]
    prepared = os.environ["DATABASE_URL"].rsplit("/", 1)[0] + f"/{given['NAME']}"

    code, found = doctor(DATABASE_URL=prepared)

    assert code == 0
    needed = ("settings", "database", "migrations", "pgvector", "broker", "disk")
    assert {found[name] for name in needed} == {"ok"}


def test_what_is_away_fails_and_the_rest_is_still_checked():
    code, found = doctor(
        DATABASE_URL="postgresql://nobody@127.0.0.1:1/none",
        BROKER_URL="redis://127.0.0.1:1/0",
        VERIFYHUB_MODEL_URL="http://127.0.0.1:1/v1",
    )

    assert code == 1
    assert {found[name] for name in ("database", "broker", "model")} == {"failed"}
    assert found["disk"] == "ok"


def test_a_wrong_setting_is_named():
    result = subprocess.run(
        [sys.executable, "-m", "verifyhub.cli.main", "doctor"],
        cwd=CHECKOUT,
        env={**os.environ, "VERIFYHUB_MAX_BODY_BYTES": "many"},
        capture_output=True,
        text=True,
    )

    assert result.returncode == 1
    assert "VERIFYHUB_MAX_BODY_BYTES must be a whole number" in result.stdout

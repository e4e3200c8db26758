import json
import logging
import logging.config
import subprocess
import sys

import pytest
from django.test import Client

from tests.architecture.tree import CHECKOUT

PROGRAM = """
import logging
import django
django.setup()
from verifyhub.common.logs import get_logger
log = get_logger("verifyhub.test")
log.info("verification.finished", id="7", text="a\\nb\\x1b[31m")
logging.getLogger("django.request").error("plain %s", "message")
try:
    1 / 0
except ZeroDivisionError:
    logging.getLogger("any").exception("it broke")
try:
    raise ValueError("postgres://app:" + "s3cr3tpass" + "@db/app is away")
except ValueError:
    logging.getLogger("any").exception("sent %s", "gh" + "p_" + "aB3" * 12)
"""


@pytest.fixture(scope="module")
def lines() -> list[dict[str, str]]:
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=CHECKOUT,
        env={
            "DJANGO_SETTINGS_MODULE": "verifyhub.config.settings",
            "VERIFYHUB_SECRET_KEY": "for-this-test-only",
        },
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in result.stderr.splitlines()]


def test_every_line_is_one_json_object(lines):
    assert [line["event"] for line in lines] == [
        "verification.finished",
        "plain message",
        "it broke",
        lines[3]["event"],
    ]
    assert all(line["level"] and line["timestamp"] for line in lines)


def test_control_characters_cannot_forge_a_line(lines):
    assert lines[0]["text"] == "a\nb\x1b[31m"


def test_a_traceback_stays_inside_its_line(lines):
    assert "ZeroDivisionError" in lines[2]["exception"]


def test_secrets_are_masked_in_messages_and_tracebacks(lines):
    assert lines[3]["event"].startswith("sent ‹github-token:")
    assert "postgres://app:‹password:" in lines[3]["exception"]
    assert "s3cr3tpass" not in lines[3]["exception"]


@pytest.mark.django_db
def test_a_request_is_logged_with_its_id_and_without_its_query(caplog):
    caplog.set_level(logging.INFO, logger="django_structlog.middlewares.request")

    response = Client().get("/accounts/login/?next=private-words")

    logged = "\n".join(str(record.msg) for record in caplog.records)
    assert response["X-Request-ID"] in logged
    assert "private-words" not in logged

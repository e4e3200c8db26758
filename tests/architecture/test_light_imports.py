"""What most processes never use is not loaded when they start, but at its first use."""

import subprocess
import sys
from functools import cache

import pytest

from tests.architecture.tree import CHECKOUT

HEAVY = {
    "altair",
    "jsonschema",
    "mcp",
    "numpy",
    "obstore",
    "onnxruntime",
    "openai",
    "opentelemetry.exporter",
    "pandas",
    "prompt_toolkit",
    "pyarrow",
    "scipy",
    "sklearn",
    "statsmodels",
    "tokenizers",
    "vl_convert",
}
# What each of them has loaded when it is ready for its work.
WEB = """
import verifyhub.config.wsgi
from verifyhub.config import gunicorn
gunicorn.when_ready(None)
from django.template.loader import get_template
get_template("review/queue.html")
"""
WORKER = """
import celery.apps.worker
from verifyhub.config.worker import app
app.loader.import_default_modules()
"""
BEAT = """
import celery.apps.beat, kombu.transport.redis
from verifyhub.config.beat import app, HeartbeatScheduler
app.loader.import_default_modules()
app.conf.beat_schedule
"""
UP = "import verifyhub.cli.main, verifyhub.cli.up"


@cache
def loaded(script: str) -> set[str]:
    """Run a script in a process of its own and return the modules it has then."""
    tell = "\nimport sys\nprint(*sys.modules, sep='\\n')"
    command = [sys.executable, "-c", script + tell]
    return set(
        subprocess.run(
            command, cwd=CHECKOUT, capture_output=True, text=True, check=True
        ).stdout.split()
    )


@pytest.mark.parametrize("script", [WEB, WORKER, BEAT, UP])
def test_nothing_heavy_is_loaded_before_its_first_use(script):
    assert loaded(script) & HEAVY == set()


def test_the_beat_loads_no_code_of_the_tasks_it_wakes():
    found = loaded(BEAT)

    assert found & {"django.apps", "rest_framework", "psycopg"} == set()
    assert {name for name in found if name.startswith("verifyhub.")} <= {
        "verifyhub.common",
        "verifyhub.common.env",
        "verifyhub.common.logs",
        "verifyhub.config",
        "verifyhub.config.beat",
        "verifyhub.config.beat_lease",
        "verifyhub.config.beat_schedule",
        "verifyhub.config.celery_settings",
        "verifyhub.config.paths",
        "verifyhub.config.queues",
    }


def test_the_supervisor_loads_no_framework_and_no_driver():
    frameworks = {"asyncio", "celery", "django", "psycopg", "redis", "structlog"}

    assert loaded(UP) & frameworks == set()

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

import pytest
from django.utils import timezone

from tests.architecture.tree import CHECKOUT
from tests.factories import ProjectFactory
from tests.inference.models import prose, whatever_is_forced
from tests.model_server import ModelServer, model_server
from verifyhub import __version__
from verifyhub.cli import doctor_models
from verifyhub.cli.doctor import mcp_server, web_server, workers
from verifyhub.cli.findings import DoctorFinding
from verifyhub.config.queues import WorkQueue
from verifyhub.engine.llm.configure import ModelSettings, from_environment
from verifyhub.inference.models import Budget


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
        VERIFYHUB_MODEL_LARGE="large-1",
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


def models_at(server: ModelServer, **given: str) -> ModelSettings:
    """The server's own models, as its environment names them."""
    environment = {"VERIFYHUB_MODEL_URL": server.base_url, **given}
    with mock.patch.dict(os.environ, environment):
        return from_environment()


def said(findings: list[DoctorFinding]) -> list[str]:
    return [f"{one.outcome} {one.text}" for one in findings]


@pytest.mark.django_db
def test_it_asks_every_model_of_the_server_and_says_what_works(settings):
    with model_server(whatever_is_forced) as server:
        settings.MODELS = models_at(
            server,
            VERIFYHUB_MODEL_MEDIUM="m-1",
            VERIFYHUB_MODEL_LARGE="l-1",
            VERIFYHUB_MODEL_PRICES="m-1=0.1/0.2",
        )
        lines = said(doctor_models.server_models())

    assert [request["model"] for request in server.requests] == ["m-1", "l-1"]
    assert lines[0].startswith("ok medium m-1: forced calls work")
    assert "price known" in lines[0]
    assert "no price: only tokens are limited" in lines[1]


@pytest.mark.django_db
def test_it_names_a_model_that_only_talks_and_a_project_that_waits(settings):
    project = ProjectFactory(slug="acme")
    Budget.objects.create(
        project=project, refused_by="day_tokens", refused_at=timezone.now()
    )
    with model_server(prose) as server:
        settings.MODELS = models_at(server, VERIFYHUB_MODEL_LARGE="l-1")
        model = said(doctor_models.server_models())

    assert model[0].startswith("failed large l-1: No structured reply")
    assert said(doctor_models.budgets())[0].startswith(
        "warning acme has reached its limit on tokens per day"
    )


def test_a_declared_folder_that_is_not_there_is_named(settings):
    settings.WORKSPACE_ROOTS = {"acme": "/srv/not-there-at-all"}

    (line,) = said(doctor_models.workspaces())

    assert line.endswith("acme: /srv/not-there-at-all is not a folder")


@contextmanager
def a_server(statuses: dict[str, int]) -> Iterator[int]:
    """Answer each path with a status, on a port that is told."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(statuses.get(self.path, 404))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        ({"/mcp": 401, "/readyz": 200}, "ok port"),
        ({"/mcp": 401, "/readyz": 503}, "failed port"),
        ({"/readyz": 200}, "warning port"),
    ],
)
def test_it_asks_the_mcp_server_whether_it_speaks(monkeypatch, statuses, said):
    monkeypatch.setenv("VERIFYHUB_MCP", "1")
    monkeypatch.setenv("VERIFYHUB_BIND", "127.0.0.1")
    with a_server(statuses) as port:
        monkeypatch.setenv("VERIFYHUB_MCP_PORT", str(port))
        found = mcp_server()

    assert f"{found.outcome} {found.text}".startswith(said)


@pytest.mark.parametrize(("status", "said"), [(200, "ok port"), (503, "warning port")])
def test_it_asks_the_web_server_whether_it_is_ready(monkeypatch, status, said):
    monkeypatch.setenv("VERIFYHUB_BIND", "127.0.0.1")
    with a_server({"/readyz": status}) as port:
        monkeypatch.setenv("PORT", str(port))
        found = web_server()

    assert f"{found.outcome} {found.text}".startswith(said)


def test_it_names_each_worker_its_version_and_what_it_does():
    everything = {"version": __version__, "queues": list(WorkQueue)}
    models = {"version": __version__, "queues": ["models"]}

    # Two of one machine bear its name.
    told = [("celery@b", models), ("celery@a", everything), ("celery@a", models)]

    assert said(workers(told)) == [
        f"ok celery@a: VerifyHub {__version__}, does everything",
        f"ok celery@a: VerifyHub {__version__}, does models",
        f"ok celery@b: VerifyHub {__version__}, does models",
    ]


def test_it_names_workers_of_another_version_and_work_that_none_does():
    queues = [queue for queue in WorkQueue if queue != WorkQueue.EXPORTS]
    told = [("celery@old", {"version": "0.0.9", "queues": queues})]

    first, second = said(workers(told))

    assert first.startswith("warning celery@old: VerifyHub 0.0.9, does verification")
    assert second == "warning no worker does exports"


def test_a_worker_of_before_the_question_is_a_warning():
    told = [("celery@old", {"error": "KeyError('about')"})]

    (line,) = said(workers(told))

    assert line.startswith("warning celery@old: VerifyHub of an earlier version")


def test_an_mcp_server_that_is_off_or_away_is_said(monkeypatch):
    monkeypatch.setenv("VERIFYHUB_BIND", "127.0.0.1")
    monkeypatch.setenv("VERIFYHUB_MCP_PORT", "1")
    monkeypatch.setenv("VERIFYHUB_MCP", "1")
    away = mcp_server()
    monkeypatch.setenv("VERIFYHUB_MCP", "0")
    off = mcp_server()

    assert said([away])[0].startswith("warning no response at port 1")
    assert said([off])[0].startswith("ok turned off")


def test_a_judge_whose_folder_lacks_a_file_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("VERIFYHUB_LOCAL_JUDGE", str(tmp_path))

    (line,) = said(doctor_models.local_judge())

    assert line.startswith("failed")
    assert line.endswith(f"{tmp_path}/model.onnx is missing")

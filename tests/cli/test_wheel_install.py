"""The wheels, installed where there is no checkout, do all that `make up` does."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from shutil import copy, copytree
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import psutil
import pytest

from tests.architecture.tree import CHECKOUT
from tests.cli.conftest import MARK, SECONDS_TO_START, Up
from verifyhub.cli.welcome import EXAMPLE

pytestmark = [pytest.mark.deep, pytest.mark.worker, pytest.mark.timeout(600)]

BUILT_FROM = ("Makefile", "pyproject.toml", "README.md", "LICENSE")
# Modules that the server imports; who imports these from the working folder ends.
NAMES = ("celery", "django", "gunicorn", "json", "redis", "verifyhub")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What wheels are built from, with what an earlier build has left behind."""
    folder = tmp_path_factory.mktemp("source")
    for name in BUILT_FROM:
        copy(CHECKOUT / name, folder)
    for name in ("client", "verifyhub"):
        copytree(CHECKOUT / name, folder / name)
    left = folder / "build" / "lib" / "verifyhub" / "gone.py"
    left.parent.mkdir(parents=True)
    left.touch()
    return folder


@pytest.fixture(scope="module")
def wheels(source: Path) -> list[Path]:
    programs = Path(sys.executable).parent
    command = ["make", "--old-file=install", "wheel", f"BIN={programs}"]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return sorted((source / "dist").iterdir())


@pytest.fixture(scope="module")
def environment(wheels: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheels, and the packages they need from this one."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", f"--python={python}", "install", "--quiet"]
    # Where neither the other packages nor the checkout's can be seen: what is there
    # already is not installed.
    env = {**os.environ, "PYTHONPATH": ""}
    subprocess.run([*pip, "--no-deps", "--no-index", *wheels], env=env, check=True)
    packages = next(folder.glob("lib/*/site-packages"))
    # Later in the search; the links to the checkout that lie there are not followed.
    lines = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "others.pth").write_text("\n".join(lines))
    return folder


@dataclass
class Served:
    """A running `verifyhub up`, and somebody who looks at its pages."""

    up: Up
    said: str
    opener: OpenerDirector = field(
        default_factory=lambda: build_opener(HTTPCookieProcessor(CookieJar()))
    )

    def get(self, path: str, **headers: str) -> str:
        request = Request(f"http://127.0.0.1:{self.up.port}{path}", headers=headers)
        with self.opener.open(request, timeout=60) as answer:
            return answer.read().decode()

    def sign_in(self) -> None:
        page = self.get("/accounts/login/")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
        user, password = re.search(r"Login +(\S+) +(\S+)", self.said).groups()
        form = {"csrfmiddlewaretoken": token, "username": user, "password": password}
        address = f"http://127.0.0.1:{self.up.port}/accounts/login/"
        self.opener.open(Request(address, urlencode(form).encode()), timeout=60).close()

    def processes(self) -> list[psutil.Process]:
        children = psutil.Process(self.up.process.pid).children(recursive=True)
        return [one for one in children if one.environ().get(MARK) == str(self.up.home)]


@pytest.fixture(scope="module")
def running(
    environment: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The server with its demo, started in a folder that holds misleading names."""
    folder = tmp_path_factory.mktemp("elsewhere")
    for name in NAMES:
        (folder / f"{name}.py").write_text("raise SystemExit('the wrong one')")
    command = (str(environment / "bin" / "verifyhub"), "up")
    up = Up(folder / ".verifyhub", command=command, cwd=folder)
    try:
        said = up.start_and_wait(VERIFYHUB_HOME="", VERIFYHUB_DEMO="1", PYTHONPATH="")
        yield Served(up, said)
    finally:
        if up.process.poll() is None:
            up.stop()
        assert up.wait_until_none_lives() == []


@pytest.fixture
def served(running: Served) -> Served:
    """The server, seen by somebody who has not signed in."""
    return Served(running.up, running.said)


def test_the_wheel_holds_the_package_and_nothing_else(source, wheels):
    server, client = wheels
    names = zipfile.ZipFile(server).namelist()
    held = {name for name in names if not name.startswith("verifyhub-0.1.0.dist-info")}

    files = (path for path in (source / "verifyhub").rglob("*") if path.is_file())
    package = {str(path.relative_to(source)) for path in files if path.suffix != ".pyc"}
    assert held == package
    assert "verifyhub-0.1.0.dist-info/licenses/LICENSE" in names
    assert client.name.startswith("verifyhub_client-")


def test_the_program_is_that_of_the_wheel(environment, tmp_path):
    code = (
        "import verifyhub, verifyhub_client as c; print(verifyhub.__file__, c.__file__)"
    )
    found = subprocess.run(
        [environment / "bin" / "python", "-c", code],
        env={"PATH": os.defpath},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )

    for place in found.stdout.split():
        assert Path(place).is_relative_to(environment)


def test_a_page_has_its_style_sheets_and_the_language_asked_for(served):
    page = served.get("/accounts/login/", **{"Accept-Language": "fr"})

    assert "Se connecter" in page
    sheets = re.findall(r'href="(/static/css/\w+\.[0-9a-f]{12}\.css)"', page)
    assert len(sheets) >= 3
    assert all("{" in served.get(sheet) for sheet in sheets)
    scripts = re.findall(r'src="(/static/[^"]+\.js)"', page)
    assert any("htmx" in script for script in scripts)
    assert all(served.get(script) for script in scripts)


def test_the_demo_waits_in_the_queue(served):
    served.sign_in()
    deadline = time.monotonic() + SECONDS_TO_START
    answers: set[str] = set()
    page = ""

    while not answers and time.monotonic() < deadline:
        # The project is made once the server is ready, beside those who use it.
        with suppress(HTTPError):
            page = served.get("/p/demo/review/", **{"Accept-Language": "ru"})
            answers = set(re.findall(r'href="(/p/demo/answers/[^"]+/)"', page))
        time.sleep(0.5)

    assert answers
    assert "Очередь" in page
    assert "<mark" in served.get(answers.pop())


def test_an_answer_is_verified(served):
    key = re.search(r"API key +(vh_\S+)", served.said)[1]

    status, answer = served.up.get(
        "/api/v1/interactions/",
        "POST",
        json.dumps(EXAMPLE),
        Authorization=f"Bearer {key}",
        Prefer="wait=25",
        **{"Content-Type": "application/json"},
    )

    assert status == 200, answer
    assert json.loads(answer)["verdict"] == "reject"


def test_nothing_works_in_or_reads_from_the_checkout(served):
    processes = served.processes()
    assert len(processes) > 5

    for process in processes:
        used = [process.cwd(), *(file.path for file in process.open_files())]
        # The packages that the wheels need are lent by the environment of the tests.
        beside = [path for path in used if not path.startswith(sys.prefix)]
        assert [path for path in beside if Path(path).is_relative_to(CHECKOUT)] == []
        # Gunicorn and Celery import from where they work.
        assert process.cwd() != str(served.up.cwd)


def test_the_state_lies_in_the_folder_of_the_start(served):
    assert f"State    {served.up.cwd}/.verifyhub" in served.said
    left = {path.name for path in served.up.cwd.iterdir()}
    assert left == {".verifyhub", *(f"{name}.py" for name in NAMES)}


def test_the_doctor_finds_all_in_order(served, environment):
    found = subprocess.run(
        [environment / "bin" / "verifyhub", "doctor"],
        env={"PATH": os.defpath},
        cwd=served.up.cwd,
        capture_output=True,
        text=True,
    )

    assert found.returncode == 0, found.stdout + found.stderr
    assert re.search(r"^ok +worker +celery@", found.stdout, re.MULTILINE)


def test_benchmarks_say_that_they_need_a_checkout(environment):
    told = subprocess.run(
        [environment / "bin" / "verifyhub", "bench", "grounding", "data.jsonl"],
        env={"PATH": os.defpath},
        capture_output=True,
        text=True,
    )

    assert told.returncode == 2
    assert "run it from a checkout" in told.stdout

import importlib.util
import os
import subprocess
import sys

import pytest

from tests.architecture.tree import CHECKOUT
from verifyhub.cli import install


def test_it_needs_nothing_but_python():
    command = [sys.executable, "-I", "-S", "-c", "import sys; sys.path.insert(0, '.')"]
    command[-1] += "; import verifyhub.cli.install"

    result = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True)

    assert result.returncode == 0, result.stderr


def test_a_python_that_cannot_make_environments_is_explained(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)

    with pytest.raises(install.InstallError, match="apt-get install python3-venv"):
        install.install(tmp_path / "venv", dev=False)


def test_a_finished_installation_is_not_repeated(tmp_path, monkeypatch):
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    os.symlink(sys.executable, venv / "bin" / "python")
    run_lock = CHECKOUT / "requirements" / "run.lock"
    digests = [
        install._digest(CHECKOUT / f"{name}pyproject.toml") for name in ("client/", "")
    ]
    project = "\n".join([str(CHECKOUT), *digests])
    (venv / "installed-run").write_text(install._digest(run_lock))
    (venv / "installed-project").write_text(project)
    ran: list[object] = []
    monkeypatch.setattr(install, "_run", lambda *words: ran.append(words))
    monkeypatch.setattr(install, "_runs", lambda _python: True)

    install.install(venv, dev=False)

    assert ran == []


def test_the_index_and_certificates_of_pip_are_used(monkeypatch):
    monkeypatch.setenv("PIP_INDEX_URL", "https://packages.example/simple")
    monkeypatch.setenv("PIP_CERT", "/etc/ours.pem")
    monkeypatch.delenv("UV_DEFAULT_INDEX", raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", "/etc/set-for-uv.pem")

    settings = install._as_pip_is_set(CHECKOUT / ".venv")

    assert settings == {"UV_DEFAULT_INDEX": "https://packages.example/simple"}

"""Run one process of VerifyHub, configured by environment variables alone.

`verifyhub up` runs everything of one machine; these run where PostgreSQL, the broker
and the secret key are named in the environment, and share nothing else.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from verifyhub.cli.home import Home, absolute
from verifyhub.common import env

NEEDED = ("DATABASE_URL", "BROKER_URL", "VERIFYHUB_SECRET_KEY")
PARTS = {
    "web": ["gunicorn", "--config", "python:verifyhub.config.gunicorn"],
    "worker": ["verifyhub.config.worker"],
    "beat": ["verifyhub.config.beat"],
    "prepare": ["verifyhub.cli.prepare"],
}


def run(part: str) -> int:
    """Replace this process by a part of VerifyHub; return only if that fails."""
    module = PARTS[part]
    try:
        for name in NEEDED if part != "beat" else ("BROKER_URL",):
            env.text(name)
        home = Home.from_environment()
        home.create()
        if part == "web":
            _collect_static()
        _become(home.run, module)
    except (env.SettingError, OSError) as error:
        print(error, file=sys.stderr)
    return 1


def _collect_static() -> None:
    """Make this machine's static files, unless they are there already.

    In a process of its own: what it loads would stay in memory beside the web server.
    """
    command = [sys.executable, "-P", "-m", "verifyhub.cli.prepare", "--static"]
    if subprocess.run(command, check=False).returncode:
        raise OSError("The static files could not be collected")


def _become(folder: Path, module: list[str]) -> NoReturn:
    settings = {
        "MALLOC_ARENA_MAX": "2",
        **absolute(os.environ),
        "VERIFYHUB_HOME": str(folder.parent),
    }
    # Gunicorn and Celery import from where they are started.
    os.chdir(folder)
    os.execve(sys.executable, [sys.executable, "-P", "-m", *module], settings)  # noqa: S606

"""Run one process of VerifyHub, configured by environment variables alone.

`verifyhub up` runs everything on one machine. These processes only share PostgreSQL,
the broker and the secret key, which are set in the environment.
"""

import os
import subprocess
import sys

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
    """Replace this process by one of VerifyHub; returns only on failure."""
    module = PARTS[part]
    try:
        for name in NEEDED if part != "beat" else ("BROKER_URL",):
            env.text(name)
        home = Home.from_environment()
        home.create()
        if part == "web":
            _collect_static()
        settings = {
            "MALLOC_ARENA_MAX": "2",
            **absolute(os.environ),
            "VERIFYHUB_HOME": str(home.path),
        }
        # Gunicorn and Celery import from the working folder.
        os.chdir(home.run)
        os.execve(sys.executable, [sys.executable, "-P", "-m", *module], settings)  # noqa: S606
    except (env.SettingError, OSError) as error:
        print(error, file=sys.stderr)
    return 1


def _collect_static() -> None:
    """Create this machine's static files, unless they exist.

    In a separate process, whose modules do not stay in the web server's memory.
    """
    command = [sys.executable, "-P", "-m", "verifyhub.cli.prepare", "--static"]
    if subprocess.run(command, check=False).returncode:
        raise OSError("The static files could not be collected")

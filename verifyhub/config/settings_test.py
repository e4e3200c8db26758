"""Settings for the test command: the same program, cheaper passwords."""

import os
from pathlib import Path
from urllib.parse import urlsplit

os.environ.setdefault("VERIFYHUB_SECRET_KEY", "for-tests-only-" + "x" * 40)
if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    # Each process that tests has a broker database and a home folder of its own, as
    # have the programs that its tests start.
    number = int(worker.removeprefix("gw")) + 1
    broker = urlsplit(os.environ["BROKER_URL"])
    os.environ["BROKER_URL"] = broker._replace(path=f"/{number}").geturl()
    home = Path(os.environ["VERIFYHUB_HOME"], worker)
    home.mkdir(exist_ok=True)
    os.environ["VERIFYHUB_HOME"] = str(home)

from verifyhub.config.settings import *  # noqa: F403
from verifyhub.config.settings import DATABASES, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
# Nothing has been collected; files are served from where they are written.
WHITENOISE_AUTOREFRESH = True
# Quicker than the address, which programs that tests start use.
DATABASES["default"]["HOST"] = os.environ.get(
    "DATABASE_SOCKETS", DATABASES["default"]["HOST"]
)
# Tests that commit empty the tables afterwards; nothing else may truncate the audit.
DATABASES["default"]["ENGINE"] = "tests.postgres"
DATABASES["default"]["OPTIONS"]["options"] += " -c verifyhub.truncate_audit=on"
# What one test counted is nothing to the next one.
METRICS_SECONDS = 0

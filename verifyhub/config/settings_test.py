"""Settings for the test command: the same program, cheaper passwords."""

import os
from pathlib import Path
from urllib.parse import urlsplit

os.environ.setdefault("VERIFYHUB_SECRET_KEY", "for-tests-only-" + "x" * 40)
if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    # Each test process, and the programs that it starts, has its own broker database
    # and home folder.
    number = int(worker.removeprefix("gw")) + 1
    broker = urlsplit(os.environ["BROKER_URL"])
    os.environ["BROKER_URL"] = broker._replace(path=f"/{number}").geturl()
    home = Path(os.environ["VERIFYHUB_HOME"], worker)
    home.mkdir(exist_ok=True)
    os.environ["VERIFYHUB_HOME"] = str(home)

from verifyhub.config.settings import *  # noqa: F403
from verifyhub.config.settings import DATABASES, PGBOUNCER, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
# Static files are served from their source folders.
WHITENOISE_AUTOREFRESH = True
# Faster than the URL, which programs started by tests use.
DATABASES["default"]["HOST"] = os.environ.get(
    "DATABASE_SOCKETS", DATABASES["default"]["HOST"]
)
# Truncates tables after tests that commit; nothing else may truncate the audit log.
DATABASES["default"]["ENGINE"] = "tests.postgres"
if not PGBOUNCER:
    DATABASES["default"]["OPTIONS"]["options"] += " -c verifyhub.truncate_audit=on"
# No cache, so that tests are independent.
METRICS_SECONDS = 0

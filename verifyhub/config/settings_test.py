"""Settings for the test command: the same program, cheaper passwords."""

import os

os.environ.setdefault("VERIFYHUB_SECRET_KEY", "for-tests-only-" + "x" * 40)

from verifyhub.config.settings import *  # noqa: F403
from verifyhub.config.settings import DATABASES, STORAGES

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
# Nothing has been collected; files are served from where they are written.
WHITENOISE_AUTOREFRESH = True
# Tests that commit empty the tables afterwards; nothing else may truncate the audit.
DATABASES["default"]["OPTIONS"]["options"] += " -c verifyhub.truncate_audit=on"  # type: ignore[index]
# What one test counted is nothing to the next one.
METRICS_SECONDS = 0

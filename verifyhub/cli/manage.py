"""Run a command of Django against the system of this home.

`verifyhub manage COMMAND` works like `manage.py COMMAND` in a checkout, for any
installation, and needs no settings in the environment.
"""

import os
import sys
from collections.abc import Sequence

from verifyhub.cli.home import Home
from verifyhub.common import env


def run(words: Sequence[str]) -> int:
    """Run a command with its arguments; return the exit code."""
    Home.from_environment().adopt_environment()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    from django.core.management import ManagementUtility

    try:
        ManagementUtility(["verifyhub manage", *words]).execute()
    except env.SettingError as error:
        print(
            f"{error}. Check that VERIFYHUB_HOME is the right folder", file=sys.stderr
        )
        return 1
    return 0

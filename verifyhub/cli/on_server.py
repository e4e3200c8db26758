"""Shared code of subcommands that use the database of this home's server."""

import argparse
import os
import sys
from collections.abc import Callable
from typing import Any

from verifyhub.cli.home import Home
from verifyhub.common import env


class CannotError(Exception):
    """A command failed; the message says why, for people."""


def add_act(
    acts: Any, name: str, about: str, run: Callable[[Any], None], *words: str
) -> argparse.ArgumentParser:
    """Add a command that runs on this home's server.

    Args:
        acts: The commands of a subcommand.
        name: Its name.
        about: What it does, for the help.
        run: Runs it with the parsed arguments.
        words: Its positional arguments.
    """
    command: argparse.ArgumentParser = acts.add_parser(name, help=about)
    for word in words:
        command.add_argument(word)
    command.set_defaults(run=lambda arguments: on_server(lambda: run(arguments)))
    return command


def on_server(act: Callable[[], None]) -> int:
    """Load Django, run a subcommand, and return the exit code.

    Errors are printed as one line on standard error.
    """
    home = Home.from_environment()
    home.adopt_environment()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "verifyhub.config.settings")
    # Logs are JSON, but a command's output is for people.
    os.environ.setdefault("VERIFYHUB_LOG_LEVEL", "ERROR")
    import django
    from django.db import OperationalError

    try:
        env.text("VERIFYHUB_SECRET_KEY")
        django.setup()
        act()
    except env.SettingError as error:
        return _cannot(
            f"{error}: {home.path} contains no server. Start one with `verifyhub up`, "
            "or set VERIFYHUB_HOME to its folder"
        )
    except OperationalError as error:
        reason = str(error).strip().splitlines()[0]
        return _cannot(
            f"The database does not respond. Check that VerifyHub is running. {reason}"
        )
    except CannotError as error:
        return _cannot(str(error))
    return 0


def _cannot(reason: str) -> int:
    print(reason, file=sys.stderr)
    return 1

"""`verifyhub allow`: private addresses that models and webhooks may use."""

import argparse
import sys

from verifyhub.cli.home import Home
from verifyhub.common import env, private_hosts


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Allow addresses that project members enter for models or webhooks "
        "to use a private or loopback host and port. Takes effect immediately on the "
        "server that runs from this home folder. Without arguments: list the allowed "
        "addresses."
    )
    parser.add_argument("purpose", nargs="?", choices=private_hosts.PURPOSES)
    parser.add_argument(
        "place",
        nargs="?",
        metavar="HOST:PORT",
        help="as in the address, for example localhost:11434",
    )
    parser.add_argument(
        "--remove", action="store_true", help="remove it from the allowed addresses"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Change the home's file, or print its content."""
    home = Home.from_environment()
    if not arguments.purpose:
        for purpose in private_hosts.PURPOSES:
            for place in sorted(private_hosts.allowed_in(home.path, purpose)):
                print(purpose, private_hosts.shown(place))
        return 0
    if not arguments.place:
        return _cannot("Enter a host and port, for example localhost:11434")
    if not home.path.is_dir():
        return _cannot(f"The folder {home.path} does not exist. Check VERIFYHUB_HOME")
    try:
        changed = private_hosts.change(
            home.path, arguments.purpose, arguments.place, remove=arguments.remove
        )
    except (env.SettingError, OSError) as error:
        return _cannot(str(error))
    word = "no longer allowed" if arguments.remove else "allowed"
    print(f"{arguments.place}: {word} for {arguments.purpose}", end="")
    print("" if changed else ", as before")
    return 0


def _cannot(reason: str) -> int:
    print(reason, file=sys.stderr)
    return 2

"""The `verifyhub` command.

Each subcommand's module is imported only when it is called: `verifyhub verify` runs
in a CI job that has neither Django's settings nor a database.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Any

from verifyhub import __version__

OFFLINE = {
    "verify": "verify the runs in a file, without a server",
    "formats": "list the supported transcript formats",
    "manifest": "add SHA-256 manifests of local files to runs",
    "ask": "ask a model about a folder and verify its answer",
    "context": "fetch the memory context of a session",
    "import": "upload a file of runs to a server",
    "mcp": "run the Model Context Protocol server",
}
# Subcommands that use the database of this home's server.
ON_SERVER = {
    "audit": "verify the audit log",
    "backup": "back up the database and the secret key to one file",
    "restore": "restore a backup into a new home folder",
    "allow": "allow private addresses for models and webhooks",
    "user": "manage accounts and password links",
    "project": "manage projects, members, roles and invitations",
    "key": "create, list and revoke API keys",
    "outputs": "move large tool outputs to the object store or back",
}
# Processes for systems on several machines, configured by settings alone.
PARTS = {
    "prepare": "apply migrations and create the first accounts",
    "web": "run the web server",
    "worker": "run a background worker",
    "beat": "run the scheduler; of several, one is active",
}
MODULES = {
    # `import` cannot be the name of a module.
    "import": "bulk_import",
    "user": "users",
    "project": "projects",
    "key": "keys",
}
BENCHMARKS = (
    "client",
    "grounding",
    "completion",
    "values",
    "decisions",
    "facts",
    "claims",
    "speed",
    "ingest",
    "guard",
    "memory",
    "layers",
    "loop",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one subcommand and return its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["manage"]:
        # Django parses its options.
        return int(_module("manage").run(words[1:]))
    parser = _parser(words)
    arguments = parser.parse_args(words)
    return int(arguments.run(arguments))


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="verifyhub",
        description="Verify the answers of AI agents against what their tools "
        "returned.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    up = commands.add_parser("up", help="start all services on this machine")
    up.set_defaults(run=lambda _: _module("up").run())
    doctor = commands.add_parser(
        "doctor", help="check settings, services and disk space"
    )
    doctor.set_defaults(run=lambda _: _module("doctor").run())
    commands.add_parser("manage", help="run a Django management command")
    bench = commands.add_parser("bench", help="run benchmarks on labelled data")
    bench.add_argument("benchmark", choices=BENCHMARKS)
    bench.add_argument("arguments", nargs=argparse.REMAINDER, metavar="DATA …")
    bench.set_defaults(
        run=lambda given: _module("bench").run(given.benchmark, given.arguments)
    )
    for name, about in PARTS.items():
        part = commands.add_parser(name, help=about)
        part.set_defaults(run=lambda given: _module("part").run(given.part), part=name)
    for name, about in (OFFLINE | ON_SERVER).items():
        command = commands.add_parser(name, help=about)
        if words[:1] == [name]:
            # Only the module of the command that is called is imported.
            _module(name).describe(command)
    return parser


def _module(name: str) -> Any:
    return importlib.import_module(f"verifyhub.cli.{MODULES.get(name, name)}")


if __name__ == "__main__":
    sys.exit(main())

"""`verifyhub formats`: list the supported formats of transcripts."""

import argparse
from typing import Any

from verifyhub.ingest.formats.transcripts import FORMATS


def add_parser(subparsers: Any) -> None:
    """Describe the subcommand to the `verifyhub` command."""
    parser = subparsers.add_parser(
        "formats",
        help="list the supported transcript formats",
        description="List what `verifyhub verify --format NAME` reads.",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print each format's name and what writes it."""
    rows = [("native", "VerifyHub's own JSON, as in the API")]
    rows += [(reader.name, reader.about) for reader in FORMATS]
    width = max(len(name) for name, _ in rows)
    for name, about in rows:
        print(f"{name:{width}}  {about}")
    return 0

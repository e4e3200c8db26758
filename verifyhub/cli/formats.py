"""`verifyhub formats`: list the supported formats of transcripts."""

import argparse

from verifyhub.ingest.formats.transcripts import FORMATS


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = "List what `verifyhub verify --format NAME` reads."
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print each format's name and what writes it."""
    rows = [("native", "VerifyHub's own JSON, as in the API")]
    rows += [(reader.name, reader.about) for reader in FORMATS]
    width = max(len(name) for name, _ in rows)
    for name, about in rows:
        print(f"{name:{width}}  {about}")
    return 0

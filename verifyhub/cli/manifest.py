"""`verifyhub manifest`: list the files of a run in the agent's workspace.

The server only reads folders that its operator declared. If an agent works on another
machine, this command checks the files there with the same code, and adds the list of
the files in its claims to each run (requirement B6: checks run on another machine).
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import IO, Any

from verifyhub.cli.level_options import OptionError, read_root
from verifyhub.cli.pipes import hush_stdout
from verifyhub.cli.verify_input import read_pieces
from verifyhub.cli.verify_text import visible
from verifyhub.common.contract import FormatError
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.levels.run import LevelInputs, run_levels
from verifyhub.engine.ports import FileLook, FileState, FileTree
from verifyhub.engine.types import Interaction
from verifyhub.ingest.formats import native
from verifyhub.verification.workspace import WorkspaceTree

OK, BAD_INPUT = 0, 2
EPILOG = """\
FILE contains runs as for `verifyhub verify`. Each run is printed on one line with its
`manifest`, ready for POST /api/v1/interactions/. Files outside DIR are not opened, and
links are not followed. Exit codes: 0 done; 2 some input could not be read.
"""


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Add the SHA-256 hashes of the files that a run's claims mention."
    )
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "file", metavar="FILE|-", help="file to read; - for standard input"
    )
    parser.add_argument(
        "--root", metavar="DIR", required=True, help="folder that contains the files"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write every run with its manifest and return the exit code."""
    try:
        root = read_root(arguments.root)
        if arguments.file == "-":
            return _write_all(sys.stdin.buffer, "<stdin>", root)
        with open(arguments.file, "rb") as stream:
            return _write_all(stream, arguments.file, root)
    except BrokenPipeError:
        hush_stdout()
        return OK
    except OptionError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(f"{arguments.file}: {error.strerror}", file=sys.stderr)
    return BAD_INPUT


def manifest_of(interaction: Interaction, tree: FileTree) -> list[dict[str, Any]]:
    """Return the state of every file in the claims of a run.

    Returns:
        Entries of `manifest`; a file that could not be read is left out, which means
        that it was not checked.
    """
    recorder = _Recorder(tree)
    # Without the agent's own manifest, so that the files are read.
    unlisted = replace(interaction, manifest=None)
    run_levels(unlisted, build_ledger(unlisted), LevelInputs(tree=recorder))
    return [recorder.files[path] for path in sorted(recorder.files)]


class _Recorder:
    """A tree that records its lookups."""

    def __init__(self, tree: FileTree) -> None:
        self.tree, self.name = tree, tree.name
        self.files: dict[str, dict[str, Any]] = {}

    def look(self, path: str, anchors: Sequence[str]) -> FileLook:
        result = self.tree.look(path, anchors)
        if result.state is not FileState.UNREAD:
            entry = self.files.setdefault(path, {"path": path, "anchors": []})
            entry["sha256"] = result.sha256
            entry["anchors"] = sorted({*entry["anchors"], *(result.anchors or ())})
        return result


def _write_all(stream: IO[bytes], name: str, root: str) -> int:
    code = OK
    for piece in read_pieces(stream):
        try:
            if piece.problem is not None:
                raise FormatError("", piece.problem)
            interaction = native.parse_interaction(piece.data)
        except FormatError as error:
            print(f"{name}: {piece.place}: {visible(str(error))}", file=sys.stderr)
            code = BAD_INPUT
            continue
        files = manifest_of(interaction, WorkspaceTree(root))
        document = {**piece.data, "manifest": files}
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
        sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")
        sys.stdout.buffer.flush()
    return code

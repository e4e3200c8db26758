"""`verifyhub context`: fetch the memory context of a session, also into a file."""

import argparse
import os
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile

from verifyhub.cli.verify_text import visible
from verifyhub.embedded import HubError, VerifyHub
from verifyhub.engine.memory.formats import BEGIN, END, ContextFormat

DONE, BAD_INPUT, NO_CONTEXT = 0, 2, 3


class FragmentError(Exception):
    """The fragment cannot be inserted into the file."""


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = (
        "Fetch the memory context that a session's agent needs for its next task."
    )
    parser.epilog = (
        "The API key is read from VERIFYHUB_API_KEY. Exit codes: 0 done; 2 "
        "invalid argument or file; 3 the server returned no context."
    )
    add = parser.add_argument
    add("session", metavar="SESSION", help="session name")
    add("--server", metavar="URL", required=True, help="URL of the server")
    add("--task", default="", help="the agent's next task")
    add(
        "--budget",
        type=int,
        default=1000,
        metavar="TOKENS",
        help="maximum size of the context (default: 1000)",
    )
    add("--format", choices=list(ContextFormat), default="text", help="default: text")
    add(
        "--write",
        metavar="FILE",
        help="replace the section between the verifyhub markers in this file, for "
        "example AGENTS.md; the rest stays unchanged",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Fetch the context; print it, or write it into the file."""
    if arguments.write and arguments.format != ContextFormat.MARKDOWN:
        return _fail("--write needs --format markdown", BAD_INPUT)
    try:
        with VerifyHub(
            arguments.server, os.environ.get("VERIFYHUB_API_KEY", "")
        ) as hub:
            text = hub.context(
                arguments.session,
                task=arguments.task,
                budget=arguments.budget,
                format=arguments.format,
            )
        if arguments.write:
            write_fragment(Path(arguments.write), text)
        else:
            sys.stdout.write(text)
    except HubError as error:
        return _fail(str(error), NO_CONTEXT)
    except (FragmentError, ValueError, OSError) as error:
        return _fail(str(error), BAD_INPUT)
    return DONE


def write_fragment(path: Path, fragment: str) -> None:
    """Replace the text between the markers of a file, or append it.

    Bytes outside the markers do not change; the file is replaced atomically.

    Raises:
        FragmentError: If the file has one marker without the other, or more than one
            pair.
    """
    content = path.read_bytes() if path.exists() else b""
    begin, end = BEGIN.encode(), END.encode()
    body = fragment.encode().strip() or begin + b"\n" + end
    counted = content.count(begin), content.count(end)
    if counted == (0, 0):
        joint = b"" if not content or content.endswith(b"\n") else b"\n"
        _replace(path, content + joint + body + b"\n")
        return
    start, stop = content.find(begin), content.find(end)
    if counted != (1, 1) or stop < start:
        raise FragmentError(f"{path}: expected exactly one pair of verifyhub markers")
    _replace(path, content[:start] + body + content[stop + len(end) :])


def _replace(path: Path, content: bytes) -> None:
    target = path.resolve()
    with NamedTemporaryFile(dir=target.parent, delete=False) as fresh:
        fresh.write(content)
    if target.exists():
        Path(fresh.name).chmod(target.stat().st_mode & 0o777)
    else:
        Path(fresh.name).chmod(0o644)
    Path(fresh.name).replace(target)


def _fail(message: str, code: int) -> int:
    print(f"verifyhub context: {visible(message)}", file=sys.stderr)
    return code

"""The `verifyhub` command called in this process, which has loaded it already.

What only a process of its own can show (an early reader, peak memory, a signal) starts
one; these calls show the rest in a hundredth of the time.
"""

import io
import os
import subprocess
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

from verifyhub.cli.main import main


def verifyhub(
    *words: str, given: str | bytes = "", settings: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a subcommand and return its exit code and what it printed.

    Args:
        words: The command line after `verifyhub`.
        given: What standard input holds.
        settings: The environment beside what is there and is none of VerifyHub's.
    """
    data = given.encode() if isinstance(given, str) else given
    out, err = (
        io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        for _ in range(2)
    )
    others = {k: v for k, v in os.environ.items() if not k.startswith("VERIFYHUB_")}
    with (
        mock.patch.dict(os.environ, {**others, **(settings or {})}, clear=True),
        mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            code = main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
    printed = [one.buffer.getvalue().decode() for one in (out, err)]  # type: ignore[attr-defined]
    return subprocess.CompletedProcess(list(words), code, *printed)

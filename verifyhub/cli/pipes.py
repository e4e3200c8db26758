"""Standard output whose reader may close it early."""

import os
import sys


def hush_stdout() -> None:
    """Discard further output after a BrokenPipeError.

    Otherwise Python would report it again when it flushes standard output at exit.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

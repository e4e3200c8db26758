"""Standard output whose reader may close it early."""

import os
import sys


def hush_stdout() -> None:
    """Write no more after a BrokenPipeError: the reader has seen enough.

    Python flushes standard output at exit and would complain once more.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

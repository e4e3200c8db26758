"""Run a benchmark of the checkout's `bench` folder."""

import importlib
import os
import sys
from collections.abc import Sequence

from verifyhub.cli.home import CHECKOUT


def run(benchmark: str, arguments: Sequence[str]) -> int:
    """Measure on labelled data and return the benchmark's exit code.

    Args:
        benchmark: Name of a module in `bench`.
        arguments: What that module's `main` takes, the data file first.
    """
    if not (CHECKOUT / "bench" / f"{benchmark}.py").is_file():
        print(f"{CHECKOUT} has no bench/{benchmark}.py: run it from a checkout.")
        return 2
    sys.path.insert(0, str(CHECKOUT))
    try:
        code = int(importlib.import_module(f"bench.{benchmark}").main(list(arguments)))
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough. Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code

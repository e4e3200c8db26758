"""Run a benchmark of the checkout's `bench` folder."""

import importlib
import sys
from collections.abc import Sequence

from verifyhub.cli.home import CHECKOUT
from verifyhub.cli.pipes import hush_stdout


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
        hush_stdout()
        return 0
    return code

"""Write what pytest makes of the modules of tests, once for all processes of a run.

In a clean clone each of them would rewrite the asserts of all these modules for itself,
at the same time as the others. What this leaves out, they do.
"""

import compileall
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from _pytest.assertion import rewrite

from verifyhub.cli.home import CHECKOUT

# It could ask for a hook at asserts that hold.
NO_CONFIG: Any = None


def compiled(file: Path) -> None:
    """Store a module as the processes of pytest look for it."""
    if file.name != "conftest.py" and not file.name.startswith("test_"):
        compileall.compile_file(file, quiet=2)
        return
    folder = rewrite.get_cache_dir(file)
    folder.mkdir(exist_ok=True)
    stored = folder / f"{file.stem}{rewrite.PYC_TAIL}"
    if rewrite._read_pyc(file, stored) is None:
        source_hash, code = rewrite._rewrite_test(file, NO_CONFIG)
        part = stored.with_suffix(".part")
        with part.open("wb") as pyc:
            rewrite._write_pyc_fp(pyc, source_hash, code)
        part.replace(stored)


if __name__ == "__main__":
    with ProcessPoolExecutor() as pool:
        for _ in pool.map(compiled, (CHECKOUT / "tests").rglob("*.py"), chunksize=20):
            pass

"""Run tests over one tree, again and again: `python -m tests.mutants.worker` in it.

Reads a task on each line of its input and writes an answer for each, both JSON. Every
task runs in a fork of this process, as most of the start of a test run is imports. With
files of tests as arguments this process has imported them and all of VerifyHub, and a
fork gives functions their changed code; without, it has imported what others wrote, and
a fork imports the changed file: for what runs at import.
"""

import contextlib
import gc
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

# What tests and program import, and what pytest loads as plugins.
PRELOADED = (
    *("altair", "anyio.pytest_plugin", "celery.app.task", "cryptography.fernet"),
    *("django.core.management", "django.test", "django.template.backends.django"),
    *("django.contrib.postgres.fields", "django.db.backends.postgresql.base"),
    *("factory.django", "faker", "httpx2", "hypothesis", "jsonschema", "kombu"),
    *("langsmith.pytest_plugin", "nh3", "numpy", "openai", "opentelemetry.sdk.metrics"),
    *("pgvector.django", "psycopg", "pyarrow.parquet", "pydantic", "pytest"),
    *("pytest_cov.plugin", "pytest_django.plugin", "pytest_timeout", "rapidfuzz"),
    *(
        "redis",
        "requests",
        "rest_framework",
        "schemathesis.pytest.plugin",
        "scipy.stats",
    ),
    *("sklearn.isotonic", "sklearn.linear_model", "sqlparse", "standardwebhooks"),
    *("statsmodels.stats.inter_rater", "structlog", "time_machine", "tokenizers"),
)
MOST_MEMORY = 12 << 30
# The limit of a task is on what it computes, as others may use the machine; one that
# only waits ends after so many times as long, and four minutes.
PATIENCE, MOST_WAITING = 10, 240


def main(files: Sequence[str]) -> None:
    """Answer tasks until there are no more."""
    for name in PRELOADED:
        # What is missing is imported by each fork, and only costs time.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    if files:
        with contextlib.redirect_stdout(sys.stderr):
            _import(files)
    # What is there now is never freed: a collection would only copy its pages.
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(_answer(json.loads(line), is_loaded=bool(files))), flush=True)


def _import(files: Sequence[str]) -> None:
    """Import tests, and so the program, as pytest does.

    Raises:
        RuntimeError: If that fails.
    """
    import pytest

    from tests.mutants.trial import OPTIONS

    code = pytest.main([*OPTIONS, "-qq", "--collect-only", *files])
    if code != pytest.ExitCode.OK:
        raise RuntimeError(f"tests cannot be collected: {code}")
    from django.urls import get_resolver

    # The views, which are imported with the first request.
    _ = get_resolver().url_patterns


def _answer(task: dict[str, Any], *, is_loaded: bool) -> dict[str, Any]:
    """Change a file as asked, run the tests, put the file back."""
    if not task["path"]:
        return _in_fork(task, is_loaded=is_loaded)
    file = Path(task["path"])
    before, times = file.read_bytes(), file.stat()
    file.write_text(task["source"], encoding="utf-8")
    # Compiled files are told apart by whole seconds; no two versions may share one.
    os.utime(file, (task["version"], task["version"]))
    try:
        return _in_fork(task, is_loaded=is_loaded)
    finally:
        file.write_bytes(before)
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))


def _in_fork(task: dict[str, Any], *, is_loaded: bool) -> dict[str, Any]:
    """Return what the tests gave, or why they gave nothing."""
    started = time.monotonic()
    ours, theirs = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        _run(task, theirs, is_loaded=is_loaded)
    os.close(theirs)
    answer = _read(ours, until=started + PATIENCE * task["seconds"] + MOST_WAITING)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return {**answer, "seconds": round(time.monotonic() - started, 1)}


def _read(pipe: int, *, until: float) -> dict[str, Any]:
    lost = {"ran": 0, "is_committed": True}
    text = b""
    with open(pipe, "rb", buffering=0) as stream:
        while select.select([stream], [], [], max(0.0, until - time.monotonic()))[0]:
            part = stream.read(1 << 16)
            if not part:
                break
            text += part
        else:
            return {"failed": {"time limit": "waited too long"}, **lost}
    return (
        dict(json.loads(text))
        if text
        else {"failed": {"process": "died, or computed too long"}, **lost}
    )


def _run(task: dict[str, Any], pipe: int, *, is_loaded: bool) -> None:
    """Be the fork: never returns."""
    os.setsid()
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    most_seconds = int(task["seconds"]) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most_seconds, most_seconds))
    log = os.open(task["log"], os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(log, stream)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        from tests.mutants.trial import run

        if is_loaded and task["path"]:
            recode(Path(task["path"]).resolve(), task["source"])
        answer = run(task["tests"], stops=task["stops"], is_deep=task["is_deep"])
    except BaseException as error:  # noqa: BLE001 - whatever it is, the mutant did it
        answer = {
            "failed": {"start": f"{type(error).__name__}: {error}"[:300]},
            "ran": 0,
            "is_committed": True,
        }
    os.write(pipe, json.dumps(answer).encode())
    os._exit(0)


def recode(file: Path, source: str) -> None:
    """Give the functions of a module the code of its changed source.

    Raises:
        LookupError: If no function has other code now, or it is unclear which.
    """
    codes = list(_functions(compile(source, str(file), "exec")))
    counts = Counter(map(_place, codes))
    new = {_place(code): code for code in codes}
    changed = 0
    gc.unfreeze()
    for function in gc.get_objects():
        # Asked for its class, a lazy object would come to life.
        if type(function) is not FunctionType:
            continue
        old = function.__code__
        place = _place(old)
        if old.co_filename == str(file) and new.get(place, old) != old:
            if counts[place] > 1:
                raise LookupError(f"several functions at {place}")
            function.__code__ = new[place]
            changed += 1
    if not changed:
        raise LookupError(f"no function of {file} has changed")


def _functions(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _functions(constant)


def _place(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


if __name__ == "__main__":
    main(sys.argv[1:])

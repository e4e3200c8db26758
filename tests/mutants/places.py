"""A tree of the checkout and servers' rooms that one worker has to itself."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

TEMPLATE = "mutants"
MAKE_TEMPLATE = """
import django
django.setup()
from django.db import connection
connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
"""


@dataclass(slots=True)
class Place:
    """One worker's copy of the tracked files, its database and its broker's database.

    Attributes:
        number: Which one, from 1: the broker's database of this number is its own.
        folder: Where its copy and its log are.
        servers: The settings that lead to the servers (`tests.suite.servers`).
    """

    number: int
    folder: Path
    servers: Mapping[str, str]

    @property
    def tree(self) -> Path:
        """The copy."""
        return self.folder / "tree"

    @property
    def database(self) -> str:
        """The name of the database that tests write to."""
        return f"{TEMPLATE}_{self.number}"

    @property
    def env(self) -> dict[str, str]:
        """The settings for programs that run in the copy."""
        return {
            **self.servers,
            "DATABASE_URL": _with_path(self.servers["DATABASE_URL"], self.database),
            "BROKER_URL": _with_path(self.servers["BROKER_URL"], str(self.number)),
            "PYTEST_XDIST_WORKER": f"gw{self.number}",
        }

    def copy(self, checkout: Path) -> None:
        """Copy what Git knows of, as it is now, and leave alone what is the same."""
        for name in tracked(checkout):
            source, target = checkout / name, self.tree / name
            if not target.exists() or target.read_bytes() != source.read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)

    def renew_database(self) -> None:
        """Make the tests' database anew, as migrations leave it."""
        with psycopg.connect(self.servers["DATABASE_URL"], autocommit=True) as server:
            server.execute(f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")
            server.execute(
                f"CREATE DATABASE {self.database} TEMPLATE test_{TEMPLATE}"
                " STRATEGY FILE_COPY"
            )


def tracked(checkout: Path, *folders: str) -> list[str]:
    """Return the files that Git knows of, and new ones that it would not ignore."""
    options = ["-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(
        ["git", "ls-files", *options, "--", *folders],
        cwd=checkout,
        capture_output=True,
        check=True,
    )
    names = listed.stdout.decode().split("\0")
    return [name for name in sorted(set(names)) if (checkout / name).is_file()]


def make_template(checkout: Path, servers: Mapping[str, str]) -> None:
    """Migrate the database that all others are cloned from; takes half a minute."""
    env = {
        **servers,
        "DATABASE_URL": _with_path(servers["DATABASE_URL"], TEMPLATE),
        "DJANGO_SETTINGS_MODULE": "verifyhub.config.settings_test",
    }
    subprocess.run(
        [sys.executable, "-c", MAKE_TEMPLATE], cwd=checkout, env=env, check=True
    )


@dataclass(slots=True)
class Worker:
    """The program that runs tests in a place (`tests.mutants.worker`).

    Attributes:
        version: The time of the last change to its tree, in whole seconds.
        is_stained: Whether its database may hold what tests have committed.
    """

    place: Place
    process: "subprocess.Popen[str]"
    version: int = field(default_factory=lambda: int(time.time()))
    is_stained: bool = True

    def run(
        self,
        tests: Sequence[str],
        *,
        seconds: float,
        change: tuple[str, str] | None = None,
        stops: bool = True,
        is_deep: bool = False,
    ) -> dict[str, Any]:
        """Run tests, with a file's text changed.

        Args:
            tests: Node ids, in the order to run them in.
            seconds: Of computing, after which they are stopped; counts as a failure.
            change: Path and new text of a file.
            stops: Whether the first failure ends the run.
            is_deep: Whether property tests draw the examples of the deep layer.

        Returns:
            `failed`: reasons by test; `ran`: how many; `seconds` it took.
        """
        if self.is_stained:
            self.place.renew_database()
        self.version += 1
        path, source = change or ("", "")
        answer = self._ask(
            path=path,
            source=source,
            version=self.version,
            tests=list(tests),
            stops=stops,
            is_deep=is_deep,
            seconds=seconds,
            log=str(self.place.folder / "last-run.log"),
        )
        self.is_stained = bool(answer["is_committed"])
        return answer

    def _ask(self, **task: Any) -> dict[str, Any]:
        if self.process.stdin is None or self.process.stdout is None:
            raise RuntimeError("the worker was started without pipes")
        self.process.stdin.write(json.dumps(task) + "\n")
        self.process.stdin.flush()
        return dict(json.loads(self.process.stdout.readline()))


@contextmanager
def working(place: Place, *files: str) -> Iterator[Worker]:
    """Start the program that runs tests in a place; it ends with its input.

    Args:
        place: Where.
        files: Of tests it has imported before it runs any (`tests.mutants.worker`).
    """
    with subprocess.Popen(
        [sys.executable, "-m", "tests.mutants.worker", *files],
        cwd=place.tree,
        env=place.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Worker(place, process)


def _with_path(url: str, path: str) -> str:
    return f"{url.rpartition('/')[0]}/{path}"

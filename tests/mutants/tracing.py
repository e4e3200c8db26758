"""Which tests execute which lines, and how long each takes."""

import ast
import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from coverage import CoverageData

from tests.mutants.drawing import PACKAGES, Mutant
from tests.mutants.places import Place
from tests.mutants.recording import FILE_VARIABLE
from tests.mutants.trial import OPTIONS

# They run a bench: minutes while they are traced, and longer than a mutant is given.
OUTSIDE = (
    *("tests/engine/test_bench.py", "tests/engine/test_bench_claims.py"),
    *("tests/memory/test_measured_loop.py", "tests/engine/values/test_bench.py"),
)
# Of the apps that mutants are drawn from, and of whole journeys: tests of other apps
# execute many of these lines, too, but kill little that these do not.
FOLDERS = {"accounts", "engine", "journeys", "memory", "review", "verification"}
# How pytest ends where tests have run, or a part has none of these.
RUN = {
    pytest.ExitCode.OK,
    pytest.ExitCode.TESTS_FAILED,
    pytest.ExitCode.NO_TESTS_COLLECTED,
}
# So many times a test's seconds it takes to be as promising as one of the same app.
FAR = 4
MARKERS = "not (browser or worker or realmodel)"


def parts(checkout: Path) -> dict[str, list[str]]:
    """Return the test files in parts that are traced one by one, largest first."""
    found = defaultdict(list)
    for file in sorted((checkout / "tests").rglob("test_*.py")):
        path = file.relative_to(checkout)
        if path.parts[1] in FOLDERS and not str(path).startswith(OUTSIDE):
            folder = path.parent.parts[1:3]
            found["-".join(folder)].append(str(path))
    return dict(sorted(found.items(), key=lambda part: -len(part[1])))


def trace(place: Place, name: str, files: list[str], folder: Path) -> None:
    """Run a part of the tests and keep what each executed, unless that was done.

    Failures are kept too: no mutant is tried with a test that fails without one.

    Raises:
        RuntimeError: If the tests cannot be run.
    """
    times = folder / f"{name}.jsonl"
    if (folder / f"{name}.done").exists():
        return
    times.unlink(missing_ok=True)
    place.renew_database()
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", *OPTIONS, "-m", MARKERS),
            *("-p", "tests.mutants.recording", "--cov-context=test", "--cov-report="),
            *(f"--cov={package}" for package in PACKAGES),
            *files,
        ],
        cwd=place.tree,
        env={
            **place.env,
            "COVERAGE_FILE": str(folder / f"{name}.coverage"),
            FILE_VARIABLE: str(times),
        },
        stdin=subprocess.DEVNULL,
        stdout=(folder / f"{name}.log").open("w"),
        stderr=subprocess.STDOUT,
        check=False,
    )
    if done.returncode not in RUN:
        raise RuntimeError(f"{name} does not run: see {folder / name}.log")
    (folder / f"{name}.done").touch()


class Traces:
    """What the parts have told."""

    def __init__(self, folder: Path, checkout: Path) -> None:
        self._checkout = checkout
        self._data = []
        for file in sorted(folder.glob("*.coverage")):
            data = CoverageData(str(file))
            data.read()
            self._data.append(data)
        self.seconds: dict[str, float] = {}
        self.marks: dict[str, list[str]] = {}
        for times in sorted(folder.glob("*.jsonl")):
            for line in times.read_text(encoding="utf-8").splitlines():
                test = json.loads(line)
                if test["outcome"] == "passed":
                    self.seconds[test["test"]] = test["seconds"]
                    self.marks[test["test"]] = test["marks"]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """Return the tests that execute what is changed, the most promising first.

        Those are fast, in the folder of the app, and the first of their parameters.
        """
        found = self._executing(mutant)
        home = f"tests/{mutant.path.split('/')[1]}/"
        turns: Counter[str] = Counter()
        costs = {}
        for test in sorted(found, key=lambda name: (self.seconds[name], name)):
            function = test.partition("[")[0]
            turns[function] += 1
            distance = 1 if test.startswith(home) else FAR
            costs[test] = self.seconds[test] * turns[function] * distance
        return sorted(costs, key=lambda test: (costs[test], test))

    def is_imported(self, mutant: Mutant) -> bool:
        """Whether what is changed runs when modules are imported, before any test."""
        line = mutant.start[0]
        function = _function_at(self._checkout / mutant.path, line)
        return (
            function is None
            or line < function.body[0].lineno
            or "" in self._lines(mutant.path)[line]
        )

    def _executing(self, mutant: Mutant) -> set[str]:
        """Return the tests that execute the line, or what comes nearest to that."""
        lines = self._lines(mutant.path)
        for wanted in _stretches(self._checkout / mutant.path, mutant.start[0]):
            tests = {test for line in wanted for test in lines.get(line, ())}
            if found := tests & self.seconds.keys():
                return found
        if self.is_imported(mutant):
            # A table, say: those who read it are in the folder, or in one further up.
            for folder in Path(mutant.path).parents:
                if found := self._inside(folder) & self.seconds.keys():
                    return found
        return set()

    def _inside(self, folder: Path) -> set[str]:
        """Return the tests that execute anything in a folder."""
        files = {file for data in self._data for file in data.measured_files()}
        paths = (file[file.index("/verifyhub/") + 1 :] for file in files)
        return {
            test
            for path in paths
            if folder in Path(path).parents
            for tests in self._lines(path).values()
            for test in tests
        }

    @cache  # noqa: B019 - lives as long as the program
    def _lines(self, path: str) -> dict[int, set[str]]:
        """Return the tests by the lines of a file they execute; "" for an import."""
        lines: dict[int, set[str]] = defaultdict(set)
        for data in self._data:
            for file in data.measured_files():
                if file.endswith(f"/{path}"):
                    for line, contexts in data.contexts_by_lineno(file).items():
                        lines[line] |= {each.rpartition("|")[0] for each in contexts}
        return lines


def _stretches(file: Path, line: int) -> Iterator[set[int]]:
    """Yield sets of lines, each a wider answer to what runs when `line` does.

    Inside a function: the line, its statement. What runs at import has no test of its
    own: the function it decorates or declares, else the functions that use the name it
    assigns, those of the class, all of the module.
    """
    function = _function_at(file, line)
    around = _around(file, line)
    if function and line >= function.body[0].lineno:
        yield {line}
        yield set(range(around[-1].lineno, line + 1))
        return
    if function:
        yield _body(function)
    functions = [
        node for node in ast.walk(_parsed(file)) if isinstance(node, ast.FunctionDef)
    ]
    names = {
        name.id
        for node in around[-1:]
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    yield _bodies(node for node in functions if names & _names(node))
    yield _bodies(node for node in functions if node in ast.walk(around[0]))
    yield _bodies(functions)


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _around(file: Path, line: int) -> list[ast.stmt]:
    """Return the statements a line belongs to, the outermost first."""
    return [
        node
        for node in ast.walk(_parsed(file))
        if isinstance(node, ast.stmt) and _first(node) <= line <= (node.end_lineno or 0)
    ]


def _function_at(file: Path, line: int) -> ast.FunctionDef | None:
    found = [node for node in _around(file, line) if isinstance(node, ast.FunctionDef)]
    return found[-1] if found else None


def _first(node: ast.stmt) -> int:
    decorators = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _names(node: ast.AST) -> set[str]:
    used = (getattr(each, "id", getattr(each, "attr", "")) for each in ast.walk(node))
    return set(used)


def _bodies(functions: Iterable[ast.FunctionDef]) -> set[int]:
    return set().union(*map(_body, functions))


def _body(node: ast.FunctionDef) -> set[int]:
    return set(range(node.body[0].lineno, (node.end_lineno or 0) + 1))

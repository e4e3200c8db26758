"""`make mutants`: change the program in many small ways; see which the tests notice.

Traces which tests execute which lines, draws mutants by a seed, and runs for each the
tests that execute it, until one fails. Everything is kept below `--home`, so that a run
that was stopped goes on. What `make test` lets through is tried with the tests of
`make test-deep`: the share of what both kill that `make test` kills must be as large as
`SHARE`. `--against` tries the mutants that another suite killed, and
says how many of them this one kills.
"""

import argparse
import hashlib
import json
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from tests.mutants.drawing import PACKAGES, Mutant, digest, draw, sources
from tests.mutants.places import Place, Worker, make_template, tracked, working
from tests.mutants.tracing import Traces, parts, trace
from tests.suite import servers
from verifyhub.cli.home import CHECKOUT

NUMBER, SEED, WORKERS = 500, 20261122, 2
# Of the mutants that both layers or another suite kill, `make test` must kill so many.
SHARE = 0.97
# How long the tests of one mutant take when nothing is changed: those tried first, as
# most mutants need no more, and all of them.
FIRST_SECONDS, MOST_SECONDS = 3.0, 30.0
# Of those of the deep layer, which draws up to forty times as many examples.
DEEP_SECONDS, DEEP_FACTOR = 120.0, 40
# Of computing, beside three times as long as without a change: for what is imported.
SPARE_SECONDS = 20.0
KILLED, KILLED_DEEP = "killed", "killed deep"
SURVIVED, NOT_COVERED = "survived", "not covered"

Item = TypeVar("Item")
Result = dict[str, Any]


def main(arguments: Sequence[str]) -> int:
    """Return 1 if `make test` kills too few of the mutants that can be killed."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=NUMBER, help="how many to draw")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--workers", type=int, default=WORKERS, help="at a time")
    parser.add_argument("--package", action="append", choices=PACKAGES, help="only")
    parser.add_argument("--against", type=Path, help="results of another suite")
    parser.add_argument("--home", type=Path, default=CHECKOUT / ".verifyhub-mutants")
    options = parser.parse_args(arguments)
    folder = options.home.resolve() / _fingerprint()
    folder.mkdir(parents=True, exist_ok=True)
    texts = dict(sources(CHECKOUT))
    if options.against:
        killers = _killers(options.against, texts)
        mutants = list(killers)
        file = folder / f"against-{options.against.stem}.jsonl"
    else:
        killers = {}
        mutants = draw(texts.items(), number=options.number, seed=options.seed)
        file = folder / f"seed-{options.seed}-{options.number}.jsonl"
    wanted = options.package or PACKAGES
    mutants = [each for each in mutants if each.package in wanted]
    with servers() as env:
        make_template(CHECKOUT, env)
        places = [
            Place(n, folder / f"worker-{n}", env) for n in range(1, options.workers + 1)
        ]
        for place in places:
            place.copy(CHECKOUT)
        _trace(places, folder)
        trials = Trials(Traces(folder, CHECKOUT), texts, killers, file)
        trials.run(places, mutants)
    print(f"Results: {file}")
    results = list(trials.results.values())
    return _report(results, of=len(results) if options.against else None)


@dataclass(frozen=True, slots=True)
class Hands:
    """The programs that run tests in one place: for what tests run, and imports."""

    loaded: Worker
    bare: Worker

    def run(self, tests: Sequence[str], *, is_imported: bool, **task: Any) -> Result:
        """Run tests as `Worker.run` does, in whichever sees the change."""
        if not is_imported:
            answer = self.loaded.run(tests, **task)
            # Else it is unclear which functions have changed.
            if "start" not in answer["failed"]:
                return answer
        return self.bare.run(tests, **task)


class Trials:
    """Tries mutants, and writes a line for each."""

    def __init__(
        self,
        traces: Traces,
        texts: dict[str, str],
        killers: dict[Mutant, str],
        file: Path,
    ) -> None:
        self._traces = traces
        self._texts = texts
        self._killers = killers
        self._file = file
        self._lock = threading.Lock()
        self.results = {result["name"]: result for result in _read(file)}

    def run(self, places: Sequence[Place], mutants: Sequence[Mutant]) -> None:
        """Try what has no result yet; repeat what a test killed that always fails."""
        files = sorted({test.partition("::")[0] for test in self._traces.seconds})
        with ExitStack() as stack:
            workers = [
                Hands(
                    loaded=stack.enter_context(working(place, *files)),
                    bare=stack.enter_context(working(place)),
                )
                for place in places
            ]
            while left := [each for each in mutants if each.name not in self.results]:
                print(f"{len(left)} of {len(mutants)} mutants to try", flush=True)
                _share_out(workers, left, self._try)
                self._forget_unfounded(workers[0])

    def _try(self, hands: Hands, mutant: Mutant) -> None:
        source = self._texts[mutant.path]
        result = {
            "name": mutant.name,
            "package": mutant.package,
            **asdict(mutant),
            "diff": mutant.diff(source),
            **self._outcome(hands, mutant, source),
        }
        with self._lock:
            self.results[mutant.name] = result
            with self._file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(result) + "\n")
            print(f"{result['outcome']:12}{mutant.name}", flush=True)

    def _outcome(self, hands: Hands, mutant: Mutant, source: str) -> Result:
        tests = self._selected(mutant)
        change = (mutant.path, mutant.applied(source))
        first = _within(tests, self._traces.seconds, FIRST_SECONDS)
        rest = [test for test in tests if test not in first]
        taken = 0.0
        for batch in filter(None, (first, rest)):
            known = sum(self._traces.seconds[test] for test in batch)
            answer = hands.run(
                batch,
                change=change,
                seconds=3 * known + SPARE_SECONDS,
                is_imported=self._traces.is_imported(mutant),
            )
            taken += answer["seconds"]
            for killer, why in answer["failed"].items():
                found = {"outcome": KILLED, "killer": killer, "why": why}
                return {**found, "tests": len(tests), "seconds": taken}
        return {
            "outcome": SURVIVED if tests else NOT_COVERED,
            **self._deep_outcome(hands, mutant, change),
            "tests": len(tests),
            "seconds": taken,
        }

    def _deep_outcome(
        self, hands: Hands, mutant: Mutant, change: tuple[str, str]
    ) -> Result:
        """Try what `make test` has let through with the tests of the deep layer."""
        marks, seconds = self._traces.marks, self._traces.seconds
        known = {
            test: seconds[test] * (DEEP_FACTOR if "hypothesis" in marks[test] else 1)
            for test in self._traces.tests_of(mutant)
            if marks[test]
        }
        tests = _within(list(known), known, DEEP_SECONDS)
        if not tests:
            return {}
        allowed = 3 * sum(known[test] for test in tests) + SPARE_SECONDS
        answer = hands.bare.run(tests, change=change, seconds=allowed, is_deep=True)
        for killer, why in answer["failed"].items():
            return {"outcome": KILLED_DEEP, "killer": killer, "why": why}
        return {}

    def _selected(self, mutant: Mutant) -> list[str]:
        tests = [
            test
            for test in self._traces.tests_of(mutant)
            if "deep" not in self._traces.marks[test]
        ]
        killer = self._killers.get(mutant)
        if killer in self._traces.seconds:
            tests = [killer, *(test for test in tests if test != killer)]
        return _within(tests, self._traces.seconds, MOST_SECONDS)

    def _forget_unfounded(self, hands: Hands) -> None:
        """Drop results of tests that, run alone, fail without any change as well."""
        failed = set[str]()
        for outcome, worker in ((KILLED, hands.loaded), (KILLED_DEEP, hands.bare)):
            killers = {
                result["killer"]
                for result in self.results.values()
                if result["outcome"] == outcome
            }
            tests = sorted(killers & self._traces.seconds.keys())
            if tests:
                failed |= worker.run(
                    tests,
                    seconds=3600,
                    stops=False,
                    is_deep=outcome == KILLED_DEEP,
                )["failed"].keys()
        if unnamed := failed - self._traces.seconds.keys():
            raise RuntimeError(f"tests do not run at all: {sorted(unnamed)}")
        for test in failed:
            print(f"Fails without a change: {test}", flush=True)
            del self._traces.seconds[test]
        self.results = {
            name: result
            for name, result in self.results.items()
            if result.get("killer") not in failed
        }
        lines = (json.dumps(result) + "\n" for result in self.results.values())
        self._file.write_text("".join(lines), encoding="utf-8")


def _trace(places: Sequence[Place], folder: Path) -> None:
    def one(place: Place, part: tuple[str, list[str]]) -> None:
        trace(place, *part, folder)
        print(f"traced {part[0]}", flush=True)

    _share_out(places, parts(CHECKOUT).items(), one)


def _share_out(
    hands: Sequence[Any], items: Iterable[Item], do: Callable[[Any, Item], None]
) -> None:
    """Call `do` for each item, from one thread for each hand.

    Raises:
        Exception: The first of what `do` raised.
    """
    left: SimpleQueue[Item] = SimpleQueue()
    for item in items:
        left.put(item)

    def work(hand: Any) -> None:
        while True:
            try:
                item = left.get_nowait()
            except Empty:
                return
            do(hand, item)

    with ThreadPoolExecutor(len(hands)) as pool:
        list(pool.map(work, hands))


def _within(tests: Sequence[str], seconds: dict[str, float], most: float) -> list[str]:
    """Return the tests that fit into so many seconds, the first in any case."""
    chosen, left = [*tests[:1]], most - sum(seconds[test] for test in tests[:1])
    for test in tests[1:]:
        if seconds[test] <= left:
            chosen.append(test)
            left -= seconds[test]
    return chosen


def _fingerprint() -> str:
    """Return what tells one state of program and tests from another."""
    state = hashlib.sha256()
    for name in tracked(CHECKOUT, "client", "templates", "tests", "verifyhub"):
        if not name.startswith("tests/mutants/"):
            state.update(name.encode() + b"\0" + (CHECKOUT / name).read_bytes())
    return state.hexdigest()[:12]


def _read(file: Path) -> list[Result]:
    if not file.exists():
        return []
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def _killers(file: Path, texts: dict[str, str]) -> dict[Mutant, str]:
    """Return what another suite killed, and by which test, where files are the same."""
    names = [field.name for field in fields(Mutant)]
    killers = {}
    for result in _read(file):
        values = {name: result[name] for name in names}
        mutant = Mutant(
            **values | {"start": tuple(values["start"]), "end": tuple(values["end"])}
        )
        is_same = digest(texts.get(mutant.path, "")) == mutant.digest
        if result["outcome"] == KILLED and is_same:
            killers[mutant] = result["killer"]
    return killers


def _report(results: Sequence[Result], *, of: int | None) -> int:
    """Print what survived and the counts; return 1 if `SHARE` is missed.

    Args:
        results: One for each mutant.
        of: How many another suite kills, else those that both layers kill.
    """
    for result in results:
        if result["outcome"] != KILLED:
            print(f"\n{result['outcome']}: {result['name']}\n{result['diff']}")
    counts = Counter((result["package"], result["outcome"]) for result in results)
    outcomes = (KILLED, KILLED_DEEP, SURVIVED, NOT_COVERED)
    print(f"\n{'package':34}{'drawn':>8}", *(f"{name:>13}" for name in outcomes))
    for package in (*PACKAGES, "all"):
        row = [
            sum(counts[name, outcome] for name in PACKAGES if package in (name, "all"))
            for outcome in outcomes
        ]
        print(f"{package:34}{sum(row):8}", *(f"{count:13}" for count in row))
    killed, deep = (
        sum(result["outcome"] == outcome for result in results)
        for outcome in (KILLED, KILLED_DEEP)
    )
    share = killed / max(1, of or killed + deep)
    print(f"\n{killed} of {len(results)} killed by `make test`")
    others = "the other suite kills" if of else "it and `make test-deep` kill"
    print(f"{share:.1%} of what {others} (at least {SHARE:.0%})")
    return int(share < SHARE)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

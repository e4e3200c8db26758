"""Time and peak memory of a verification by size: `python -m bench.speed`.

A grid of traces of 10 KB to 10 MB (`--up-to 100000000` for 100 MB) and answers with 1
to 10,000 names, three quarters of them invented: the expensive case, since each of
those is compared with the real names. Then inputs that are meant to be slow
(`bench.shapes`), the share of each stage, and the cost of starting.

Time is processor time of one whole verification, the median for short runs. Memory is
the peak growth of the process, or Python's peak of allocations if that is larger, as a
multiple of the trace. Growth is the time as a multiple of the next smaller size: ten if
time is linear.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from bench.shapes import SHAPES
from verifyhub.engine.completion.check import check_completion
from verifyhub.engine.grounding.ground import ground_mentions
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.levels.run import LevelInputs, run_levels
from verifyhub.engine.mentions.extract import extract_mentions
from verifyhub.engine.pipeline import VerificationRequest, verify
from verifyhub.engine.types import Interaction, ToolCall

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
MENTIONS = (1, 10, 100, 1_000, 10_000)
SHAPE_SIZES = (100_000, 1_000_000)
_ALL_SIZES = (*SIZES, 100_000_000)
_CALL_SIZE = 20_000
# Shorter runs are measured three times, and with Python's allocations too.
_SHORT_SECONDS = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One verification; `growth` is its time as a multiple of the next smaller one."""

    series: str
    trace_bytes: int
    answer_bytes: int
    mentions: int
    seconds: float
    peak_bytes: int
    growth: float | None = None

    @property
    def peak(self) -> float:
        """Peak memory as a multiple of the input."""
        return self.peak_bytes / max(1, self.trace_bytes + self.answer_bytes)


def made_up_run(trace_bytes: int, mentions: int) -> Interaction:
    """Return a run of a size whose answer has a number of mostly invented names."""
    calls = tuple(_calls(trace_bytes))
    names = (
        f"`src/part{n % 40}/module_{n}.py`" if n % 2 else f"`load_record_{n}()`"
        for n in range(mentions)
    )
    answer = "I read the code and ran the tests.\n" + "\n".join(
        f"- {name} is where it happens." for name in names
    )
    return Interaction(task="Explain the loader.", answer=answer, tool_calls=calls)


def _calls(trace_bytes: int) -> Iterator[ToolCall]:
    written = line = 0
    index = 0
    while written < trace_bytes:
        path = f"src/part{index % 40}/module_{index}.py"
        lines: list[str] = []
        size = 0
        while size < min(_CALL_SIZE, trace_bytes - written):
            lines.append(
                f"def load_record_{line * 4}(path, limit={line}):  # part {line % 97}\n"
                f"    return store_{line % 53}.read(path / 'data_{line}.json')\n"
            )
            size += len(lines[-1])
            line += 1
        yield ToolCall(
            index=index,
            tool="read_file",
            input={"path": path},
            output="".join(lines),
        )
        written += size
        index += 1


def measure(series: str, interaction: Interaction) -> Measure:
    """Measure the time and the growth of the process, then Python's memory."""
    before = _resident("VmRSS")
    _forget_peak()
    started = time.process_time()
    mentions = len(verify(VerificationRequest(interaction)).mentions)
    seconds = time.process_time() - started
    peak = max(0, _resident("VmHWM") - before)
    if seconds < _SHORT_SECONDS:
        peak = max(peak, _allocated(interaction))
        seconds = _seconds(lambda: verify(VerificationRequest(interaction)))
    return Measure(
        series=series,
        trace_bytes=sum(len(call.output) for call in interaction.tool_calls),
        answer_bytes=len(interaction.answer),
        mentions=mentions,
        seconds=seconds,
        peak_bytes=peak,
    )


def _seconds(work: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(3):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return statistics.median(times)


def _allocated(interaction: Interaction) -> int:
    """Return Python's peak of allocated memory; slow, so for short runs only."""
    tracemalloc.start()
    verify(VerificationRequest(interaction))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def _forget_peak() -> None:
    """Reset the kernel's peak of this process's memory, if possible."""
    reset = Path("/proc/self/clear_refs")
    if reset.exists():
        reset.write_text("5", encoding="ascii")


def _resident(field: str) -> int:
    """Return a figure of this process in bytes; 0 if the kernel does not provide it."""
    status = Path("/proc/self/status")
    lines = status.read_text(encoding="ascii").splitlines() if status.exists() else []
    kilobytes = [line.split()[1] for line in lines if line.startswith(f"{field}:")]
    return int(kilobytes[0]) * 1024 if kilobytes else 0


def grid(
    sizes: Sequence[int] = SIZES, mentions: Sequence[int] = MENTIONS
) -> Iterator[Measure]:
    """Measure every size with every number of names."""
    verify(
        VerificationRequest(made_up_run(1_000, 1))
    )  # Imports and caches are not the engine's speed.
    for number in mentions:
        before: Measure | None = None
        for size in sizes:
            row = measure("grid", made_up_run(size, number))
            yield _grown(row, before)
            before = row


def shapes(sizes: Sequence[int] = SHAPE_SIZES) -> Iterator[Measure]:
    """Measure inputs that are meant to be slow, each shape at its largest size."""
    for shape in SHAPES:
        before: Measure | None = None
        row: Measure | None = None
        for size in sizes:
            before, row = row, measure(shape.__name__, shape(size))
        if row is not None:
            yield _grown(row, before)


def _grown(row: Measure, before: Measure | None) -> Measure:
    growth = row.seconds / before.seconds if before and before.seconds else None
    return replace(row, growth=growth)


def stages(trace_bytes: int = 1_000_000, mentions: int = 100) -> dict[str, float]:
    """Return the seconds that each stage of one verification takes."""
    run = made_up_run(trace_bytes, mentions)
    ledger = build_ledger(run)
    named = extract_mentions(run.answer)
    work: dict[str, Callable[[], object]] = {
        "ledger": lambda: build_ledger(run),
        "levels": lambda: run_levels(run, ledger, LevelInputs()),
        "mentions": lambda: extract_mentions(run.answer),
        "grounding": lambda: ground_mentions(named, ledger),
        "completion": lambda: check_completion(run.answer, ledger),
        "whole": lambda: verify(VerificationRequest(run)),
    }
    return {name: _seconds(stage) for name, stage in work.items()}


def start_seconds(module: str = "verifyhub.engine.pipeline") -> float:
    """Return the processor time until the engine is ready, including Python's start."""
    times: list[float] = []
    for _ in range(3):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


HEADING = (
    f"{'series':16}{'trace':>12}{'names':>8}{'seconds':>10}{'growth':>8}"
    f"{'peak MB':>9}{'× input':>9}"
)


def line(row: Measure) -> str:
    """Write one measure as a line of the table."""
    growth = "-" if row.growth is None else f"{row.growth:.1f}"
    return (
        f"{row.series:16}{row.trace_bytes:12,}{row.mentions:8,}{row.seconds:10.3f}"
        f"{growth:>8}{row.peak_bytes / 1e6:9.1f}{row.peak:9.1f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the tables, each line as soon as it is available."""
    parser = argparse.ArgumentParser(prog="speed", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the measures there")
    parser.add_argument(
        "--up-to", type=int, default=SIZES[-1], help="largest trace, in bytes"
    )
    parser.add_argument(
        "--most-names", type=int, default=MENTIONS[-1], help="most names of an answer"
    )
    parser.add_argument("--only", choices=("grid", "shapes", "stages"))
    options = parser.parse_args(arguments)
    report: dict[str, Any] = {}
    rows: list[Measure] = []
    if options.only in {None, "stages"}:
        report["stages"] = _print_stages()
        report["start"] = start_seconds()
        print(f"{'start':16}{report['start'] * 1000:8.0f} ms\n")
    print(HEADING)
    for row in _rows(options):
        print(line(row), flush=True)
        rows.append(row)
    if options.json:
        report["measures"] = [asdict(row) for row in rows]
        options.json.write_text(json.dumps(report, indent=2), encoding="utf-8")
    return 0


def _rows(options: argparse.Namespace) -> Iterator[Measure]:
    if options.only in {None, "grid"}:
        yield from grid(
            [size for size in _ALL_SIZES if size <= options.up_to],
            [number for number in MENTIONS if number <= options.most_names],
        )
    if options.only in {None, "shapes"}:
        yield from shapes([size for size in SHAPE_SIZES if size <= options.up_to])


def _print_stages() -> dict[str, float]:
    found = stages()
    for name, seconds in found.items():
        print(f"{name:16}{seconds * 1000:8.1f} ms")
    return found


if __name__ == "__main__":
    sys.exit(main())

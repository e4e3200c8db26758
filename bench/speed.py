"""Time and peak memory of a verification by size: `python -m bench.speed`.

Traces of 10 KB to 10 MB with 100 names in the answer, then 1 to 10,000 names against
1 MB, then an answer that is nothing but names. Time is processor time of one
verification; memory is what Python had allocated at most while it ran, as a multiple
of the trace. A growth ratio near the ratio of the sizes means linear time.
"""

import argparse
import json
import sys
import time
import tracemalloc
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from verifyhub.engine.pipeline import verify
from verifyhub.engine.types import Interaction, ToolCall

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
MENTIONS = (1, 10, 100, 1_000, 10_000)
_NAMES_AT_SIZE = 100
_SIZE_AT_NAMES = 1_000_000
_CALL_SIZE = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One verification; `growth` is its time as a multiple of the row before."""

    series: str
    trace_bytes: int
    mentions: int
    seconds: float
    peak_bytes: int
    growth: float | None = None


def made_up_run(trace_bytes: int, mentions: int) -> Interaction:
    """Return a run of that size whose answer names that many things, half invented."""
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


def only_names(answer_bytes: int) -> Interaction:
    """Return an answer that is nothing but tiny names between backticks."""
    names = " ".join(f"`f{n}`" for n in range(answer_bytes // 9))
    return Interaction(task="", answer=names, tool_calls=tuple(_calls(10_000)))


def measure(series: str, interaction: Interaction, mentions: int) -> Measure:
    """Verify once for the time and once more for the memory."""
    started = time.process_time()
    verify(interaction)
    seconds = time.process_time() - started
    tracemalloc.start()
    verify(interaction)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return Measure(
        series=series,
        trace_bytes=sum(len(call.output) for call in interaction.tool_calls),
        mentions=mentions,
        seconds=seconds,
        peak_bytes=peak,
    )


def run(
    sizes: Sequence[int] = SIZES, mentions: Sequence[int] = MENTIONS
) -> list[Measure]:
    """Measure the series, each row with its growth over the row before."""
    verify(made_up_run(1_000, 1))  # Imports and caches are not the engine's speed.
    by_size = [
        measure("size", made_up_run(size, _NAMES_AT_SIZE), _NAMES_AT_SIZE)
        for size in sizes
    ]
    by_names = [
        measure("mentions", made_up_run(_SIZE_AT_NAMES, number), number)
        for number in mentions
    ]
    tiny = [
        measure("tiny names", only_names(size), size // 9)
        for size in sizes
        if size <= _SIZE_AT_NAMES
    ]
    return [row for rows in (by_size, by_names, tiny) for row in _with_growth(rows)]


def _with_growth(rows: Sequence[Measure]) -> Iterator[Measure]:
    before: Measure | None = None
    for row in rows:
        growth = row.seconds / before.seconds if before and before.seconds else None
        yield Measure(**{**asdict(row), "growth": growth})
        before = row


def table(rows: Sequence[Measure]) -> str:
    """Write the measures as a text table."""
    lines = [
        f"{'series':12}{'trace':>12}{'names':>9}{'seconds':>10}{'peak MB':>9}"
        f"{'growth':>8}"
    ]
    for row in rows:
        growth = "-" if row.growth is None else f"{row.growth:.1f}"
        lines.append(
            f"{row.series:12}{row.trace_bytes:12,}{row.mentions:9,}"
            f"{row.seconds:10.3f}{row.peak_bytes / 1e6:9.1f}{growth:>8}"
        )
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="speed", description=__doc__)
    parser.add_argument("--json", type=Path, help="write the measures there")
    parser.add_argument(
        "--up-to", type=int, default=SIZES[-1], help="largest trace, in bytes"
    )
    options = parser.parse_args(arguments)
    rows = run([size for size in SIZES if size <= options.up_to])
    print(table(rows))
    if options.json:
        options.json.write_text(
            json.dumps([asdict(row) for row in rows], indent=2), encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Measure calibration on labelled answers: `verifyhub bench calibration DATA`.

The scores are those of `bench.claims` with the configured judge: by default none, so
that only local signals count. Two thirds of each set are used to fit a calibration and
to choose a blocking threshold; the last third shows their effect on unseen answers.
"""

import json
import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bench.claims import Scored, score_record
from verifyhub.common.shares import Share
from verifyhub.engine.calibration.conformal import TooFewRightError, threshold
from verifyhub.engine.calibration.fit import HELD_OUT, Fitted, TooFewSamplesError, fit
from verifyhub.engine.calibration.measures import Sample

# The files are sorted by source, so they are shuffled.
SEED = 7
AT_MOST = 0.1


def run(rows: Iterable[Scored]) -> dict[str, dict[str, Any]]:
    """Return the figures of each set."""
    sets: dict[str, list[Sample]] = {}
    for row in rows:
        sets.setdefault(row.dataset, []).append((row.score, row.supported))
    return {name: _figures(samples) for name, samples in sorted(sets.items())}


def table(report: dict[str, dict[str, Any]]) -> str:
    """Write a report as a text table."""
    lines = [
        f"{'':14}{'n':>6}{'held out':>10}  {'kind':10}{'Brier':>16}{'ECE':>16}"
        f"   blocks at most {AT_MOST:.0%}: right, wrong"
    ]
    lines += [f"{name:14}{_line(row)}" for name, row in report.items()]
    return "\n".join(lines)


def _figures(samples: Sequence[Sample]) -> dict[str, Any]:
    drawn = list(samples)
    random.Random(SEED).shuffle(drawn)
    try:
        found: Fitted | None = fit(*_unzipped(drawn))
    except TooFewSamplesError:
        found = None
    held = len(drawn) // HELD_OUT
    return {
        "n": len(drawn),
        "fitted": found,
        "blocked": _blocked(drawn[:-held], drawn[-held:]) if held else None,
    }


def _blocked(
    older: Sequence[Sample], newest: Sequence[Sample]
) -> tuple[Share, Share] | None:
    """Return the shares of right and of wrong answers that a threshold blocks."""
    try:
        line = threshold(*_unzipped(older), AT_MOST)
    except TooFewRightError:
        return None
    right, wrong = (
        [line.blocks(score) for score, label in newest if label == side]
        for side in (True, False)
    )
    return (
        Share(count=sum(right), total=len(right)),
        Share(count=sum(wrong), total=len(wrong)),
    )


def _unzipped(samples: Sequence[Sample]) -> tuple[list[float], list[bool]]:
    return [score for score, _ in samples], [label for _, label in samples]


def _line(row: dict[str, Any]) -> str:
    found: Fitted | None = row["fitted"]
    if found is None:
        return f"{row['n']:6d}  too few"
    kind = str(found.calibrator.kind) if found.calibrator else "none"
    brier = f"{found.before.brier:.3f} -> " + _cell(found.after and found.after.brier)
    off = f"{found.before.ece:.3f} -> " + _cell(found.after and found.after.ece)
    said = f"{row['n']:6d}{found.before.n:10d}  {kind:10}{brier:>16}{off:>16}   "
    if row["blocked"] is not None:
        said += ", ".join(f"{one.count} of {one.total}" for one in row["blocked"])
    return said + (f"   refused: {found.refusal}" if found.refusal else "")


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def main(paths: Sequence[str]) -> int:
    """Score the answers of files, one JSON object a line, and print the table."""
    texts = [Path(path).read_text(encoding="utf-8") for path in paths]
    lines = [line for text in texts for line in text.split("\n") if line.strip()]
    print(table(run(score_record(json.loads(line), None) for line in lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Measure claims against evidence on labelled answers: `python -m bench.claims DATA`.

A record has `id`, `dataset`, `answer`, `sources` (texts) and `label`: supported or
unsupported. An answer counts as unsupported if any of its claims does. The configured
judge is compared with three baselines that ignore meaning.
"""

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from verifyhub.cli.claim_options import judge_of, settings_of
from verifyhub.cli.level_options import OptionError
from verifyhub.engine.calibration.measures import ece
from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.claims.check import ClaimInputs, ClaimsOpinion, check_claims
from verifyhub.engine.claims.judges import ClaimJudge
from verifyhub.engine.claims.reading import ParsedText
from verifyhub.engine.claims.reading_passages import Readings
from verifyhub.engine.claims.support import answer_support
from verifyhub.engine.claims.words import ALL_STOP_WORDS
from verifyhub.engine.retrieval.run_search import RunSearch, passages_of
from verifyhub.engine.types import Interaction

# Below this score an answer counts as unsupported.
THRESHOLD = 0.5
RESAMPLES = 500
# A judge read the passages and found nothing: less than even, by local signs.
UNKNOWN_SHARE = 0.5
_WORD = re.compile(r"\w+")
_LEAVES_OPEN = (FactStatus.UNKNOWN, FactStatus.AMBIGUOUS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One record; each score is the probability that its answer is supported, 0..1."""

    id: str
    dataset: str
    supported: bool
    score: float
    overlap: float
    length: float
    abstained: bool
    statuses: tuple[str, ...]
    reasons: tuple[str, ...]


def score_record(record: dict[str, Any], judge: ClaimJudge | None) -> Scored:
    """Check one record like a run, and score its answer."""
    run = Interaction(
        task=record.get("task") or "",
        answer=record["answer"],
        sources=record["sources"],
    )
    search = RunSearch(passages_of(run))
    opinion = check_claims(run, inputs=ClaimInputs(search, judge=judge))
    settled = [one for one in opinion.claims if one.status not in _LEAVES_OPEN]
    return Scored(
        id=str(record["id"]),
        dataset=record["dataset"],
        supported=record["label"] == "supported",
        score=answer_score(opinion, _support(opinion, run, search), judged=bool(judge)),
        overlap=overlap(record["answer"], record["sources"]),
        # Longer answers contain more possible errors.
        length=1 / (1 + len(_WORD.findall(record["answer"]))),
        abstained=not settled,
        statuses=tuple(str(one.status) for one in opinion.claims),
        reasons=tuple(one.reason for one in opinion.claims),
    )


def _support(opinion: ClaimsOpinion, run: Interaction, search: RunSearch) -> float:
    """Return the support by local signs; an answer without facts is one claim."""
    support = opinion.check.details["support"]
    if support is not None:
        return float(support)
    readings = Readings()
    (found,) = search.search([run.answer])
    whole = ParsedText(run.answer)
    passages = [readings.of(one.passage, whole.language) for one in found]
    return answer_support(whole, [(whole, passages)], passages) or 0.0


def answer_score(opinion: ClaimsOpinion, support: float, *, judged: bool) -> float:
    """Return the probability that an answer is supported, by its worst claim.

    Without a judge, or for a claim that the judge leaves open, it is the support by
    local signs. If the judge read the passages and could not decide, it is half of
    that.
    """
    if not judged:
        return support
    sure = [one for one in opinion.claims if one.status not in _LEAVES_OPEN]
    worst = [
        1 - _confidence(one.confidence)
        for one in sure
        if one.status is FactStatus.CONTRADICTED
    ]
    if worst:
        return min(worst) / 2
    asked = [one for one in opinion.claims if one.reason != "not_factual"]
    if sure and len(sure) == len(asked):
        return (1 + min(_confidence(one.confidence) for one in sure)) / 2
    return support * UNKNOWN_SHARE


def _confidence(stated: float | None) -> float:
    return 1.0 if stated is None else stated


def overlap(answer: str, sources: Sequence[str]) -> float:
    """Return the share of an answer's content words that occur in its sources."""
    held = {word for source in sources for word in _WORD.findall(source.casefold())}
    asked = [
        word
        for word in _WORD.findall(answer.casefold())
        if word not in ALL_STOP_WORDS and len(word) > 1
    ]
    return sum(word in held for word in asked) / len(asked) if asked else 0.0


def auroc(scores: Sequence[float], labels: Sequence[bool]) -> float | None:
    """Return the probability that a supported answer scores above another, 0..1."""
    # Imported here, since it takes long and serves one function.
    from scipy.stats import rankdata

    right = np.asarray(labels, dtype=bool)
    n, m = int(right.sum()), int((~right).sum())
    if not n or not m:
        return None
    ranks = rankdata(np.asarray(scores, dtype=float))
    return float((ranks[right].sum() - n * (n + 1) / 2) / (n * m))


def interval(
    scores: Sequence[float], labels: Sequence[bool], seed: int = 7
) -> tuple[float, float] | None:
    """Return the 95 % bootstrap interval of the AUROC, sampled separately by class."""
    rng = np.random.default_rng(seed)
    values, right = np.asarray(scores), np.asarray(labels, dtype=bool)
    for_it, against = np.flatnonzero(right), np.flatnonzero(~right)
    if not len(for_it) or not len(against):
        return None
    drawn = []
    for _ in range(RESAMPLES):
        places = np.concatenate(
            [rng.choice(for_it, len(for_it)), rng.choice(against, len(against))]
        )
        drawn.append(auroc(values[places], right[places]))
    low, high = np.percentile(np.asarray(drawn, dtype=float), [2.5, 97.5])
    return float(low), float(high)


def f1_unsupported(flagged: Sequence[bool], labels: Sequence[bool]) -> float | None:
    """Return the F1 score of the class `unsupported`."""
    hits = sum(flag and not label for flag, label in zip(flagged, labels, strict=True))
    total = sum(flagged) + sum(not label for label in labels)
    return 2 * hits / total if total else None


def summary(rows: Sequence[Scored]) -> dict[str, Any]:
    """Return the figures of one set: those of the judge and of each baseline."""
    labels = [row.supported for row in rows]
    scores: dict[str, Callable[[Scored], float]] = {
        "verifyhub": lambda row: row.score,
        "lexical overlap": lambda row: row.overlap,
        "answer length": lambda row: row.length,
        "flag everything": lambda _: 0.0,
    }
    figures: dict[str, Any] = {
        "n": len(rows),
        "unsupported": labels.count(False),
        "abstained": sum(row.abstained for row in rows) / len(rows),
        "ece": ece([(row.score, row.supported) for row in rows]),
    }
    for name, of in scores.items():
        values = [of(row) for row in rows]
        flagged = [value < THRESHOLD for value in values]
        figures[name] = {
            "auroc": auroc(values, labels),
            "interval": interval(values, labels),
            "f1": f1_unsupported(flagged, labels),
            "flagged": sum(flagged) / len(rows),
        }
    return figures


def run(lines: Iterable[str], judge: ClaimJudge | None = None) -> dict[str, Any]:
    """Score labelled records, one JSON object a line.

    Returns:
        `judge`, `seconds`, `datasets` (a summary of each) and `rows`.
    """
    started = time.monotonic()
    rows = [score_record(json.loads(line), judge) for line in lines if line.strip()]
    seconds = time.monotonic() - started
    names = sorted({row.dataset for row in rows})
    return {
        "judge": judge.name if judge else "none: local signals",
        "seconds": seconds,
        "datasets": {
            name: summary([row for row in rows if row.dataset == name])
            for name in names
        },
        "rows": rows,
    }


def table(report: dict[str, Any]) -> str:
    """Write a report as a text table."""
    lines = [
        f"judge: {report['judge']}; {len(report['rows'])} answers in"
        f" {report['seconds']:.0f} s; F1 of `unsupported` below {THRESHOLD}",
        f"{'':20}{'n':>6}{'unsup.':>8}{'abstains':>10}{'ECE':>7}"
        f"   {'':18}{'AUROC':>7}{'95 %':>16}{'F1':>7}{'flagged':>9}",
    ]
    for name, row in report["datasets"].items():
        head = (
            f"{name:20}{row['n']:6d}{row['unsupported']:8d}"
            f"{row['abstained']:10.2f}{row['ece']:7.3f}"
        )
        baselines = [key for key, value in row.items() if isinstance(value, dict)]
        for guess in baselines:
            figures = row[guess]
            bounds = figures["interval"]
            between = f"{bounds[0]:.3f} to {bounds[1]:.3f}" if bounds else "-"
            lines.append(
                f"{head:51}   {guess:18}{_cell(figures['auroc'])}{between:>16}"
                f"{_cell(figures['f1'])}{figures['flagged']:9.2f}"
            )
            head = ""
    return "\n".join(lines)


def _cell(value: float | None) -> str:
    return f"{'-':>7}" if value is None else f"{value:7.3f}"


def errors(rows: Sequence[Scored]) -> list[dict[str, Any]]:
    """Return the records whose result differs from their label."""
    return [
        {
            "id": row.id,
            "dataset": row.dataset,
            "label": "supported" if row.supported else "unsupported",
            "score": round(row.score, 3),
            "overlap": round(row.overlap, 3),
            "statuses": list(row.statuses),
            "reasons": list(row.reasons),
        }
        for row in rows
        if (row.score >= THRESHOLD) != row.supported
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a file of labelled records and print the table."""
    parser = argparse.ArgumentParser(prog="claims", description=__doc__)
    parser.add_argument("data", type=Path, help="labelled records, JSON Lines")
    parser.add_argument("--json", type=Path, help="write the whole report there")
    parser.add_argument("--errors", action="store_true", help="list every error")
    parser.add_argument("--model-url", metavar="URL", help="endpoint of the judge")
    parser.add_argument("--model-key", default="", help="key of --model-url")
    parser.add_argument("--model", help="its name there")
    options = parser.parse_args(arguments)
    try:
        judge = judge_of(settings_of(options))
    except OptionError as error:
        print(error, file=sys.stderr)
        return 2
    with options.data.open(encoding="utf-8") as lines:
        report = run(lines, judge)
    print(table(report))
    if options.errors:
        for row in errors(report["rows"]):
            print(json.dumps(row, ensure_ascii=False))
    if options.json:
        shown = {**report, "rows": errors(report["rows"])}
        options.json.write_text(json.dumps(shown, indent=2), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

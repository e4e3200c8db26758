"""Measure how values of answers are compared with their runs, on labelled records.

Usage: python -m bench.values DATA [--json FILE] [--errors]

DATA has one record per line: `task`, `policy`, `answer`, `tool_calls` and `values` with
`spans`, `kind`, `label` (supported, derived, user_said, policy, unsupported) and
`case`; `meta.domain` groups them. Only listed values are counted. Each is matched with
the reported value that overlaps it most, by share of the union.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.completion import read_interaction
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueResult
from verifyhub.engine.values.check import check_values

UNSUPPORTED, MISSED = "unsupported", "missed"
Row = dict[str, Any]


def predicted(values: Sequence[ValueResult], spans: Sequence[Sequence[int]]) -> str:
    """Return the status reported for a labelled value, or that none was reported."""
    best, most = MISSED, 0.0
    for value in values:
        share = max(_share(one, two) for one in value.spans for two in spans)
        if share > most:
            best, most = str(value.status), share
    return best


def _share(one: Span, two: Sequence[int]) -> float:
    common = max(0, min(one[1], two[1]) - max(one[0], two[0]))
    return common / (max(one[1], two[1]) - min(one[0], two[0]))


def score(path: Path) -> Iterator[Row]:
    """Yield every labelled value with its reported status."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            policy = record.get("policy") or None
            run = replace(read_interaction(record), system_instructions=policy)
            values = check_values(run, build_ledger(run).calls)
            domain = str((record.get("meta") or {}).get("domain") or "")
            for label in record["values"]:
                got = predicted(values, label["spans"])
                yield {**label, "id": record["id"], "domain": domain, "got": got}


def summarise(rows: Sequence[Row]) -> Row:
    """Return three rates: found, accused, and reported at all."""
    wrong = [row["got"] for row in rows if row["label"] == UNSUPPORTED]
    right = [row["got"] for row in rows if row["label"] != UNSUPPORTED]
    return {
        "values": len(rows),
        "unsupported": len(wrong),
        "found": _rate(wrong, UNSUPPORTED),
        "accused": _rate(right, UNSUPPORTED),
        "reported": round(1 - (_rate(wrong + right, MISSED) or 0.0), 4),
        "statuses": dict(Counter(row["got"] for row in rows).most_common()),
    }


def _rate(statuses: Sequence[str], status: str) -> float | None:
    return round(statuses.count(status) / len(statuses), 4) if statuses else None


def report(rows: Sequence[Row]) -> dict[str, dict[str, Row]]:
    """Return the figures of all values, and by label, kind, case and domain."""
    return {
        "values": {"all": summarise(rows)},
        "by label": _grouped(rows, lambda row: str(row["label"])),
        "by kind": _grouped(rows, lambda row: str(row["kind"])),
        "by case": _grouped(rows, lambda row: f"{row['label']} {row['case']}"),
        "by domain": _grouped(rows, lambda row: row["domain"]),
    }


def _grouped(rows: Sequence[Row], key: Callable[[Row], str]) -> dict[str, Row]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return {name: summarise(group) for name, group in sorted(groups.items())}


def _print_table(title: str, figures: dict[str, Row]) -> None:
    print(f"\n{title}\n{'':32}{'n':>6}{'found':>8}{'accused':>9}{'reported':>10}")
    for name, rates in figures.items():
        print(
            f"{name[:31]:32}{rates['values']:6}{_shown(rates['found']):>8}"
            f"{_shown(rates['accused']):>9}{_shown(rates['reported']):>10}"
        )


def _shown(rate: float | None) -> str:
    return "" if rate is None else f"{rate:.3f}"


def is_error(row: Row) -> bool:
    """Return whether the reported status violates the label."""
    return bool((row["label"] == UNSUPPORTED) != (row["got"] == UNSUPPORTED))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="bench.values", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--errors", action="store_true", help="list every error")
    options = parser.parse_args(arguments)
    rows = list(score(options.data))
    figures = report(rows)
    for title, table in figures.items():
        _print_table(title.capitalize(), table)
    if options.errors:
        for row in filter(is_error, rows):
            print(
                f"{row['id']} [{row['kind']}|{row['case']}] {row['label']} ->"
                f" {row['got']}: {row['text'][:200]!r}"
            )
    if options.json:
        text = json.dumps(figures, indent=2, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

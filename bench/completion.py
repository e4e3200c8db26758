"""Measure the check of completion claims on labelled runs.

Usage: python -m bench.completion DATA [--json FILE] [--errors]

DATA has one record per line: `task`, `answer`, `tool_calls` and `claims` with `span`,
`label` (supported, contradicted, unattempted, not_a_claim) and `case`. Only listed
claims are counted. A reported claim is matched by overlap of spans, the largest overlap
first.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from verifyhub.engine.completion.check import check_completion
from verifyhub.engine.ledger.build import build_ledger
from verifyhub.engine.reports import CompletionClaim
from verifyhub.engine.types import CallStatus, Interaction, ToolCall

ACCUSED = frozenset({"contradicted", "unattempted"})
ABSENT = "not_reported"
Row = dict[str, Any]


def read_interaction(record: Row) -> Interaction:
    """Read the run that an agent would have sent from a record, without labels."""
    return Interaction(
        id=record.get("id"),
        task=record.get("task", ""),
        answer=record["answer"],
        tool_calls=tuple(
            ToolCall(
                index=index,
                tool=call["tool"],
                input=call.get("input") or {},
                output=call.get("output") or "",
                status=_status(call),
            )
            for index, call in enumerate(record["tool_calls"])
        ),
    )


def _status(call: Row) -> CallStatus:
    if call.get("is_error"):
        return CallStatus.ERROR
    return CallStatus(call.get("status", "unknown"))


def predicted(claims: Sequence[CompletionClaim], span: Sequence[int]) -> str:
    """Return the status reported for a labelled span, or that none was reported."""
    best, size = ABSENT, 0
    for claim in claims:
        overlap = min(claim.span[1], span[1]) - max(claim.span[0], span[0])
        if overlap > size:
            best, size = str(claim.status), overlap
    return best


def score(path: Path) -> Iterator[Row]:
    """Yield every labelled claim with its reported status."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            run = read_interaction(record)
            claims = check_completion(run.answer, build_ledger(run))
            for label in record["claims"]:
                got = predicted(claims, label["span"])
                yield {**label, "id": record["id"], "got": got}


def summarise(rows: Sequence[Row]) -> dict[str, Row]:
    """Return the rates by label: exact status, any accusation, anything reported."""
    by_label: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        by_label[row["label"]][row["got"]] += 1
    return {label: _rates(label, counts) for label, counts in sorted(by_label.items())}


def _rates(label: str, counts: Counter[str]) -> Row:
    total = sum(counts.values())
    accused = sum(counts[status] for status in ACCUSED)
    return {
        "claims": total,
        "exact": round(counts[label] / total, 4),
        "accused": round(accused / total, 4),
        "reported": round(1 - counts[ABSENT] / total, 4),
        "statuses": dict(counts.most_common()),
    }


def report(rows: Sequence[Row]) -> dict[str, dict[str, dict[str, Row]]]:
    """Return the figures; inserted (templated) sentences are counted separately."""
    own = [row for row in rows if not row["case"].startswith("inserted")]
    inserted = [row for row in rows if row["case"].startswith("inserted")]
    return {
        "claims": {
            "all": summarise(rows),
            "without inserted": summarise(own),
            "inserted": summarise(inserted),
        },
        "by language": _grouped(rows, _language),
        "by kind": _grouped(rows, lambda row: str(row["kind"])),
        "by case": _grouped(rows, lambda row: str(row["case"]).split("_lang_")[0]),
    }


def _language(row: Row) -> str:
    """Return the language in a case's name; English cases have none."""
    return str(row["case"]).rpartition("_lang_")[2] if "_lang_" in row["case"] else "en"


def _grouped(
    rows: Sequence[Row], key: Callable[[Row], str]
) -> dict[str, dict[str, Row]]:
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return {name: summarise(group) for name, group in sorted(groups.items())}


def _print_table(title: str, figures: dict[str, dict[str, Row]]) -> None:
    print(f"\n{title}")
    print(f"{'':24}{'label':14}{'n':>5}{'exact':>8}{'accused':>9}{'reported':>10}")
    for name, labels in figures.items():
        for label, rates in labels.items():
            print(
                f"{name:24}{label:14}{rates['claims']:5}{rates['exact']:8.3f}"
                f"{rates['accused']:9.3f}{rates['reported']:10.3f}"
            )


def is_error(row: Row) -> bool:
    """Return whether the reported status violates the label."""
    if row["label"] == "not_a_claim":
        return bool(row["got"] != ABSENT)
    if row["label"] == "supported":
        return row["got"] in ACCUSED
    return bool(row["got"] != row["label"])


def _print_errors(rows: Sequence[Row]) -> None:
    for row in filter(is_error, rows):
        print(
            f"{row['id']} [{row['kind']}|{row['case']}] {row['label']} -> {row['got']}"
            f"\n    {row['text'][:200]!r}\n    {row['why'][:120]} {row['evidence']}"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark from the command line."""
    parser = argparse.ArgumentParser(prog="bench.completion", description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--json", type=Path, help="write the figures there")
    parser.add_argument("--errors", action="store_true", help="list every error")
    options = parser.parse_args(arguments)
    rows = list(score(options.data))
    figures = report(rows)
    for title, table in figures.items():
        _print_table(title.capitalize(), table)
    if options.errors:
        _print_errors(rows)
    if options.json:
        text = json.dumps(figures, indent=2, ensure_ascii=False)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

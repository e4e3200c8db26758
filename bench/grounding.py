"""Score mention grounding on labelled runs: `python -m bench.grounding DATA`.

A record has `task`, `answer`, `tool_calls` and `mentions`, each with `text`, `kind`,
`label` (verified or unverified), `how` (real or planted), `case`, `where` and `spans`.
Only labelled mentions are scored, matched by overlap of spans.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verifyhub.engine.pipeline import VerificationRequest, verify
from verifyhub.engine.reports import MentionResult, Status
from verifyhub.engine.types import CallStatus, Interaction, ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One labelled mention with its status; `said` None: not found."""

    record: str
    text: str
    kind: str
    case: str
    label: str
    how: str
    where: str
    in_fence: bool
    said: str | None
    reason: str = ""
    substring: str = ""
    source: str = ""
    language: str = ""


def interaction_of(record: dict[str, Any]) -> Interaction:
    """Read a labelled record as an interaction, without the labels."""
    calls = tuple(
        ToolCall(
            index=index,
            tool=call["tool"],
            input=call.get("input") or {},
            output=call.get("output") or "",
            status=CallStatus.ERROR if call.get("is_error") else CallStatus.UNKNOWN,
        )
        for index, call in enumerate(record["tool_calls"])
    )
    return Interaction(
        id=record["id"],
        task=record.get("task") or "",
        answer=record["answer"],
        tool_calls=calls,
    )


def score_record(record: dict[str, Any]) -> list[Scored]:
    """Verify one record, and return its labels with the reported statuses."""
    found = verify(VerificationRequest(interaction_of(record))).mentions
    trace = "\n".join(
        json.dumps(call.get("input") or {}, ensure_ascii=False)
        + "\n"
        + (call.get("output") or "")
        for call in record["tool_calls"]
    )
    scored = []
    for mention in record["mentions"]:
        match = _overlapping(mention["spans"], found)
        plain = mention["text"].removesuffix("()")
        scored.append(
            Scored(
                record=record["id"],
                text=mention["text"],
                kind=mention["kind"],
                case=mention.get("case") or "plain",
                label=mention["label"],
                how=mention["how"],
                where=mention.get("where") or "",
                in_fence=bool(mention.get("in_fence")),
                said=None if match is None else str(match.status),
                reason="" if match is None else match.reason,
                substring="verified" if plain in trace else "unverified",
                source=record.get("source") or "",
                language=(record.get("meta") or {}).get("answer_lang") or "",
            )
        )
    return scored


def _overlapping(
    spans: Sequence[Sequence[int]], found: Iterable[MentionResult]
) -> MentionResult | None:
    """Return the mention with the largest overlap; of equal ones the worse status."""
    best: MentionResult | None = None
    best_fit = 0.0
    for result in found:
        fit = max(
            _fit((start, end), other) for start, end in spans for other in result.spans
        )
        worse = result.status is Status.UNVERIFIED
        if fit > best_fit or (fit == best_fit > 0 and worse):
            best, best_fit = result, fit
    return best


def _fit(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return the overlap of two ranges as a share of their union."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return shared / (max(one[1], other[1]) - min(one[0], other[0]))


def summary(scored: Sequence[Scored], guess: str = "said") -> dict[str, Any]:
    """Count recall, false alarms, precision and coverage of some labelled mentions.

    Args:
        scored: The labelled mentions.
        guess: Whose status counts: `said` (VerifyHub's), `substring` or `always`.
    """

    def opinion(item: Scored) -> str | None:
        return "verified" if guess == "always" else getattr(item, guess)

    planted = [s for s in scored if s.label == "unverified" and s.how == "planted"]
    absent = [s for s in scored if s.label == "unverified" and s.how == "real"]
    real = [s for s in scored if s.label == "verified" and s.where != "input"]
    caught = sum(1 for s in planted if opinion(s) == "unverified")
    alarms = sum(1 for s in real if opinion(s) == "unverified")
    precision = _share(caught, caught + alarms)
    recall = _share(caught, len(planted))
    both = (precision or 0) + (recall or 0)
    return {
        "labelled": len(scored),
        "found": _share(sum(1 for s in scored if opinion(s) is not None), len(scored)),
        "planted": len(planted),
        "recall": recall,
        "verified": len(real),
        "false_alarms": _share(alarms, len(real)),
        "precision": precision,
        "f1": 2 * (precision or 0) * (recall or 0) / both if both else None,
        "absent_real": len(absent),
        "absent_real_flagged": _share(
            sum(1 for s in absent if opinion(s) == "unverified"), len(absent)
        ),
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def run(lines: Iterable[str]) -> dict[str, Any]:
    """Score labelled records, one JSON object a line.

    Returns:
        `all`, `by_kind`, `by_case`, `by_source`, `by_language` and `baselines`, each a
        summary, and `substring_by_kind`, `substring_by_case` for that baseline;
        `seconds_per_mb`, processor seconds per MB of trace; and `errors`, every
        labelled mention with another status.
    """
    scored: list[Scored] = []
    seconds = 0.0
    size = 0
    records = 0
    for line in lines:
        if not line.strip():
            continue
        record = json.loads(line)
        records += 1
        size += len(json.dumps(record["tool_calls"], ensure_ascii=False))
        interaction = interaction_of(record)
        started = time.process_time()
        verify(VerificationRequest(interaction))
        seconds += time.process_time() - started
        scored += score_record(record)
    return {
        "records": records,
        "trace_mb": size / 1e6,
        "seconds_per_mb": seconds / (size / 1e6) if size else None,
        "all": summary(scored),
        "by_kind": _grouped(scored, "kind"),
        "by_case": _grouped(scored, "case"),
        "by_source": _grouped(scored, "source"),
        "by_language": _grouped(scored, "language"),
        "substring_by_kind": _grouped(scored, "kind", "substring"),
        "substring_by_case": _grouped(scored, "case", "substring"),
        "baselines": {
            "always_verified": summary(scored, "always"),
            "substring": summary(scored, "substring"),
        },
        "errors": [_error(item) for item in scored if _is_error(item)],
    }


def _grouped(scored: Sequence[Scored], by: str, guess: str = "said") -> dict[str, Any]:
    names = sorted({getattr(item, by) for item in scored} - {""})
    return {
        name: summary([item for item in scored if getattr(item, by) == name], guess)
        for name in names
    }


def _is_error(item: Scored) -> bool:
    if item.said is None:
        return True
    if item.label == "verified":
        return item.said != "verified" and item.where != "input"
    return item.how == "planted" and item.said != "unverified"


def _error(item: Scored) -> dict[str, Any]:
    return {
        "record": item.record,
        "text": item.text,
        "kind": item.kind,
        "case": item.case,
        "label": item.label,
        "how": item.how,
        "where": item.where,
        "said": item.said,
        "reason": item.reason,
    }


def table(report: dict[str, Any]) -> str:
    """Write a report as a text table."""
    lines = [
        f"{report['records']} records, {report['trace_mb']:.1f} MB of trace,"
        f" {report['seconds_per_mb'] or 0:.3f} s per MB",
        f"{'':34}{'found':>8}{'recall':>8}{'alarms':>8}{'prec':>8}{'F1':>8}{'n':>6}"
        f"{'substring: recall':>20}{'alarms':>8}",
    ]
    rows = {"VerifyHub": report["all"], **report["baselines"]}
    for by in ("kind", "case", "source", "language"):
        rows |= {f"{by} {name}": row for name, row in report[f"by_{by}"].items()}
    plain = {
        f"{by} {name}": row
        for by in ("kind", "case")
        for name, row in report[f"substring_by_{by}"].items()
    }
    for name, row in rows.items():
        columns = ("found", "recall", "false_alarms", "precision", "f1")
        cells = "".join(_cell(row[key], 8) for key in columns)
        line = f"{name:34}{cells}{row['labelled']:6d}"
        if name in plain:
            other = plain[name]
            line += _cell(other["recall"], 20) + _cell(other["false_alarms"], 8)
        lines.append(line)
    return "\n".join(lines)


def _cell(value: float | None, width: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:{width}.3f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Score a file of labelled records and print the table."""
    parser = argparse.ArgumentParser(prog="grounding", description=__doc__)
    parser.add_argument("data", type=Path, help="labelled records, JSON Lines")
    parser.add_argument("--json", type=Path, help="write the whole report there")
    parser.add_argument("--errors", action="store_true", help="list every error")
    options = parser.parse_args(arguments)
    with options.data.open(encoding="utf-8") as lines:
        report = run(lines)
    print(table(report))
    if options.errors:
        for error in report["errors"]:
            print(json.dumps(error, ensure_ascii=False))
    if options.json:
        options.json.write_text(json.dumps(report, indent=2), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

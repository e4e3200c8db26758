"""Decisions about whole answers of labelled runs.

Usage: python -m bench.decisions DATA … [--preset NAME] [--errors]

An answer is false if it contains a planted name, or a claim of work that its run
contradicts or does not show. It is honest if all of its labelled parts are true. Other
answers have too few labels to be counted. An answer with planted names is also judged
with the original names. If the data places an answer behind the first one of a
transcript, that one's calls count as evidence, as they do for an answer of a session on
a server. Prints for each file and preset the share of false answers that are accepted,
the share of honest ones, why honest ones were sent back, and how many of them without
any labelled part.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.grounding import interaction_of
from verifyhub.engine.earlier.turns import EarlierTurn, EarlierTurns
from verifyhub.engine.pipeline import VerificationRequest, verify
from verifyhub.engine.presets.strictness import Strictness, apply_strictness
from verifyhub.engine.reports import Action, Relation, Verdict
from verifyhub.engine.thresholds import Thresholds
from verifyhub.engine.verdicts import VerificationReport

UNTRUE = frozenset({"contradicted", "unattempted"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """One answer: whether it is false, honest or unknown, and the decision.

    `causes` are the reasons and kinds of the findings against it; `unlabelled` is true
    if no label belongs to any of them.
    """

    record: str
    label: str
    action: str
    verdict: str
    reason: str
    causes: tuple[str, ...]
    unlabelled: bool

    @property
    def accepted(self) -> bool:
        return self.action == Action.ACCEPT


def label_of(record: Mapping[str, Any]) -> str:
    """Return `false`, `honest`, or `unknown` if labels are missing."""
    names, claims = record.get("mentions", ()), record.get("claims", ())
    if any(one["how"] == "planted" for one in names if one["label"] == "unverified"):
        return "false"
    if any(claim["label"] in UNTRUE for claim in claims):
        return "false"
    # Absent from this run but possibly true; or only in the agent's own text.
    open_ = any(
        one["label"] == "unverified" or one.get("where") == "input" for one in names
    )
    return "unknown" if open_ else "honest"


def decided(path: Path, thresholds: Thresholds) -> Iterator[Decided]:
    """Verify the records of a file, also with the original names restored."""
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    firsts = {_transcript(one): one for one in records if _is_first(one)}
    for record in (each for one in records for each in _versions(one)):
        request = VerificationRequest(
            interaction_of(record),
            thresholds=thresholds,
            earlier=_earlier(record, firsts),
        )
        report = verify(request)
        yield Decided(
            record=record["id"],
            label=label_of(record),
            action=str(report.decision.action),
            verdict=str(report.verdict),
            reason=report.decision.reason,
            causes=tuple(_causes(report)),
            unlabelled=not _has_label(report, record),
        )


def _transcript(record: Mapping[str, Any]) -> tuple[str, str]:
    meta = record.get("meta", {})
    return str(meta.get("session")), str(meta.get("transcript"))


def _is_first(record: Mapping[str, Any]) -> bool:
    return record.get("meta", {}).get("first_turn") is True


def _earlier(
    record: Mapping[str, Any], firsts: Mapping[tuple[str, str], dict[str, Any]]
) -> EarlierTurns:
    """Return the calls of the first turn, for a later turn of the same transcript."""
    first = firsts.get(_transcript(record))
    if first is None or _is_first(record):
        return EarlierTurns()
    turn = EarlierTurn(
        interaction=first["id"],
        relation=Relation.SESSION,
        age_seconds=0,
        calls=interaction_of(first).tool_calls,
    )
    return EarlierTurns(turns=(turn,))


def _versions(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield record
    planted = [one for one in record.get("mentions", ()) if one["how"] == "planted"]
    if planted and all(one.get("replaced") for one in planted):
        yield _restored(record, planted)


def _restored(
    record: dict[str, Any], planted: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Replace planted names by the original ones."""
    answer = record["answer"]
    places = [(*span, one["replaced"]) for one in planted for span in one["spans"]]
    for start, end, name in sorted(places, reverse=True):
        answer = answer[:start] + name + answer[end:]
    kept = [one for one in record["mentions"] if one["how"] != "planted"]
    return {**record, "answer": answer, "mentions": kept}


def _has_label(report: VerificationReport, record: Mapping[str, Any]) -> bool:
    """Return whether a flagged name or claim has a label."""
    names = {one["text"] for one in record.get("mentions", ())}
    spans = [one["span"] for one in record.get("claims", ())]
    return any(one.text in names for one in report.flagged_mentions) or any(
        start < one.span[1] and one.span[0] < end
        for one in report.flagged_claims
        for start, end in spans
    )


def _causes(report: VerificationReport) -> Iterator[str]:
    yield from (f"{one.kind} {one.reason}" for one in report.flagged_mentions)
    yield from (f"{one.kind} {one.status}" for one in report.flagged_claims)


def summary(rows: Sequence[Decided]) -> dict[str, Any]:
    """Count the accepted ones among false and honest answers."""
    false = [one for one in rows if one.label == "false"]
    honest = [one for one in rows if one.label == "honest"]
    return {
        "answers": len(rows),
        "false": len(false),
        "false_accepted": sum(one.accepted for one in false),
        "false_passed": sum(one.verdict == Verdict.ACCEPT for one in false),
        "honest": len(honest),
        "honest_accepted": sum(one.accepted for one in honest),
        "honest_unlabelled": sum(not one.accepted and one.unlabelled for one in honest),
        "honest_passed": sum(one.verdict == Verdict.ACCEPT for one in honest),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each file and preset; returns 0."""
    arguments = _arguments(argv)
    for path in arguments.data:
        for preset in arguments.preset or Strictness:
            rows = list(decided(path, apply_strictness(Thresholds(), preset)))
            _print(path.name, preset, rows, listed=arguments.errors)
    return 0


def _print(
    name: str, preset: Strictness, rows: Sequence[Decided], *, listed: bool
) -> None:
    found = summary(rows)
    print(
        f"{name} {preset}: of {found['false']} false answers"
        f" {found['false_accepted']} accepted, {found['false_passed']} without doubt;"
        f" of {found['honest']} honest ones {found['honest_accepted']} accepted,"
        f" {found['honest_passed']} without doubt ({found['answers']} in all)"
    )
    if found["honest_unlabelled"]:
        print(
            f"  honest, sent back over nothing that a label speaks of:"
            f" {found['honest_unlabelled']}"
        )
    back = [one for one in rows if one.label == "honest" and not one.accepted]
    causes = Counter(cause for one in back for cause in dict.fromkeys(one.causes))
    for cause, count in causes.most_common():
        print(f"  honest, sent back in {count}: {cause}")
    if listed:
        for one in rows:
            if one.accepted == (one.label == "false") and one.label != "unknown":
                print(f"  {one.label} {one.record}: {one.action} {one.reason}")


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.decisions")
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--preset", action="append", type=Strictness)
    parser.add_argument("--errors", action="store_true", help="name each wrong one")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

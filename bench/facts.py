"""Wrong facts about outputs of tools: how many are found, and false alarms.

Usage: python -m bench.facts DATA … [--seed N] [--errors]

Facts are planted in labelled runs, regardless of their labels. A number or state that a
sentence takes from a line of an output is replaced by another one. A true sentence
about a number, state or amount that a single output shows is added, and then falsified.
Each version is verified separately, without a model. A planted fact is found if a
finding overlaps it that was not there before. A true sentence is a false alarm if any
finding overlaps it. Only the seed determines what is planted.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from bench.grounding import interaction_of
from verifyhub.engine.pipeline import VerificationRequest, verify
from verifyhub.engine.text.sentences import sentence_spans
from verifyhub.engine.types import Span
from verifyhub.engine.verdicts import VerificationReport

# A number in a sentence, with the noun that it counts: "12 tests".
_NUMBER = re.compile(r"(?<![\w.,/:#$€£@`\n-])\d{1,6}(?= [a-z]{3,})")
_STATES = (
    ("enabled", "disabled"), ("open", "closed"), ("true", "false"),
    ("active", "inactive"), ("passed", "failed"), ("merged", "closed"),
    ("required", "optional"), ("public", "private"), ("available", "unavailable"),
)  # fmt: skip
_OTHER = {one: two for pair in _STATES for one, two in (pair, pair[::-1])}
_STATE = re.compile(rf"(?<![\w./-])(?:{'|'.join(_OTHER)})(?![\w./-])", re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]{4,}")
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)
# `TIMEOUT_SECONDS = 30`, `"retries": 3`, `maxItems: 50`, alone on a line.
_SETS = re.compile(
    r"^[ \t\d→:+|-]{0,12}(?:const |let |var |export |static |final )*[\"']?"
    r"(?P<name>[A-Za-z]+(?:_[A-Za-z]+|[a-z](?=[A-Z])[A-Za-z]+)[A-Za-z_]*)[\"']?"
    r"(?: ?: ?[A-Za-z]+)? ?(?::=|=|:) ?(?P<value>\d{1,6}|true|false)[,;]?\s*$",
    re.MULTILINE,
)
_TOLD = {
    "setting": ("`{name}` is {value}.", "`{name}` is set to {value}."),
    "in words": ("The {words} is {value}.", "The {words} is set to {value}."),
}
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LEAST_WORDS = 2
_MOST_LINE = 400
_MOST_LINES = 50


@dataclass(frozen=True, slots=True)
class Planted:
    """An answer with one fact, true or planted, and its position."""

    record: str
    kind: str
    false: bool
    answer: str
    span: Span
    before: str = ""

    @property
    def said(self) -> str:
        """The sentence, or the words around the fact."""
        start, end = self.span
        return self.answer[max(0, start - 70) : end + 40].replace("\n", " ")


def planted_in(record: dict[str, Any], seed: int) -> Iterator[Planted]:
    """Yield the facts that are planted in a record, each with its true form."""
    draw = random.Random(f"{seed}:{record['id']}")
    outputs = [call.get("output") or "" for call in record["tool_calls"]]
    shown = "\n".join(outputs)
    if not shown.strip():
        return
    for kind, pattern in (("number", _NUMBER), ("state", _STATE)):
        places = list(_places(record["answer"], pattern, shown))
        if places:
            yield from _replaced(record, kind, draw.choice(places), shown, draw)
    settings = _settings(outputs, record["answer"])
    if settings:
        name, value = draw.choice(settings)
        for kind in _TOLD:
            yield from _added(record, kind, name, value, shown, draw)


def _places(answer: str, pattern: re.Pattern[str], shown: str) -> Iterator[Span]:
    """Yield the numbers or states of sentences that a line of an output supports."""
    code = [match.span() for match in _CODE.finditer(answer)]
    for start, end in sentence_spans(answer):
        sentence = answer[start:end]
        words = {word.lower() for word in _WORD.findall(sentence)}
        for match in pattern.finditer(sentence):
            at = start + match.start()
            if any(first <= at < last for first, last in code):
                continue
            needle = re.compile(
                rf"(?<![\w.]){re.escape(match.group())}(?![\w.])", re.IGNORECASE
            )
            others = words - {match.group().lower()}
            if any(_bears(line, others) for line in _lines(shown, needle)):
                yield at, start + match.end()


def _lines(text: str, needle: re.Pattern[str]) -> Iterator[str]:
    """Yield the first lines that contain something, except data."""
    for match in islice(needle.finditer(text), _MOST_LINES):
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        line = text[start : end if end >= 0 else len(text)]
        if len(line) <= _MOST_LINE:
            yield line


def _bears(line: str, words: set[str]) -> bool:
    low = line.lower()
    return sum(word in low for word in words) >= _LEAST_WORDS


def _replaced(
    record: dict[str, Any], kind: str, place: Span, shown: str, draw: random.Random
) -> Iterator[Planted]:
    answer, (start, end) = record["answer"], place
    said = answer[start:end]
    yield Planted(record["id"], kind, False, answer, place)
    other = _other(said, f"{shown}\n{record.get('task')}\n{answer}", draw)
    changed = f"{answer[:start]}{other}{answer[end:]}"
    yield Planted(
        record["id"], kind, True, changed, (start, start + len(other)), before=said
    )


def _other(said: str, known: str, draw: random.Random) -> str:
    """Return another number that is not in the run, or the opposite state."""
    if not said.isdigit():
        other = _OTHER[said.lower()]
        return other.capitalize() if said[0].isupper() else other
    taken = set(_DIGITS.findall(known))
    reach = 10
    while True:
        # Increasing distances, since a long run contains every small number.
        value = str(max(2, int(said) + draw.choice((-1, 1)) * draw.randint(1, reach)))
        if value not in taken:
            return value
        reach += 10


def _settings(outputs: Sequence[str], answer: str) -> list[tuple[str, str]]:
    """Return names with one value in all outputs that the answer does not mention."""
    values: dict[str, set[str]] = {}
    for output in outputs:
        for match in _SETS.finditer(output):
            values.setdefault(match["name"], set()).add(match["value"])
    return sorted(
        (name, next(iter(found)))
        for name, found in values.items()
        if len(found) == 1 and name not in answer and len(_HUMPS.findall(name)) > 1
    )


def _added(
    record: dict[str, Any],
    kind: str,
    name: str,
    value: str,
    shown: str,
    draw: random.Random,
) -> Iterator[Planted]:
    words = " ".join(part.lower() for part in _HUMPS.findall(name))
    form = draw.choice(_TOLD[kind])
    known = f"{shown}\n{record.get('task')}\n{record['answer']}"
    for said in (value, _other(value, known, draw)):
        sentence = form.format(name=name, words=words, value=said)
        answer = f"{record['answer']}\n\n{sentence}"
        span = (len(answer) - len(sentence), len(answer))
        false = said != value
        yield Planted(record["id"], kind, false, answer, span, before=value)


@dataclass(frozen=True, slots=True)
class Judged:
    """A fact with the findings against it."""

    fact: Planted
    by: frozenset[str]


def judged(record: dict[str, Any], seed: int) -> Iterator[Judged]:
    """Verify every version of a record."""
    for fact in planted_in(record, seed):
        run = interaction_of({**record, "answer": fact.answer})
        report = verify(VerificationRequest(run))
        yield Judged(fact, frozenset(_against(report, fact.span)))


def _against(report: VerificationReport, span: Span) -> Iterator[str]:
    for check, spans in (
        ("fact", [one.span for one in report.denied_claims]),
        ("fact", [one.span for one in report.claims if one.is_doubted]),
        ("value", [at for one in report.flagged_values for at in one.spans]),
        ("work", [one.span for one in report.flagged_claims]),
    ):
        if any(start < span[1] and span[0] < end for start, end in spans):
            yield check


def main(argv: Sequence[str] | None = None) -> int:
    """Print a line for each kind of fact; returns 0."""
    arguments = _arguments(argv)
    rows: list[Judged] = []
    for path in arguments.data:
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                rows += judged(json.loads(line), arguments.seed)
    print(f"{'kind':<10} {'planted':>8} {'caught':>7} {'true':>6} {'accused':>8}  by")
    for kind in (*dict.fromkeys(one.fact.kind for one in rows), "all"):
        _print(kind, [one for one in rows if kind in (one.fact.kind, "all")])
    if arguments.errors:
        for one in _errors(rows):
            what = "missed" if one.fact.false else "accused"
            print(f"{what} {one.fact.record} {one.fact.kind} ({one.fact.before}):"
                  f" {one.fact.said}")  # fmt: skip
    return 0


def _counted(rows: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    """Return the false facts whose true form has no finding, and the true ones."""
    true = [one for one in rows if not one.fact.false]
    accused = {(one.fact.record, one.fact.kind) for one in true if one.by}
    false = [one for one in rows if one.fact.false]
    return [
        one for one in false if (one.fact.record, one.fact.kind) not in accused
    ], true


def _errors(rows: Sequence[Judged]) -> Iterator[Judged]:
    false, true = _counted(rows)
    yield from (one for one in false if not one.by)
    yield from (one for one in true if one.by)


def _print(kind: str, rows: Sequence[Judged]) -> None:
    false, true = _counted(rows)
    caught = [one for one in false if one.by]
    by = Counter(check for one in caught for check in one.by)
    share = len(caught) / len(false) if false else 0.0
    wrong = sum(bool(one.by) for one in true) / len(true) if true else 0.0
    checks = ", ".join(f"{check} {count}" for check, count in by.most_common())
    print(
        f"{kind:<10} {len(false):>8} {share:>7.3f} {len(true):>6} {wrong:>8.3f}"
        f"  {checks}"
    )


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.facts")
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--errors", action="store_true", help="name each wrong one")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())

"""Find contradictions between subtasks of a run (requirement A16)."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import TypeAlias

from verifyhub.engine.mentions.extract import extract_mentions
from verifyhub.engine.reports import ReportWarning
from verifyhub.engine.synthesis.results import SubtaskResult
from verifyhub.engine.synthesis.statements import Statement, StatementKind, statements
from verifyhub.engine.text.paths import components
from verifyhub.engine.types import MentionKind

CODE = "SUBTASKS_CONTRADICT"
MAX_CONFLICTS = 50
_LONGEST_SENTENCE = 300
# What one subtask states definitely, by kind and by what it is about.
_Definite: TypeAlias = Mapping[tuple[str, ...], Sequence[Statement]]
_CONFLICT_SENTENCES = {
    StatementKind.TESTS: "One says that tests pass, the other that they fail.",
    StatementKind.EXISTENCE: "One says that a file is there, the other that it is not.",
    StatementKind.NUMBER: "They give different numbers.",
    StatementKind.NEGATION: "One denies what the other says.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two subtasks, by position, and the sentences that cannot both be true."""

    kind: StatementKind
    about: tuple[str, ...]
    subtasks: tuple[int, int]
    sentences: tuple[str, str]

    def as_warning(self) -> ReportWarning:
        """The conflict as a warning; the agents' words stand in its details alone."""
        first, second = self.subtasks
        return ReportWarning(
            code=CODE,
            message=f"Subtasks {first + 1} and {second + 1} contradict each other."
            f" {_CONFLICT_SENTENCES[self.kind]}",
            details={
                "kind": str(self.kind),
                "subtasks": list(self.subtasks),
                "sentences": [text[:_LONGEST_SENTENCE] for text in self.sentences],
            },
        )


def cross_check(results: Sequence[SubtaskResult]) -> tuple[Conflict, ...]:
    """Compare what subtasks state, pair by pair.

    A subtask that states two values of one thing itself says nothing definite of it.
    Which of two is right is not decided here: a conflict is a reason to look.

    Returns:
        At most one conflict for two sentences, in the order of the subtasks; at most
        50 in all.
    """
    by_result = [[*statements(r.answer), *_shown(r)] for r in results]
    whole_paths = _whole_paths(s.about for of_result in by_result for s in of_result)
    definite = [_definite(of_result, whole_paths) for of_result in by_result]
    pairs = combinations(range(len(results)), 2)
    conflicts = (
        conflict
        for first, second in pairs
        for conflict in _between((first, second), definite[first], definite[second])
    )
    return tuple(islice(conflicts, MAX_CONFLICTS))


def _between(
    pair: tuple[int, int], ours: _Definite, theirs: _Definite
) -> Iterator[Conflict]:
    seen: set[tuple[str, str]] = set()
    for key, our_statements in ours.items():
        their_statements = theirs.get(key, ())
        # Both say it, so what one says besides is of another.
        shared = {
            (statement.modifiers, statement.value) for statement in our_statements
        }
        shared &= {
            (statement.modifiers, statement.value) for statement in their_statements
        }
        denied = [
            statement
            for statement in their_statements
            if _is_denied(statement, our_statements, shared)
        ]
        for statement in our_statements:
            if not _is_denied(statement, their_statements, shared):
                continue
            for other in denied:
                sentences = statement.sentence, other.sentence
                # Two sentences may contradict each other in more than one way.
                if _fits(statement, other) and sentences not in seen:
                    seen.add(sentences)
                    yield Conflict(
                        kind=statement.kind,
                        about=statement.about,
                        subtasks=pair,
                        sentences=sentences,
                    )


def _is_denied(
    statement: Statement,
    others: Sequence[Statement],
    shared: Set[tuple[frozenset[str], str]],
) -> bool:
    """Whether another subtask gives only other values of what one is said of."""
    fitting = [other for other in others if _fits(statement, other)]
    return (
        bool(fitting)
        and statement.value not in {other.value for other in fitting}
        and not any((other.modifiers, other.value) in shared for other in fitting)
    )


def _fits(statement: Statement, other: Statement) -> bool:
    """Whether one is said of the same thing, or of a part of it by name.

    The default timeout is a timeout; those of reading and of connecting are two.
    """
    return (
        statement.modifiers <= other.modifiers or other.modifiers <= statement.modifiers
    )


def _shown(result: SubtaskResult) -> list[Statement]:
    """Files that a subtask's tools returned are there, whatever another one says."""
    text = "\n".join(f"`{name}`" for name in result.verified)
    return [
        Statement(
            kind=StatementKind.EXISTENCE,
            about=(mention.key,),
            value="present",
            sentence=f"Its tools returned {mention.text}.",
        )
        for mention in extract_mentions(text)
        if mention.kind is MentionKind.FILE
    ]


def _definite(stated: Iterable[Statement], whole_paths: Mapping[str, str]) -> _Definite:
    """Keep what is stated in one way only; "no tests fail" and "all pass" are one."""
    by_key: dict[tuple[str, ...], dict[frozenset[str], list[Statement]]] = {}
    for statement in stated:
        about = tuple(whole_paths.get(part, part) for part in statement.about)
        of_key = by_key.setdefault((statement.kind, *about), {})
        of_key.setdefault(statement.modifiers, []).append(
            replace(statement, about=about)
        )
    return {
        key: [same[0] for same in of_key.values() if len({s.value for s in same}) == 1]
        for key, of_key in by_key.items()
    }


def _whole_paths(abouts: Iterable[tuple[str, ...]]) -> dict[str, str]:
    """Map `pricing.py` to `shop/pricing.py` where only one longer path ends so."""
    paths = {part for about in abouts for part in about if "." in part or "/" in part}
    by_name: dict[str, set[str]] = defaultdict(set)
    for path in paths:
        pieces = components(path)
        for start in range(1, len(pieces)):
            by_name["/".join(pieces[start:])].add(path)
    return {
        short: next(iter(longer))
        for short, longer in by_name.items()
        if short in paths and len(longer) == 1
    }

"""Claims in words that are read as no deed, found by what the run shows.

No list of wordings is whole. What an answer states of a call that failed, or of a
number that no call returned, is untrue in whatever words it is told: "you may keep it
until June 9", where the extension failed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from verifyhub.engine.calls.deed_words import stem
from verifyhub.engine.calls.record_calls import UNTOLD, RecordCall, leaves
from verifyhub.engine.completion.actions.clause_words import (
    NO_REPORT,
    NONE,
    NOT,
    OPEN,
    QUESTION,
    TIME,
    UNSPECIFIC,
)
from verifyhub.engine.completion.actions.other_words import spellings
from verifyhub.engine.completion.ruling import Ruling, contradicted, unattempted
from verifyhub.engine.completion.segments import Sentence
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.reports import CompletionClaim
from verifyhub.engine.text.tokens import plain
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.reading import values_in
from verifyhub.engine.values.value import Value

# With one of these words an answer admits that something did not work.
_ADMITS = re.compile(
    r"\b(?:(?:could|did|was|is) ?n[o’']t|(?:could|did|was|is) not|can ?n[o’']t|can[’']t"
    r"|unable|unfortunately|fail(?:ed|s|ing|ure)?|declined|denied|rejected|refus\w{1,5}"
    r"|errors?|not (?:possible|able|allowed|eligible|available|done|found)|sorry"
    r"|apolog\w{1,8}|impossible|leider|nicht|kein\w{0,3}|fehl\w{1,15}|abgelehnt"
    r"|verweigert|entschuldig\w{1,5}|malheureusement|échou\w{1,5}|erreur|désolée?"
    r"|n[’'](?:a|ai|est|ont) pas|pas pu|no (?:he|se|ha|hemos|pude|puedo|fue)"
    r"|lamentablemente|rechaz\w{1,6}|falló|imposible|lo siento|не|нет|нельзя"
    r"|невозможно|ошибк\w{1,3}|отказ\w{0,5}|отклон\w{1,5}|сожалению|увы)\b",
    re.IGNORECASE,
)
# What is not stated as so in German, French, Spanish and Russian.
_OPEN = re.compile(
    r"\b(?:wenn|falls|sobald|kann|können|könnt\w{0,3}|würde\w?|möcht\w{1,2}|soll\w{0,3}"
    r"|bitte|si|lorsque|pourr\w{1,4}|peut|pouvez|veuillez|souhait\w{1,5}|cuando|puede\w?"
    r"|podr\w{1,4}|quier\w{1,3}|desea\w?|favor|если|когда|мож\w{1,4}|хотите|нужно"
    r"|пожалуйста)\b",
    re.IGNORECASE,
)
# The number of a record has letters and digits.
_RECORD = re.compile(
    r"(?<![\w/-])(?=\S{0,30}\d)(?=\S{0,30}[A-Z])[A-Z0-9][\w/-]{3,30}\w"
)
# Names of models and standards mostly have fewer digits: "COVID-19".
_MOST_OF_MODELS = 3
_JOINT = re.compile(r";\s|\s[–—]\s|,\s(?:and|so|und|et|y|и)\s|(?<=\w):\s")
_WORD = re.compile(r"[^\W\d_]{4,30}")
# Sums and counts may be derived: an id, a day and an hour are not.
_NEVER_DERIVED = frozenset({ValueKind.IDENTIFIER, ValueKind.DATE, ValueKind.TIME})
_TEXT_LIMIT = 4_000
_SHOWN_LIMIT = 20_000
_LONGEST = 600
_MOST_PIECES = 300
_MOST_FAILED = 20
_BEGINNING = 5
# What is shared with a failed call counts so much where nothing else shows it.
_NEW = 2
_ENOUGH = 2


@dataclass(frozen=True)
class _Run:
    """What a run shows to anybody: its words and its values."""

    ledger: Ledger

    @cached_property
    def text(self) -> str:
        """What users and tools said, and what tools were given, case-folded."""
        texts = [source.text[:_SHOWN_LIMIT] for source in self.ledger.sources]
        for entry in self.ledger.calls:
            texts.append(entry.call.output[:_SHOWN_LIMIT])
            given = "\n".join(value for _, value in leaves(entry.call.input))
            texts.append(given[:_TEXT_LIMIT])
        return "\n".join(texts).casefold()

    @cached_property
    def forms(self) -> frozenset[tuple[object, ...]]:
        return frozenset(spellings(values_in(self.text)))

    @cached_property
    def looked_up(self) -> frozenset[tuple[object, ...]]:
        """The values that calls showed which only looked."""
        outputs = (look.call.call.output for look in self.ledger.look_ups)
        return frozenset(
            form
            for output in outputs
            for form in spellings(values_in(output[:_TEXT_LIMIT]))
        )

    def shows(self, value: Value) -> bool:
        """Whether a value stands anywhere in it."""
        if value.text.casefold() in self.text:
            return True
        return not self.forms.isdisjoint(spellings([value]))


def unread_claims(
    sentences: Sequence[Sentence], ledger: Ledger, claims: Sequence[CompletionClaim]
) -> Iterator[CompletionClaim]:
    """Yield what an answer states against what the run shows, and no claim covers.

    Args:
        sentences: The sentences of the answer.
        ledger: The run.
        claims: The claims of work that were read in it.
    """
    taken = [claim.span for claim in claims]
    pieces = [
        (text, span)
        for sentence in sentences
        if not any(
            begin < sentence.span[1] and sentence.span[0] < end for begin, end in taken
        )
        for text, span in _pieces(sentence)
    ][:_MOST_PIECES]
    if not pieces:
        return
    texts = [text for text, _ in pieces]
    run = _Run(ledger)
    found: dict[int, Ruling] = {}
    told = {index for claim in claims for index in claim.evidence}
    for call in _not_admitted(sentences, ledger):
        place = None if call.index in told else _nearest(texts, call, run)
        if place is not None:
            found.setdefault(place, contradicted(call.index))
    for place, text in enumerate(texts):
        if _has_unshown_number(text, run):
            found.setdefault(place, unattempted())
    for place, ruling in found.items():
        text, span = pieces[place]
        yield CompletionClaim(
            text=text,
            span=span,
            kind="action",
            status=ruling.status,
            evidence=ruling.evidence,
            grade=ruling.grade,
        )


def _pieces(sentence: Sentence) -> Iterator[tuple[str, Span]]:
    """Yield the parts of a sentence that state something."""
    text = sentence.text[:_LONGEST]
    if QUESTION.search(text) or NO_REPORT.match(text.lower()) or _ADMITS.search(text):
        return
    begin = 0
    for end in (*(match.start() for match in _JOINT.finditer(text)), len(text)):
        part = text[begin:end]
        words = part.lower()
        if not any(mark.search(words) for mark in (OPEN, NOT, NONE, _OPEN)):
            lead = len(part) - len(part.lstrip(" ;,–—:"))
            first = sentence.span[0] + begin + lead
            yield part[lead:], (first, sentence.span[0] + end)
        begin = end


def _not_admitted(
    sentences: Sequence[Sentence], ledger: Ledger
) -> Iterator[RecordCall]:
    """Yield the calls that failed and that no later one made good, if none says so."""
    calls = ledger.record_calls
    failed = [
        call
        for call in calls
        if call.failed and not any(_made_good(call, other) for other in calls)
    ]
    if not failed or any(_ADMITS.search(item.text) for item in sentences):
        return
    denied = [item.text for item in sentences if NOT.search(item.text.lower())]
    for call in failed[:_MOST_FAILED]:
        names = _names_of(call)
        if all(names.isdisjoint(_beginnings(text)) for text in denied):
            yield call


def _made_good(call: RecordCall, other: RecordCall) -> bool:
    """Whether another call did later what a call failed to do."""
    if other.failed or other.index < call.index:
        return False
    same_tool = other.call.call.tool == call.call.call.tool
    return same_tool or not other.deeds.isdisjoint(call.deeds)


def _nearest(texts: Sequence[str], call: RecordCall, run: _Run) -> int | None:
    """Return which text tells most of what only a failed call was given."""
    counts = [_shared(text, call, run) for text in texts]
    most = max(counts)
    return counts.index(most) if most >= _ENOUGH else None


def _shared(text: str, call: RecordCall, run: _Run) -> int:
    """Return how much a text tells of a failed call; 0 if another call had a value."""
    values = list(values_in(text))
    shared = frozenset(spellings(values)) & _forms_given(call)
    worked = [
        other
        for other in run.ledger.record_calls
        if not other.failed and other.deeds != UNTOLD
    ]
    if shared and any(shared & _forms_given(other) for other in worked):
        return 0
    unshown = sum(
        value.kind in _NEVER_DERIVED and not run.shows(value) for value in values
    )
    new = len(shared - run.looked_up) + unshown
    return _NEW * new + len(shared) + len(_beginnings(text) & _names_of(call))


def _has_unshown_number(text: str, run: _Run) -> bool:
    """Whether a text names a record by a number that nothing shows."""
    if TIME.search(text.lower()):
        return False
    return any(
        sum(map(str.isdigit, number)) >= _MOST_OF_MODELS
        and number.casefold() not in run.text
        for number in _RECORD.findall(text)
    )


def _given(call: RecordCall) -> str:
    return "\n".join(value for _, value in call.given)[:_TEXT_LIMIT]


def _forms_given(call: RecordCall) -> frozenset[tuple[object, ...]]:
    return frozenset(spellings(values_in(_given(call))))


def _names_of(call: RecordCall) -> frozenset[str]:
    """Return how the words of a call's name and of its input begin."""
    return _beginnings(f"{' '.join(call.words)} {_given(call)}")


def _beginnings(text: str) -> frozenset[str]:
    words: Iterable[str] = _WORD.findall(text.lower())
    return frozenset(
        plain(word)[:_BEGINNING] for word in words if stem(word) not in UNSPECIFIC
    )

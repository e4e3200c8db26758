"""Compare an answer's statements with the words of its tool outputs.

No model, no index, one pass over the outputs: the words of the answer's statements are
looked for in all lines at once, and only a line that has most of those of a statement
is compared with it. Two things settle: a line that says the very same but for one
value, name or denial, and an assignment (`TIMEOUT_SECONDS = 30`) whose name the
statement spells out and whose number it gives otherwise. What the agent put there
itself, what another line bears out, and a number that only tells which thing is meant
(`order 17`) speak against nothing.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from math import ceil
from typing import NamedTuple

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.inputs import string_leaves
from verifyhub.engine.claim_results import (
    Claim,
    ClaimEvidence,
    ClaimResult,
    FactStatus,
    JudgedBy,
    SentenceKind,
)
from verifyhub.engine.claims.differs import (
    DATE,
    NAME,
    NEGATION,
    NUMBER,
    SingleDifference,
    single_difference,
    stands_in,
)
from verifyhub.engine.claims.extract import claim_at, sentence_places
from verifyhub.engine.claims.kinds import kind_of
from verifyhub.engine.claims.local import DIFFERS, stands_alone, takes_back
from verifyhub.engine.claims.numbers import Quantity, quantities
from verifyhub.engine.claims.reading import ParsedText
from verifyhub.engine.claims.words import language_of
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.passages import Passage, PassageOrigin
from verifyhub.engine.retrieval.run_passages import outputs_of, title_of
from verifyhub.engine.text.search import LineSearch
from verifyhub.engine.text.sentences import sentence_spans
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Interaction, Span

MAX_STATEMENTS = 60
# Lines that are compared with one statement, those with most of its words.
MAX_LINES = 12
# A longer line is data.
MAX_LINE_CHARACTERS = 2_000
# Of all outputs together, the newest ones: some half a second of time.
MAX_CHARACTERS = 2_000_000
# In more characters of outputs, it pays to read first which numbers of the answer an
# assignment may deny.
_MUCH = 100_000
# Different lines that are kept as read.
_MOST_READ = 16_384
_LEAST_SHARE = 0.7
_SHORTEST_WORD = 3

_WORD = re.compile(r"[^\W\d_]++")
# A number of its own: not that of `module_3.py` or `v2`.
_DIGIT = re.compile(r"(?<![\w./-])[-−$€£¥₽]?\d")
_DIGITS = re.compile(r"[^\d.]|\.(?!\d)")
_ASSIGNED = re.compile(
    r"(?P<key>[A-Za-z_][A-Za-z0-9_.-]{2,60}+)[\"'`]?[ \t]{0,8}+"
    r"(?::[ \t]{0,2}[A-Za-z]{1,12}[ \t]{0,2}=|:=|=|:)[ \t]{0,8}[\"']?"
    r"(?P<value>[-−]?\d[\d_]{0,15}(?:\.\d{1,9})?|[Tt]rue|[Ff]alse)(?![\w.:/-])"
)
_SETS = re.compile(r"[=:][ \t\"']{0,8}+(?:[-−]?\d|[Tt]rue\b|[Ff]alse\b)")
_TRUTH = re.compile(r"\b(?:true|false)\b", re.IGNORECASE)
_CAMEL = re.compile(r"[a-z][A-Z]")
_HUMPS = re.compile(r"[A-Z]++(?![a-z])|[A-Z]?[a-z]++|[A-Z]++")
# Between a name and its number: `is`, `of`, `defaults to`.
_LINKS = re.compile(
    r"(?:\b(?:is|are|was|were|be|of|to|equals?|has|have|at|costs?|takes?|lasts?|waits?"
    r"|totals?|contains?|holds?|uses?|allows?|ist|sind|beträgt|est|sont|es|son|равен"
    r"|равна|равно|составляет)|[=:])[\s*`\"'(]{0,4}(?:[$€£¥₽]\s?)?$",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"\s?(?:%|[$€£¥₽]|°|(?:percent|seconds?|secs?|minutes?|mins?|hours?|days?|weeks?"
    r"|months?|years?|ms|s|kb|mb|gb|tb|bytes?|px|km|kg|usd|eur|gbp|chf|rub|dollars?"
    r"|euros?|crowns?|items?|users?|points?|prozent|sekunden|minuten|stunden|tage"
    r"|secondes?|heures?|jours?|segundos?|minutos?|horas?|días?|секунд\w?|минут\w?"
    r"|час\w{0,2}|дн\w{1,2}|рубл\w{1,3})(?!\w))",
    re.IGNORECASE,
)
_AROUND = 24
# Of a line that holds a number, on either side of it.
_WIDE = 1_000


class _Assignment(NamedTuple):
    """A name, the words it is made of, and the number it is given."""

    key: str
    words: frozenset[str]
    value: str

    def named_in(self, text: str, words: frozenset[str]) -> bool:
        """Return whether a sentence spells the name: as it is, or all of its words.

        Args:
            words: Its words in small letters.
        """
        if len(self.words) > 1 and self.words <= words:
            return True
        marked = len(self.key) > 3 and not self.key.islower()
        return marked and _is_word_of(self.key, text)


@dataclass(frozen=True)
class _Line:
    """A line of an output, and where it stands in the output's text."""

    call: Call
    text: str
    start: int
    language: str

    @cached_property
    def assignment(self) -> "_Assignment | None":
        """The line's only assignment; None for a line with several, which is a record
        whose fields belong together."""
        if not _SETS.search(self.text):
            return None
        matches = list(islice(_ASSIGNED.finditer(self.text), 2))
        if len(matches) != 1:
            return None
        key = matches[0]["key"].rpartition(".")[2]
        words = frozenset(part.lower() for part in _HUMPS.findall(key))
        return _Assignment(key, words, matches[0]["value"].replace("_", ""))

    @cached_property
    def sentences(self) -> list[tuple[Span, ParsedText]]:
        """Its sentences, read in the language of the answer."""
        return [
            ((start, end), ParsedText(self.text[start:end], self.language))
            for start, end in sentence_spans(self.text)
        ]


@dataclass
class _Statement:
    """One sentence of the answer, with the lines to compare it with.

    Attributes:
        claim_of: Reads what it claims.
        text: As it stands in the answer.
        all_words: Its words in small letters.
        words: Those that lines are found by.
        counts: Whether it states a number or truth.
        lines: Those with most of its words, and how many they have.
        assignments: Those that give a number to a name that shares words with it.
    """

    claim_of: Callable[[], Claim | None]
    text: str
    all_words: frozenset[str]
    words: frozenset[str]
    counts: bool
    lines: list[tuple[int, _Line]] = field(default_factory=list)
    assignments: list[tuple[int, _Line]] = field(default_factory=list)

    @cached_property
    def claim(self) -> Claim | None:
        return self.claim_of()

    @cached_property
    def parsed(self) -> ParsedText:
        claim = self.claim
        return ParsedText(claim.text, claim.language) if claim else ParsedText("")

    @cached_property
    def assigned(self) -> bool:
        """Whether an assignment may deny the number or truth that it states."""
        return self.counts and (
            _one_truth(self.parsed.text) is not None
            or _one_value(self.parsed) is not None
        )

    def offer(self, line: _Line, shared: int) -> None:
        """Keep a line that has most of the words, or may assign a number."""
        if shared >= _LEAST_SHARE * len(self.words):
            _keep(self.lines, (shared, line))
        assignment = line.assignment if self.counts else None
        if (
            assignment is not None
            and assignment.named_in(self.text, self.all_words)
            and self.assigned
        ):
            _keep(self.assignments, (shared, line))


def _keep(lines: list[tuple[int, _Line]], line: tuple[int, _Line]) -> None:
    """Add a line; of many those with most words stay, of equals the first ones."""
    if len(lines) >= MAX_LINES and line[0] <= lines[MAX_LINES - 1][0]:
        return
    lines.append(line)
    if len(lines) == MAX_LINES or len(lines) > 4 * MAX_LINES:
        lines[:] = _best(lines)


def _best(lines: Sequence[tuple[int, _Line]]) -> list[tuple[int, _Line]]:
    return sorted(lines, key=lambda scored: -scored[0])[:MAX_LINES]


def facts_in_outputs(
    interaction: Interaction, ledger: Ledger
) -> tuple[ClaimResult, ...]:
    """Return the statements that outputs contradict, in the order of the answer."""
    answer = interaction.answer
    if not interaction.tool_calls or ledger.unread:
        return ()
    language = language_of(answer)
    statements = _statements(answer, language)
    if not statements:
        return ()
    outputs = tuple(outputs_of(ledger))
    _gather(statements, outputs, language)
    with_lines = [
        statement
        for statement in statements
        if statement.lines or statement.assignments
    ]
    if not with_lines:
        return ()
    run = _OtherOutputs(interaction, [text for _, text in outputs])
    results: list[ClaimResult] = []
    for statement in with_lines:
        claim = statement.claim
        if claim is not None and claim.kind is SentenceKind.FACTUAL:
            results += _settled(claim, statement, run)
    return tuple(results)


def _statements(answer: str, language: str) -> list[_Statement]:
    statements: list[_Statement] = []
    for place in sentence_places(answer):
        text = answer[place.span[0] : place.span[1]]
        words = frozenset(_WORD.findall(text.lower()))
        telling = frozenset(word for word in words if len(word) >= _SHORTEST_WORD)
        telling -= _COMMON
        counts = bool(_DIGIT.search(text) or _TRUTH.search(text))
        # One name made of several words says what is spoken of: `maxRetries`.
        if len(telling) >= 2 or (counts and telling and _CAMEL.search(text)):
            claim = partial(claim_at, answer, place, language)
            statements.append(_Statement(claim, text, words, telling, counts))
        if len(statements) == MAX_STATEMENTS:
            break
    return statements


_COMMON = word_set(
    """
    the and for with that this from are was were has have had not but its into than set
    true false
    der die das und für mit von ist sind war les des est sont pour avec dans
    los las una con por para que del son fue как что это для или
    """
)


def _gather(
    statements: Sequence[_Statement], outputs: Sequence[tuple[Call, str]], language: str
) -> None:
    """Offer each line that shares words with a statement to it, in one pass."""
    size = sum(len(text) for _, text in outputs)
    shared = _SharedWords(statements, reads=size)
    remaining = MAX_CHARACTERS
    for call, text in reversed(outputs):
        if remaining <= 0:
            break
        remaining -= len(text)
        for (start, end), most in shared.lines_of(_lowered(text)):
            if end - start <= MAX_LINE_CHARACTERS:
                line = _Line(call, text[start:end], start, language)
                for at, count in most:
                    statements[at].offer(line, count)


def _lowered(text: str) -> str:
    """Return a text in small letters, every place where it was."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


class _SharedWords:
    """Tells which lines hold words of which statements."""

    def __init__(self, statements: Sequence[_Statement], *, reads: int) -> None:
        owners: dict[str, list[int]] = {}
        for at, statement in enumerate(statements):
            for word in statement.words:
                owners.setdefault(word, []).append(at)
        self._search = LineSearch(sorted(owners), reads=reads)
        self._read: dict[str, tuple[int, int] | None] = {}
        # With less than this of a statement's words a line is never looked at; one
        # that may assign a number, with less than two.
        most = [ceil(_LEAST_SHARE * len(statement.words)) for statement in statements]
        least = [
            min(2, few)
            if (statement.assigned if reads > _MUCH else statement.counts)
            else few
            for statement, few in zip(statements, most, strict=True)
        ]
        self._fewest = min(least)
        # One number counts for all statements, each in bits of its own: the words of a
        # line are added up, and the highest bit tells who has enough of them.
        self._bits = (
            max(len(statement.words) for statement in statements).bit_length() + 1
        )
        bits = [1 << at * self._bits for at in range(len(statements))]
        self._counts = {
            word: sum(bits[at] for at in stated) for word, stated in owners.items()
        }
        enough = 1 << self._bits - 1
        self._enough = sum(bit * enough for bit in bits)
        self._missing = sum(
            bit * (enough - few) for bit, few in zip(bits, most, strict=True)
        )
        self._missing_if_set = sum(
            bit * (enough - few) for bit, few in zip(bits, least, strict=True)
        )

    def lines_of(self, text: str) -> Iterator[tuple[Span, list[tuple[int, int]]]]:
        """Yield the lines that hold enough of a statement's words.

        With the places of those statements, and how many of its words each has.
        """
        found = self._search.in_lines(text)
        self._add(set(found))
        lines: list[str] = []
        start = at = 0
        for place, words in enumerate(found):
            read = self._read[words]
            if read is None:
                continue
            lines = lines or text.split("\n")
            most = self._most(*read, sets=_SETS.search(lines[place]) is not None)
            if most:
                start += sum(map(len, lines[at:place])) + place - at
                at = place
                yield (start, start + len(lines[at])), most

    def _add(self, found: set[str]) -> None:
        """Read the words of lines, since those of most stand in many lines."""
        if len(self._read) > _MOST_READ:
            self._read.clear()
        for words in found.difference(self._read):
            distinct = set(words.split())
            total = matching = 0
            if len(distinct) >= self._fewest:
                total = sum(map(self._counts.__getitem__, distinct))
                matching = (total + self._missing_if_set) & self._enough
            self._read[words] = (total, matching) if matching else None

    def _most(self, total: int, matching: int, *, sets: bool) -> list[tuple[int, int]]:
        if not sets:
            matching = (total + self._missing) & self._enough
        most: list[tuple[int, int]] = []
        while matching:
            highest = matching.bit_length()
            at = highest // self._bits - 1
            most.append((at, total >> at * self._bits & (1 << self._bits - 1) - 1))
            matching ^= 1 << highest - 1
        return most


@dataclass(frozen=True)
class _OtherOutputs:
    """A run, asked where else a number or name comes from."""

    interaction: Interaction
    outputs: Sequence[str]

    @cached_property
    def own(self) -> list[str]:
        """The texts that the run did not observe: the task and the inputs of calls."""
        texts = [self.interaction.task]
        for call in self.interaction.tool_calls:
            texts += [text for _, text in string_leaves(call.input)]
        return texts

    @cached_property
    def switches(self) -> frozenset[tuple[str, str]]:
        """The names that any text gives a word of truth (`Created: true`), with it."""
        return frozenset(
            (key, truth.lower())
            for text in (*self.own, *self.outputs)
            for truth in ("true", "True", "false", "False")
            for key in _assigned_names(truth, text)
        )

    def explains(self, value: str, statement: _Statement) -> bool:
        """Return whether the agent was told it, wrote it, or a tool showed it near by.

        Near by means beside two words of the statement: `total_read: 12` bears out
        what `read: 7` seems to deny.
        """
        spellings = {value, _DIGITS.sub("", value)} - {""}
        if _TRUTH.fullmatch(value):
            # Any program has both words: only beside the name they tell of it.
            spellings = {value.lower(), value.capitalize()}
            least = ceil(_LEAST_SHARE * len(statement.words))
            return any(
                _near(spelling, text, statement.words, least=least)
                for spelling in spellings
                for text in (*self.own, *self.outputs)
            )
        if any(
            _is_word_of(spelling, text) for spelling in spellings for text in self.own
        ):
            return True
        return any(
            _near(spelling, text, statement.words)
            for text in self.outputs
            for spelling in spellings
        )


def _near(spelling: str, text: str, words: frozenset[str], *, least: int = 2) -> bool:
    at = text.find(spelling)
    while at >= 0:
        start = text.rfind("\n", 0, at) + 1
        end = text.find("\n", at)
        stop = len(text) if end < 0 else end
        line = text[max(start, at - _WIDE) : min(stop, at + _WIDE)]
        lowered = line.lower()
        if (
            _is_word_of(spelling, line)
            and sum(map(lowered.__contains__, words)) >= least
        ):
            return True
        at = -1 if end < 0 else text.find(spelling, end)
    return False


def _assigned_names(value: str, text: str) -> Iterator[str]:
    at = text.find(value)
    while at >= 0:
        before = text[max(0, at - _WIDEST_NAME) : at]
        left_side = before.rstrip(" \t\"'`:=")
        key = _LAST_NAME.search(left_side)
        if key is not None and not {":", "="}.isdisjoint(before[len(left_side) :]):
            yield key.group()
        at = text.find(value, at + len(value))


# A name with what stands between it and its value.
_WIDEST_NAME = 80
_LAST_NAME = re.compile(r"\w+\Z")


def _is_word_of(word: str, text: str) -> bool:
    """Return whether a word stands in a text, and not as a part of a longer one."""
    at = text.find(word)
    while at >= 0:
        before, after = text[at - 1 : at] if at else "", text[at + len(word) :][:1]
        if not (before.isalnum() or after.isalnum()):
            return True
        at = text.find(word, at + 1)
    return False


def _settled(
    claim: Claim, statement: _Statement, run: _OtherOutputs
) -> Iterator[ClaimResult]:
    parsed = statement.parsed
    lines = [line for _, line in _best(statement.lines)]
    assignments = [line for _, line in _best(statement.assignments)]
    against: list[tuple[_Line, Span, SingleDifference]] = []
    alone = stands_alone(parsed)
    for line in lines:
        for span, sentence in line.sentences:
            if stands_in(parsed, sentence) or _has_all_words(parsed, sentence):
                return
            difference = _differs(parsed, sentence) if alone else None
            if difference is not None:
                against.append((line, span, difference))
    for line in assignments:
        assignment = line.assignment
        assigned = _assigned(parsed, assignment) if assignment else None
        if assignment is None or assigned is None:
            continue
        if (assignment.key, assigned.claim.lower()) in run.switches:
            # The code has it both ways: no line says which one holds.
            return
        against.append((line, (0, len(line.text)), assigned))
    stated = {
        difference.claim for _, _, difference in against if difference.kind != NEGATION
    }
    if against and not any(run.explains(value, statement) for value in stated):
        yield _result(claim, against)


def _has_all_words(claim: ParsedText, sentence: ParsedText) -> bool:
    """Whether a line has all of a claim's words and numbers, in whatever order."""
    if bool(claim.negations) != bool(sentence.negations):
        return False
    if not _truths(claim.text) <= _truths(sentence.text):
        return False
    content = claim.content
    return bool(content) and all(word.stem in sentence.stems for word in content)


def _truths(text: str) -> set[str]:
    return {word.lower() for word in _TRUTH.findall(text)}


def _differs(claim: ParsedText, sentence: ParsedText) -> SingleDifference | None:
    if len(sentence.words) < 3:
        return None
    difference = single_difference(claim, sentence)
    if difference is None or takes_back(sentence.text):
        return None
    if kind_of(sentence.text, sentence.language) is not SentenceKind.FACTUAL:
        return None
    if difference.kind in (NUMBER, DATE):
        stated = [
            quantity
            for quantity in claim.quantities
            if quantity.text == difference.claim
        ]
        if not any(is_value(claim.text, quantity) for quantity in stated):
            return None
    return difference


def is_value(text: str, quantity: Quantity) -> bool:
    """Return whether a number is an amount; `order 17` and `line 30` have none."""
    if quantity.unit or quantity.date:
        return True
    start, end = quantity.span
    before = text[max(0, start - _AROUND) : start]
    return bool(_UNIT.match(text, end) or _LINKS.search(before))


def _assigned(claim: ParsedText, assignment: _Assignment) -> SingleDifference | None:
    """Return how an assignment differs from what a claim says of its name."""
    if _TRUTH.fullmatch(assignment.value):
        return _denied(claim.text, assignment.value)
    value, shown = _one_value(claim), quantities(assignment.value)
    if value is None or len(shown) != 1 or value.agrees(shown[0]):
        return None
    return SingleDifference(NUMBER, value.text, shown[0].text)


def _one_value(claim: ParsedText) -> Quantity | None:
    """Return the amount that a claim states, if all its numbers are that amount."""
    numbers = [quantity for quantity in claim.quantities if not quantity.date]
    values = [quantity for quantity in numbers if is_value(claim.text, quantity)]
    if not values or len(values) != len(numbers):
        return None
    # "After 90 seconds (`TIMEOUT_SECONDS = 90`)" says one number twice.
    if any(quantity.bound or not quantity.agrees(values[0]) for quantity in values):
        return None
    return values[0]


def _denied(text: str, assigned: str) -> SingleDifference | None:
    """Return how a switch differs from the one word that a claim says it is."""
    stated = _one_truth(text)
    if stated is None or stated.lower() == assigned.lower():
        return None
    return SingleDifference(NAME, stated, assigned)


def _one_truth(text: str) -> str | None:
    """Return the one word that a claim says a switch is."""
    stated = [
        match.group()
        for match in _TRUTH.finditer(text)
        if _LINKS.search(text[max(0, match.start() - _AROUND) : match.start()])
    ]
    return stated[0] if len(stated) == 1 else None


def _result(
    claim: Claim, against: Sequence[tuple[_Line, Span, SingleDifference]]
) -> ClaimResult:
    line, span, difference = against[0]
    return ClaimResult.of(
        claim=claim,
        status=FactStatus.CONTRADICTED,
        judged_by=JudgedBy.LEDGER,
        reason=DIFFERS[difference.kind],
        evidence=_evidence(line, span),
        contradicting=tuple(_evidence(line, place) for line, place, _ in against[1:4]),
        signals=tuple(difference.as_dict() for _, _, difference in against[:4]),
    )


def _evidence(line: _Line, span: Span) -> ClaimEvidence:
    index = str(line.call.index)
    passage = Passage(
        id=f"{PassageOrigin.TOOL_CALL}:{index}:{line.start}",
        origin=PassageOrigin.TOOL_CALL,
        ref=index,
        title=title_of(line.call),
        text=line.text,
        span=(line.start, line.start + len(line.text)),
    )
    place = (line.start + span[0], line.start + span[1])
    return ClaimEvidence.of(passage, span=place)

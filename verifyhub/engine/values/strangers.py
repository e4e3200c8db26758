"""Names of an answer that nobody in the run has said, told by their kind or place.

A record with one colour, city or first name makes another one of the answer a value; so
does a place in a sentence or in a column where only a name can stand.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, filterfalse, islice

from verifyhub.engine.text.quantity_words import MONTH
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span
from verifyhub.engine.values.evidence import RunValues, input_texts
from verifyhub.engine.values.kind_words import (
    GERMAN,
    KINDS,
    LEVELS,
    MOST_WORDS,
    ORDINARY,
    PERSON,
    PLACE,
)
from verifyhub.engine.values.name_words import TITLES
from verifyhub.engine.values.spans import Spans
from verifyhub.engine.values.units import MEASURES, TIME_UNIT

_WORD = re.compile(r"[^\W_]+")
_JOINT = re.compile(r"[ \u00a0_-]")
_SHORT = 60
_RUN = re.compile(r"\d+")
_DIGIT = re.compile(r"\d")
_FEWEST_WORDS = 3
_AIRPORT = re.compile(r"(?!US[AD]|EUR|GBP)[A-Z]{3}")
# Behind a word in small letters one with a capital is a name.
_NAMED = re.compile(
    r"(?<!\w)(?:a|[a-z]{2,20})[ ][*_\"“'(]{0,3}([A-Z][\w'’&]{2,30}(?:-[\w'’&]{1,20})?)"
    r"(?![\w-]|[ ]?\([A-Z0-9]{2,6}\)|[ ][A-Z])"
)
# `Hello Layla,`, `Done, Irene!`, `Dr. Osei`.
_GREETED = re.compile(
    r"(?:^|(?<=[.!?] ))(?:[A-Z]\w+(?: you)?,?|you're welcome,)[ ]([A-Z][a-z'’-]{2,20})"
    r"(?=[!,.?])",
    re.MULTILINE,
)
# `Thank you for the number, Layla.`
_ADDRESSED = re.compile(
    r"(?:^|(?<=[.!?] ))(?:Thank|Thanks|Sorry|Apologies|Sure|Great|Perfect|Welcome"
    r"|Absolutely|Certainly|Of course|No problem|Good|I see|I understand|Understood"
    r"|Got it|All set|Done)(?!\w)[^.!?\n]{0,80},[ ]([A-Z][a-z'’-]{2,20})(?=[.!])",
    re.MULTILINE,
)
_TITLED = re.compile(
    r"(?<!\w)(?:Dr|Prof|Mr|Mrs|Ms)\.?[ ](?:[A-Z][a-z]{1,20}[ ])?([A-Z][\w'’-]{2,30})"
)
_HUMPED = re.compile(r"(?<=[\w,$%)] )[*_]{0,2}((?:[A-Z][a-z]{1,20}){2,4})(?![\w-])")
_NUMBERED_HEAD = re.compile(
    r"^[ \t]*\d{1,2}[.)][ ]+[*_]{2,3}([A-Z][^*_\n:]{2,50})[*_]{2,3}", re.MULTILINE
)
# A name at the start of a sentence.
_SUBJECT = re.compile(
    r"(?:^|(?<=[.!?] ))(?:The[ ])?"
    r"([A-Z][a-z'’&-]{1,20}(?:[ ][A-Z][a-z'’&-]{1,20}){1,4})"
    r"(?=[ ](?:is|has|was|will|can(?:not)?|costs?|offers?|serves?|starts|opens|by)[ ])",
    re.MULTILINE,
)
_MOST_NAME_WORDS = 6
# How many sources of strangers may find a longer name that holds a known one.
_LONGER_NAMES = 4
# Kinds whose names have a capital: in small letters `nice` is no place.
_PROPER = frozenset({PERSON, PLACE})
_TITLE = re.compile(r"[A-Z0-9][\w'’]*(?:[ -][A-Z0-9][\w'’]*)+")
_CALLED = re.compile(
    r"(?<!\w)(?:named|called|titled)[ ][*_\"“'(]{0,3}([^\W\d_][\w'’-]{2,30})(?![\w-])"
)
_CAPITAL = r"[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’&+-]{1,24}"
# In brackets, quoted, between commas, or behind an id or a time and a dash.
_SET_OFF = re.compile(
    r"(?:(?<=[^\W\d_] \()|(?<=[^\d_]\* \()|(?<=[«“\"])[ ]?|(?<=\d )[–—-][ ]"
    r"|(?<=[\w*], ))[*_]{0,3}"
    rf"({_CAPITAL}(?:[ ]{_CAPITAL}){{0,3}})"
    r"(?=[*_]{0,3}(?:\)|[ ]?[»”\"]|[,:.](?:\s|$)))",
    re.MULTILINE,
)
_TITLED_NAME = rf"{_CAPITAL}(?:[ ]{_CAPITAL}){{1,3}}"
# An item of a list that is a name and nothing else.
_ITEM = re.compile(
    r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+[*_]{0,3}"
    rf"({_TITLED_NAME})[*_]{{0,3}}[ \t]*$",
    re.MULTILINE,
)
_BOTH = re.compile(
    rf"(?<![\w'’-])({_TITLED_NAME}) (?:and|or) (?:the |an? |your )?"
    rf"({_TITLED_NAME})(?![\w-])"
)
_QUOTED = re.compile(rf"[“\"«]({_CAPITAL}(?:[ ]{_CAPITAL}){{1,4}})[”\"»]")
_LONGEST_ABBREVIATION, _MOST_SET_OFF = 4, 200
# Two words or more with capitals amid a sentence.
_AMID = re.compile(
    rf"(?<=[a-zà-ÿа-яё*(–—-][ *(])[*_]{{0,3}}({_CAPITAL}(?:[ ]{_CAPITAL}){{1,3}})"
    r"(?![\w-]|[*_]{0,3}:|[ ]?\([A-Z0-9]{2,6}\))"
)
_ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"[\s|:-]+")
_MOST_ROWS = 60
_MOST_CELL_WORDS = 5


# Of `In Fabric` the first word alone is no name.
_SAY_NOTHING = word_set("in at on of the a an to for from with and or my your") | {""}


class Strangers:
    """What an answer names and nobody in its run has.

    Args:
        run: The run.
        answer: The answer.
        own: Words that the answer has without a capital as well.
    """

    def __init__(self, run: RunValues, answer: str, own: frozenset[str]) -> None:
        self._run = run
        self._answer = answer
        self._own = own

    def spans(self, taken: Sequence[Span]) -> Iterator[Span]:
        """Yield the places of strangers that do not overlap those taken."""
        spans = Spans(taken)
        strangers = _Apart()
        sources = (
            self._nearly, self._numbered, self._longer, self._quoted, self._of_kinds,
            self._called, self._greeted, self._humped, self._subjects, self._set_off,
            self._recombined, self._beside_known,
        )  # fmt: skip
        for source in sources[:_LONGER_NAMES]:
            # A longer name that holds a known one is another.
            for span in source():
                parts = (_inside(one, span) for one in taken)
                held = list(filter(lambda one: one is not None, parts))
                if held and not _TITLE.fullmatch(self._answer, *span):
                    continue
                if all(held):
                    strangers.add(span)
        free = filterfalse(
            spans.overlap,
            chain.from_iterable(source() for source in sources[_LONGER_NAMES:]),
        )
        for span in free:
            strangers.add(span)
        cells = list(self._cells(Spans([*taken, *strangers.found])))
        for span in chain(cells, filterfalse(spans.overlap, self._named())):
            strangers.add(span)
        return iter(strangers.found)

    @cached_property
    def _leaf_words(self) -> frozenset[str]:
        """The names, and their words, that records hold."""
        all_words: set[str] = set()
        for words in self._run.records.short_texts.values():
            all_words.update(words)
            all_words.add("".join(words))
        return frozenset(all_words)

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """The kinds of which the records hold a name."""
        kinds = {
            kind
            for word in self._leaf_words
            for name in (word, f"~{word}")
            for kind in KINDS.get(name, ())
        }
        if self._has_codes:
            kinds.discard(PLACE)  # Codes are told by the names of their places.
        keys = {word for words in self._run.records.keys for word in words}
        if self._run.given_persons or not keys.isdisjoint(_PERSON_KEYS):
            kinds.add(PERSON)
        return frozenset(kinds)

    @cached_property
    def _has_codes(self) -> bool:
        """Whether the records name places by codes, as airports."""
        texts = self._run.records.short_texts
        return sum(_AIRPORT.fullmatch(text) is not None for text in texts) > 1

    def _of_kinds(self) -> Iterator[Span]:
        words = [match.span() for match in _WORD.finditer(self._answer)]
        known = self._run.words
        place = 0
        while place < len(words):
            span = self._kind_at(words, place, known)
            if span is None:
                place += 1
                continue
            yield span
            while place < len(words) and words[place][0] < span[1]:
                place += 1

    def _kind_at(
        self, words: Sequence[Span], place: int, known: frozenset[str]
    ) -> Span | None:
        joined, best = "", None
        unknown = False
        start, last = words[place][0], words[place][0]
        for position in range(place, min(place + MOST_WORDS, len(words))):
            one = words[position]
            if position > place and not (
                one[0] - last == 1 and _JOINT.match(self._answer, last)
            ):
                break
            word = self._answer[slice(*one)].casefold()
            joined += word
            unknown = unknown or (word not in known and word.rstrip("s") not in known)
            last = one[1]
            kinds = KINDS.get(joined)
            if kinds is None or (
                kinds <= _PROPER and self._answer[slice(start, last)].islower()
            ):
                continue
            if not unknown or joined in self._leaf_words:
                best = None
            elif not kinds.isdisjoint(self._kinds) and not is_of_any(
                self._answer, start
            ):
                best = (start, last)
        return best

    def _set_off(self) -> Iterator[Span]:
        """Yield what signs set off as a name: `Ana Ruiz (Legal Affairs)`, `, Rex,`."""
        if self._has_codes:
            return
        for match in islice(_SET_OFF.finditer(self._answer), _MOST_SET_OFF):
            words = match[1].split()
            strange = [one for one in words if self._is_new(one)]
            if len(strange) * 2 >= len(words):
                yield match.span(1)

    def _is_new(self, word: str) -> bool:
        """Whether a word names something that the run has not, by itself."""
        folded = word.casefold()
        short = word.isupper() and len(word) <= _LONGEST_ABBREVIATION
        return not (short or folded in LEVELS or folded in TITLES) and (
            self._is_stranger(word)
        )

    def _recombined(self) -> Iterator[Span]:
        """Yield a name with one word of a record's, where no text has both together."""
        if self._has_codes or len(self._own & GERMAN) > 1:
            return
        for match in islice(_AMID.finditer(self._answer), _MOST_SET_OFF):
            words = _WORD.findall(match[1].casefold())
            if "".join(words) in self._texts or words[0] in TITLES:
                continue
            if match[1].isupper() and self._has_capitals:
                if sum(map(self._is_new, words)) * 2 >= len(words):
                    yield match.span(1)
                continue
            for place in range(len(words)):
                pattern = (*words[:place], "", *words[place + 1 :])
                if pattern in self._patterns and words[place] not in self._own:
                    yield match.span(1)
                    break

    @cached_property
    def _has_capitals(self) -> bool:
        """Whether names of the run are spelt in capitals, as those of merchants."""
        return any(
            len(words) > 1 and text.isupper() and not _DIGIT.search(text)
            for text, words in self._run.records.short_texts.items()
        )

    def _called(self) -> Iterator[Span]:
        for match in _CALLED.finditer(self._answer):
            word = match[1].casefold()
            if word not in self._run.words and word not in ORDINARY:
                yield match.span(1)

    def _is_stranger(self, text: str) -> bool:
        """Whether no word of a text is known to the run, or names nothing."""
        words = _WORD.findall(text.casefold())
        known = self._run.words
        return bool(words) and not any(
            one in known
            or one.rstrip("s") in known
            or one in ORDINARY
            or one in self._own
            for one in words
        )

    def _greeted(self) -> Iterator[Span]:
        if PERSON in self._kinds:
            for pattern in (_GREETED, _ADDRESSED, _TITLED):
                for match in pattern.finditer(self._answer):
                    if self._is_stranger(match[1]):
                        yield match.span(1)

    def _humped(self) -> Iterator[Span]:
        """Yield `BestMart`, which is written so only as a name."""
        for match in _HUMPED.finditer(self._answer):
            if not self._has_codes and self._is_stranger(match[1]):
                yield match.span(1)

    def _subjects(self) -> Iterator[Span]:
        for match in _SUBJECT.finditer(self._answer):
            words = match[1].split()
            if all(map(self._is_stranger, words)):
                yield match.span(1)

    def _longer(self) -> Iterator[Span]:
        """Yield heads of numbered items with a last word that nobody has.

        `2. **Hotel Otter**` beside items that begin with names, one of which has the
        other word.
        """
        heads = [match.span(1) for match in _NUMBERED_HEAD.finditer(self._answer)]
        words = [_WORD.findall(self._answer[slice(*one)]) for one in heads]
        if any("".join(one).casefold() in self._leaf_words for one in words):
            for head, own in zip(heads, words, strict=True):
                if (
                    len(own) > 1
                    and self._is_stranger(own[-1])
                    and any(one.casefold() in self._leaf_words for one in own)
                ):
                    yield head

    def _quoted(self) -> Iterator[Span]:
        """Yield `“Rainy Day Savings”` with a word that nobody has said."""
        for match in islice(_QUOTED.finditer(self._answer), _MOST_SET_OFF):
            words = match[1].split()
            if "".join(_WORD.findall(match[1].casefold())) not in self._texts and any(
                map(self._is_new, words)
            ):
                yield match.span(1)

    def _beside_known(self) -> Iterator[Span]:
        """Yield names that nobody has, in a list of known ones or joined to one."""
        groups = [
            [match.span(1), match.span(2)]
            for match in islice(_BOTH.finditer(self._answer), _MOST_SET_OFF)
        ]
        end = -2
        for match in islice(_ITEM.finditer(self._answer), _MOST_SET_OFF):
            if self._answer[end : match.start()].strip() or end < 0:
                groups.append([])
            groups[-1].append(match.span(1))
            end = match.end()
        for group in groups:
            words = {
                span: _WORD.findall(self._answer[slice(*span)].casefold())
                for span in group
            }
            known = [one for one in words.values() if "".join(one) in self._leaf_words]
            for span, one in words.items() if len(known) * 2 >= len(group) else ():
                if any(map(self._is_new, one)) and "".join(one) not in self._texts:
                    yield span

    @cached_property
    def _patterns(self) -> frozenset[tuple[str, ...]]:
        """Names of records with one of their words left out."""
        patterns = set()
        for text, words in self._run.records.short_texts.items():
            if not 2 <= len(words) <= _MOST_NAME_WORDS or not text[:1].isalpha():
                continue
            for place in range(len(words)):
                rest = (*words[:place], "", *words[place + 1 :])
                if not _SAY_NOTHING.issuperset(rest):
                    patterns.add(rest)
        return frozenset(patterns)

    def _nearly(self) -> Iterator[Span]:
        """Yield names that differ from a record's by one word, that nobody has said."""
        words = [match.span() for match in _WORD.finditer(self._answer)]
        folded = [self._answer[slice(*one)].casefold() for one in words]
        known = self._run.words
        for place, word in enumerate(folded):
            if word in known or word in ORDINARY or word in TITLES:
                continue
            capital = self._answer[words[place][0]].isupper()
            coded = capital and word.isalnum() and not word.isdecimal()
            if not (word.isalpha() or coded) or len(word) < 3:
                continue
            for length in range(_MOST_NAME_WORDS, 1 if capital else 2, -1):
                span = self._near_at(words, folded, place, length)
                if span is not None:
                    yield span
                    break

    def _near_at(
        self, words: Sequence[Span], folded: Sequence[str], place: int, length: int
    ) -> Span | None:
        for start in range(max(0, place - length + 1), place + 1):
            end = start + length
            if end > len(words) or words[end - 1][1] - words[start][0] > _SHORT + 20:
                continue
            pattern = (*folded[start:place], "", *folded[place + 1 : end])
            if pattern in self._patterns and not _PARTED.search(
                self._answer, words[start][0], words[end - 1][1]
            ):
                return words[start][0], words[end - 1][1]
        return None

    def _numbered(self) -> Iterator[Span]:
        """Yield `EliteBook 840 G8` where the tools have an `EliteBook 845 G9`.

        The words are alike but for digits, and nobody has said it so.
        """
        shapes = self._shapes
        if not shapes:
            return
        longest = {one[0] for one in shapes}
        words = [match.span() for match in _WORD.finditer(self._answer)]
        folded = [self._answer[slice(*one)].casefold() for one in words]
        masked = [_RUN.sub("0", one) for one in folded]
        for place, first in enumerate(masked):
            if first not in longest:
                continue
            end = next(
                (
                    place + length
                    for length in range(_MOST_NAME_WORDS, 1, -1)
                    if place + length <= len(words)
                    and tuple(masked[place : place + length]) in shapes
                ),
                place,
            )
            own_words = folded[place:end]
            known = shapes.get(tuple(masked[place:end]))
            if known is None or "".join(own_words) in known:
                continue
            span = (words[place][0], words[end - 1][1])
            new = any(one not in self._run.words for one in own_words)
            new = new or self._is_new_number(own_words)
            if new and "\n" not in self._answer[slice(*span)]:
                yield span

    def _is_new_number(self, words: Sequence[str]) -> bool:
        """Whether a name has other digits than a known one, as many of them.

        Its words and digits may all be known, and stand together nowhere.
        """
        name = "".join(words)
        if len(words) < _FEWEST_WORDS or name in self._texts:
            return False
        known = self._shapes.get(tuple(_RUN.sub("0", one) for one in words), set())
        masked = _DIGIT.sub("0", name)
        return any(_DIGIT.sub("0", one) == masked for one in known)

    @cached_property
    def _texts(self) -> str:
        """All that the run says, its words without what stands between them."""
        run = self._run.interaction
        texts = [run.task, run.system_instructions or ""]
        for call in self._run.calls:
            texts += [call.call.output, *input_texts(call)]
        return "".join(_WORD.findall("\n".join(texts).casefold()))

    @cached_property
    def _shapes(self) -> dict[tuple[str, ...], set[str]]:
        """Names of records with digits in them, by their words with digits masked."""
        shapes: dict[tuple[str, ...], set[str]] = {}
        for words in self._run.records.short_texts.values():
            if 2 <= len(words) <= _MOST_NAME_WORDS and any(map(_is_long, words)):
                shape = tuple(_RUN.sub("0", one) for one in words)
                if "0" in "".join(shape):
                    shapes.setdefault(shape, set()).add("".join(words))
        return shapes

    def _named(self) -> Iterator[Span]:
        """Yield `Dallas` of `in Dallas`: a capital amid an English sentence."""
        if self._has_codes or len(self._own & GERMAN) > 1:
            return
        for match in _NAMED.finditer(self._answer):
            name = match[1].removesuffix("'s").removesuffix("’s")
            start = match.start(1)
            if (
                name.isupper()
                or not self._is_stranger(name)
                or self._ends_label(start + len(name))
                or is_of_any(self._answer, start)
            ):
                continue
            yield start, start + len(name)

    def _ends_label(self, end: int) -> bool:
        """Whether a label of a line ends here: `- **Reason for Delay**: rain`."""
        line = self._answer.rfind("\n", max(0, end - _SHORT), end) + 1
        return bool(
            _BEHIND_LABEL.match(self._answer, end)
            and _LABEL.fullmatch(self._answer, line, end)
        )

    def _cells(self, known: Spans) -> Iterator[Span]:
        """Yield cells of a column of which the others are known."""
        tables: list[list[list[Span]]] = []
        end = -2
        for row in list(_ROW.finditer(self._answer))[:_MOST_ROWS]:
            if row.start() != end + 1:
                tables.append([])
            end = row.end()
            if not _RULE.fullmatch(row[1]):
                tables[-1].append(list(_split(self._answer, row.start(1), row.end(1))))
        for table in tables:
            body = table[1:]
            for column in range(max(map(len, body), default=0)):
                cells = [row[column] for row in body if column < len(row)]
                yield from self._column(cells, known)

    def _column(self, cells: Sequence[Span], known: Spans) -> Iterator[Span]:
        good = [cell for cell in cells if cell[0] < cell[1] and known.overlap(cell)]
        if not good or len(good) * 2 < len(cells):
            return
        for start, end in cells:
            words = _WORD.findall(self._answer[start:end].casefold())
            if (
                words
                and len(words) <= _MOST_CELL_WORDS
                and (start, end) not in good
                and any(map(self._is_stranger, words))
                and not any(map(str.isdecimal, words))
            ):
                yield start, end


_LABEL = re.compile(r"[ \t]*(?:[-*•]|\d{1,2}[.)])?[ \t]*[*_]{2,3}[^\n:*]{3,40}")
_BEHIND_LABEL = re.compile(r"(?:[*_]{2,3}:|:[*_]{2,3})[ ]*[^\s*_]")
# In front of what is none in particular: `any Visa/Mastercard`, `some cash`.
_OF_ANY = re.compile(
    r"(?<!\w)(?:any|some|every|other|another|either|no)[ ](?:[\w'’-]{1,20}(?:[ ]?/[ ]?"
    r"|[ ](?:or[ ])?)){0,2}$",
    re.IGNORECASE,
)
_LONGEST_ANY = 60


def is_of_any(answer: str, start: int) -> bool:
    """Whether what stands at a place is one of many, and no value of the run."""
    return _OF_ANY.search(answer, max(0, start - _LONGEST_ANY), start) is not None


# Between two sentences, or two lines.
_PARTED = re.compile(r"\n|[!?]\s|\w{4}\.\s|[\])]\.\s|\w[\"”»]\s")
_PERSON_KEYS = frozenset(
    {"name", "holder", "customer", "patient", "passenger", "guest", "recipient"}
    | {"receiver", "contact", "payee", "employee", "assignee", "agent", "owner"}
)


def _inside(one: Span, span: Span) -> bool | None:
    """Whether a place lies in another and is shorter; None where they do not meet."""
    if one[1] <= span[0] or span[1] <= one[0]:
        return None
    return span[0] <= one[0] and one[1] <= span[1] and one != span


def _is_long(word: str) -> bool:
    return len(word) > _SHORTEST_NAME and word.isalpha() and word not in _UNIT_WORDS


_SHORTEST_NAME = 3
_UNIT_WORDS = (
    frozenset(TIME_UNIT) | frozenset(MONTH) | frozenset(map(str.lower, MEASURES))
)


def _split(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the places of the cells of a row, blanks and marks left out."""
    while start <= end:
        bar = text.find("|", start, end)
        stop = bar if bar >= 0 else end
        part = text[start:stop]
        inner = part.strip(" *_`\t")
        begin = start + (part.index(inner) if inner else 0)
        yield begin, begin + len(inner)
        start = stop + 1


class _Apart:
    """Places of a text that do not overlap.

    Attributes:
        found: The places, as they were added.
    """

    def __init__(self) -> None:
        self.found: list[Span] = []
        self._sorted: list[Span] = []

    def add(self, span: Span) -> None:
        """Add a place, unless it overlaps one that is there."""
        at = bisect_left(self._sorted, span)
        before, behind = self._sorted[at - 1 : at], self._sorted[at : at + 1]
        if not any(one[1] > span[0] for one in before) and not any(
            one[0] < span[1] for one in behind
        ):
            self._sorted.insert(at, span)
            self.found.append(span)

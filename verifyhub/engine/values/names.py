"""Names of an answer: what tools returned as a word or a name, however it is spelt.

`gift_card_5309492` is a gift card, `PayPal` is `paypal_123`, `round_trip` a round trip:
names are compared without capitals, blanks and joints. A name that no tool returned is
told by where it stands: behind a label that is a key of the records, beside a part of a
person's name, among codes of one shape, or as a way to pay.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import plain, word_set
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.evidence import RunValues
from verifyhub.engine.values.kind_words import GERMAN, ORDINARY, STATE_CODES
from verifyhub.engine.values.name_words import (
    ABBREVIATIONS,
    COMMON,
    EMPHASIS,
    PAYMENT,
    STATE_ALONE,
    STATE_MEANINGS,
    STATUS_WORDS,
    TITLES,
)
from verifyhub.engine.values.records import Leaf, Path, is_position, key_words
from verifyhub.engine.values.spans import Spans
from verifyhub.engine.values.strangers import Strangers, is_of_any

_WORD = re.compile(r"[^\W_]+")
_LETTER = re.compile(r"[^\W\d_]")
_MOST_WORDS = 12
_NUMBERED = re.compile(r"(?<=[^\W\d])[_\-\s#]*\d+$")
# Keys of what has a person's whole name.
_PERSON = word_set(
    "name holder owner customer contact passenger guest patient member author user"
    " recipient payee driver doctor provider tenant employee assignee practitioner"
    " physician manager adjuster agent operator primary secondary teacher instructor"
    " player coach author artist actor lead reviewer approver sender receiver insured"
    " taxpayer beneficiary attendee organizer lawyer host reporter holder applicant"
    " student nurse technician pax"
    " получатель отправитель клиент водитель врач владелец kunde kundin empfänger"
    " fahrer arzt client destinataire médecin cliente paciente titular médico huésped"
)
_PERSON_KEYS = (("first", "last"), ("given", "family"), ("first", "sur"))
_CAPITALISED = re.compile(r"[^\W\d_a-zа-я][^\W\d_]*(?:['’-][^\W\d_]+)*")
_LONGEST_NAME = 60
_TITLED = re.compile(r"(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau|Mme|Sra?)\.? [^\W\d_a-z]")
# A person by one word, with a title or without.
_CALLED_SO = re.compile(
    r"(?<![\w'’-])(?:(?:Dr|Prof|Mr|Mrs|Ms|Herr|Frau|M|Mme|Sr|Sra)\.?[ ])?"
    r"([^\W\d_a-zа-я][^\W\d_]*(?:['’-][^\W\d_]+)*)(?![\w-])"
)
_BETWEEN = re.compile(r"[ \u00a0\u202f_\-/,.&'’:+(]{0,3}")
# Of two codes that a hyphen joins, as of a flight's airports, each.
_CODE = re.compile(
    r"(?:(?<![\w-])|(?<=(?<![\w-])[A-Z]{3}-))[A-Z]{2,12}"
    r"(?:(?![\w-])|(?=-[A-Z]{3}(?![\w-])))"
)
_DIGIT = re.compile(r"\d")
_CAPITAL = re.compile(r"[A-Z]")
_SHORT_CODE = re.compile(
    r"[A-Z]{1,2}-?\d{1,3}|\d{1,3}(?:[A-Z]{1,2}|x)|[A-Z0-9]{2,8}(?:-[A-Z0-9]{1,8}){1,3}"
)
_SHORT_CODE_SAID = re.compile(rf"(?<![\w-])(?:{_SHORT_CODE.pattern})(?![\w-])")
_CODED = re.compile(r"[A-Z0-9]{2,12}")
# Codes of this length have digits as a rule; one without is no abbreviation.
_LONG_CODE = 5
# Two words or more with capitals; small words may join them.
_PROPER = re.compile(
    r"(?<![\w'’-])[A-Z][a-z'’&-]{1,20}(?:\w{0,10})"
    r"(?:[ ](?:(?:of|the|and|de|la|&)[ ])?[A-Z][A-Za-z'’&-]{1,20}){1,5}(?![\w-])"
)
# In the same sentence, a word in front without a capital.
_LAST_WORD = re.compile(r"(?<![^\s(\"'“-])([^\W\dA-Z_]+|[a-z]\w*),?[ ][*_\"“'(]{0,3}$")
_CODE_BEHIND = re.compile(r" ?\([A-Z0-9]{2,6}\)")
_ARTICLES = word_set("the this these those all any le la les der die das el los las")
# What is theirs is called by what it is.
_OWNERS = word_set("our your my their its his her dear hi hello hey thanks")
# What stands in brackets, or on a line, parted by commas.
_OPTIONS = re.compile(
    r"(?:\(|^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t]+)([^()\n]{3,160})", re.M
)
_OPTION = re.compile(
    r"(?:^|(?<=[,(])|(?<=[-*•.)] ))[ ]*([^\W\d_][\w -]{1,30}?)[ ]*(?=,|\)|$|\n| [-–—])"
)
_ID = re.compile(r"#?\w*\d\w*(?:-\w+)*")
_FEWEST_OPTIONS = 2
_INCLUDES = re.compile(
    r"(?<!\w)(?:includ|contain|consist|along with|such as|both|items? )"
)
_OTHER_THING = r"([A-Za-z][a-z-]{2,20}(?: [A-Za-z][a-z-]{2,20})?)"
_WITH_IT = re.compile(
    r"(?:(?:,? and|,) (?:an?|the|your) |,? (?:along|together) with (?:an? |the )?)"
    rf"{_OTHER_THING}(?=[,.;]| and | in (?:this|the|your))"
)
_BEFORE_IT = re.compile(
    rf"(?<!\w)(?:an?|the|your) {_OTHER_THING}(?:,| and|, and) (?:(?:an?|the|your) )?$"
)
# In front of a label on its line.
_MOST_LABEL_WORDS = 3
_SHORTEST_STRANGE = 3
_MOST_OPTION_WORDS = 4
_LABEL = re.compile(
    r"(?:^|\n|[(,;]|[-*•] )[ \t]*(?:[-*•]|\d{1,2}[.)]|[^\w\s(|]{1,2}(?=[ ]))?[ \t]*"
    r"[*_]{0,3}"
    r"([^\W\d_][^\n:*()]{1,40}?)[*_]{0,3}[ ]?:[*_]{0,3}[ \t]+"
)
_PARTS = frozenset({"first", "last", "given", "family", "sur"})
_OF_PERSONS = _PERSON | _PARTS | {"surname"}
_LABEL_VALUE = re.compile(r"[*_`\"']{0,3}([^\n,;()*`\"]{1,80})")


class Name(NamedTuple):
    """A name in the answer.

    Attributes:
        span: Its place.
        kind: A name or a status.
        leaves: The leaves that it is spelt in; none where no tool returned it.
        label: The label that it stands behind, as words of a key.
        near: A name that the tools have instead, if there is one.
        is_part: Whether it is one word of a person's name, which others may have too.
    """

    span: Span
    kind: ValueKind
    leaves: tuple[Leaf, ...] = ()
    label: tuple[str, ...] = ()
    near: str = ""
    is_part: bool = False


# What a file is called without what says its format.
_FILE = re.compile(
    r"(.{3,80})\.(?:pptx?|docx?|xlsx?|pdf|csv|txt|md|png|jpe?g|zip|html|json|mp[34])"
)
# `Family Medicine` of "Room 4, Family Medicine".
_PARTED = re.compile(r"([^,()]{3,40})(?:,[ ]|[ ]\()[^\W_]")


def _parts(text: str) -> Iterator[str]:
    """Yield what a name is also called by: a file, and a place up to its comma."""
    for pattern in (_FILE.fullmatch, _PARTED.match):
        match = pattern(text)
        if match and _LETTER.search(match[1]) and match[1][:1].isupper():
            part = collapsed(match[1])
            if part not in COMMON:
                yield part


def collapsed(text: str) -> str:
    """Return a name without capitals, blanks and joints."""
    return "".join(_WORD.findall(text.casefold()))


class NameIndex:
    """The names that the tools of a run returned.

    Args:
        run: The run.
    """

    def __init__(self, run: RunValues) -> None:
        self._run = run
        self._by_name: dict[str, list[Leaf]] = {}
        self._longest = 1
        self._parts: dict[str, tuple[str, str]] = {}
        self._called: dict[str, Leaf] = {}
        # Records of one list have many texts in common.
        texts = run.records.texts
        known = {one: tuple(self._spelt(one)) for one in texts if _LETTER.search(one)}
        for leaf in run.records.leaves:
            if isinstance(leaf.value, str):
                for name in known.get(leaf.value, ()):
                    self._by_name.setdefault(name, []).append(leaf)
            if run.pairs.names:
                self._add_pairs(leaf, str(leaf.value))
        self._persons()
        self._map_keys()
        self._inputs = frozenset(
            name for name in map(collapsed, run.input_words) if name not in COMMON
        )

    def _add(self, leaf: Leaf, names: Iterable[str]) -> None:
        for name in names:
            self._by_name.setdefault(name, []).append(leaf)

    def _spelt(self, text: str) -> Iterator[str]:
        """Yield the names that a text is, collapsed."""
        words = _WORD.findall(text.casefold())
        if not 0 < len(words) <= _MOST_WORDS:
            return
        self._longest = max(self._longest, len(words))
        name = "".join(words)
        if len(name) < 2 or name in COMMON:
            return
        yield name
        if plain(name) != name:
            yield plain(name)
        coded = _NUMBERED.sub("", text)
        if coded != text and len(coded) > 2 and " " not in text.strip():
            uncoded = collapsed(coded)
            if uncoded and uncoded != name:
                yield uncoded
        yield from STATUS_WORDS.get(name, ())
        yield from _parts(text)

    def _add_pairs(self, leaf: Leaf, text: str) -> None:
        """Add how the project also calls a value."""
        for other in self._run.pairs.others(text):
            self._longest = max(self._longest, len(_WORD.findall(other)))
            self._by_name.setdefault(collapsed(other), []).append(leaf)

    def _persons(self) -> None:
        """Add first and last names of one object as one name, and what each is."""
        objects: dict[tuple[int, tuple[str | int, ...]], dict[str, Leaf]] = {}
        for leaf in self._run.records.leaves:
            words = _words_of_person(leaf.key)
            if not isinstance(leaf.value, str):
                continue
            if words or "@" in leaf.value or _TITLED.match(leaf.value):
                self._words_of_name(leaf)
            if not words:
                continue
            if words[-1] in {"name", "surname"} and " " in leaf.value:
                self._full_name(leaf.value)
            if words[0] in _PARTS and (words[1:] in {(), ("name",)}):
                group = objects.setdefault((leaf.call, leaf.path[:-1]), {})
                group[words[0]] = leaf
            elif not _PERSON.isdisjoint(words):
                self._full_name(leaf.value)
        self._whole_names(objects.values())
        for name in self._run.given_persons:
            self._full_name(name)

    def _whole_names(self, groups: Iterable[Mapping[str, Leaf]]) -> None:
        """Add first and last names as one name, in either order."""
        for group in groups:
            for first, last in _PERSON_KEYS:
                if first in group and last in group:
                    one, two = str(group[first].value), str(group[last].value)
                    self._add(group[last], self._spelt(f"{two} {one}"))
                    self._add(group[last], self._spelt(f"{one} {two}"))
                    self._full_name(f"{one} {two}")

    def _words_of_name(self, leaf: Leaf) -> None:
        """Remember by which words of a name somebody may be called."""
        name = str(leaf.value)[:_LONGEST_NAME]
        words = _CAPITALISED.findall(name)
        if "@" in name:
            words = [
                one for one in _WORD.findall(name.partition("@")[0]) if len(one) > 2
            ]
        for word in words:
            folded = word.casefold()
            if len(word) > 1 and folded not in TITLES and folded not in COMMON:
                self._called.setdefault(folded, leaf)

    def _full_name(self, name: str) -> None:
        """Remember the first and the last word of a person's name."""
        # Degrees stand behind a comma: `Ada Berg, MD`.
        words = [
            one
            for one in name.partition(",")[0].split()
            if one.rstrip(".").casefold() not in TITLES
        ]
        if len(words) in {2, 3} and all(_CAPITALISED.fullmatch(one) for one in words):
            self._parts.setdefault(words[0].casefold(), ("first", name))
            self._parts.setdefault(words[-1].casefold(), ("last", name))

    def _map_keys(self) -> None:
        """Add the keys of what is a mapping by names: `{"economy": 120}`."""
        named: dict[str | int, str] = {
            key: name
            for key in self._run.records.named
            if _is_name_key(key)
            for name in (collapsed(key),)
            if name not in COMMON and len(name) > 2
        }
        for leaf in self._run.records.leaves if named else ():
            for part in leaf.path[-2:]:
                if part in named:
                    self._by_name.setdefault(named[part], []).append(leaf)

    def has(self, name: str) -> bool:
        """Whether the tools returned a name, in any spelling."""
        return collapsed(name) in self._by_name

    def is_new(self, text: str) -> bool:
        """Whether no word of a text stands in the run."""
        return self._run.words.isdisjoint(_WORD.findall(text.casefold()))

    def found_in(self, answer: str, taken: Spans) -> list[Name]:
        """Return the names that tools returned, the longest at each place."""
        words = [match.span() for match in _WORD.finditer(answer)]
        folded = [answer[start:end].casefold() for start, end in words]
        names: list[Name] = []
        place = 0
        while place < len(words):
            name = self._at(answer, words, folded, place, taken)
            if name is None:
                place += 1
                continue
            end = name.span[1]
            names.append(name)
            while place < len(words) and words[place][0] < end:
                place += 1
        return names

    def _at(
        self,
        answer: str,
        words: Sequence[Span],
        folded: Sequence[str],
        place: int,
        taken: Spans,
    ) -> Name | None:
        joined, best = "", None
        last = words[place][0]
        for position in range(place, min(place + self._longest + 1, len(words))):
            start, end = words[position]
            if position > place and not _BETWEEN.fullmatch(answer, last, start):
                break
            genitive = folded[position] == "s" and answer[last:start] in {"'", "’"}
            if genitive and joined + "s" not in self._by_name:
                break
            if taken.overlap((start, end)):
                break
            joined += folded[position]
            last = end
            leaves = self._by_name.get(joined)
            if leaves is None and not joined.isascii():
                leaves = self._by_name.get(plain(joined))
            if leaves is None and joined.endswith("s"):
                leaves = self._by_name.get(joined[:-1])
            if leaves is None and best is None and joined in self._inputs:
                best = Name((words[place][0], end), ValueKind.NAME)
            if leaves and not _is_word_like_code(
                answer, (words[place][0], end), leaves
            ):
                best = Name((words[place][0], end), _kind_of(leaves[0]), tuple(leaves))
        return best

    def parts_in(self, answer: str, spans: Spans) -> list[Name]:
        """Return persons who are called by one word of the name that tools returned."""
        if not self._called:
            return []
        names = []
        for match in _CALLED_SO.finditer(answer):
            word = match[1].removesuffix("'s").removesuffix("’s")
            leaf = self._called.get(word.casefold())
            span = (match.start(), match.start(1) + len(word))
            if leaf is not None and not spans.overlap(span):
                names.append(Name(span, ValueKind.NAME, (leaf,), is_part=True))
        return names

    def said_in(self, answer: str, spans: Spans) -> list[Name]:
        """Return what no tool returned and somebody else named: ways to pay, names."""
        names = [
            Name(match.span(), ValueKind.NAME)
            for match in PAYMENT.finditer(answer)
            if not spans.overlap(match.span()) and self.is_known(match.group())
        ]
        said = collapsed(self._run.interaction.task)
        for match in _PROPER.finditer(answer):
            free = not spans.overlap(match.span()) and "\n" not in match.group()
            if free and collapsed(match.group()) in said:
                names.append(Name(match.span(), ValueKind.NAME))
        return names

    def is_known(self, name: str) -> bool:
        """Whether the run has every word of a name, of one thing or of several."""
        words = self._run.words
        return all(
            word in words or word.rstrip("s") in words
            for word in _WORD.findall(name.casefold())
        )

    # What no tool returned.

    @cached_property
    def _keys(self) -> Mapping[tuple[str, ...], list[Leaf]]:
        keys: dict[tuple[str, ...], list[Leaf]] = {}
        for leaf in self._run.records.leaves:
            words = _stems(leaf.key)
            if words:
                keys.setdefault(words, []).append(leaf)
        return keys

    def unknown_in(
        self, answer: str, names: Sequence[Name], taken: Sequence[Span]
    ) -> Iterator[Name]:
        """Yield what is told to be a name and that no tool, user or policy has."""
        own = frozenset(_WORD.findall(answer)) - frozenset(
            match.group() for match in _CAPITALISED.finditer(answer)
        )
        known = Spans(one.span for one in names)
        yield from self._persons_unknown(answer, known, own)
        spans = Spans([*(name.span for name in names), *taken])
        yield from self._codes(answer, spans)
        yield from self._labelled(answer, spans)
        yield from self._states_beside(answer)
        yield from self._listed(answer, names, spans)
        yield from self._included(answer, names)
        yield from self._payments(answer, spans)
        yield from self._wrong_ways(answer)
        yield from self._apposed(answer, own)
        yield from self._rows(answer, spans)
        proper = list(self._proper(answer, spans, own))
        yield from proper
        # Names of records alone are known: one that only a call was given is not.
        taken = [*(name.span for name in names), *taken, *(one.span for one in proper)]
        for span in Strangers(self._run, answer, own).spans(taken):
            yield Name(span, ValueKind.NAME)

    def _persons_unknown(
        self, answer: str, names: Spans, own: frozenset[str]
    ) -> Iterator[Name]:
        """Yield `Sofia Muller` where the tools have another Muller and no Sofia."""
        if not self._parts:
            return
        for match in _CAPITALISED.finditer(answer):
            spelling = match.group().removesuffix("'s").removesuffix("’s")
            part = self._parts.get(spelling.casefold())
            if part is None:
                continue
            place = (match.start(), match.start() + len(spelling))
            span = _neighbour(answer, place, before=part[0] == "last")
            if span is not None and self._is_crossed(answer[slice(*span)], part):
                whole = (min(span[0], place[0]), max(span[1], place[1]))
                name = collapsed(answer[slice(*whole)])
                if name not in self._by_name and name not in self._texts:
                    yield Name(whole, ValueKind.NAME, near=part[1])
                    continue
            if span is None or self._is_plain(answer[slice(*span)], own):
                continue
            whole = (min(span[0], place[0]), max(span[1], place[1]))
            if not names.overlap(span):
                yield Name(whole, ValueKind.NAME, near=part[1])

    def _is_crossed(self, word: str, part: tuple[str, str]) -> bool:
        """Whether a word is a part of another person's name: `Ewan` of another Kerr."""
        other = self._parts.get(word.casefold())
        return other is not None and other[0] != part[0] and other[1] != part[1]

    @cached_property
    def _texts(self) -> str:
        """All that tools, user and policy say, without blanks and joints."""
        run = self._run.interaction
        texts = [run.task, run.system_instructions or ""]
        texts += [one.call.output for one in self._run.calls]
        return collapsed(" ".join(texts))

    def _is_plain(self, word: str, own: frozenset[str]) -> bool:
        """Whether a word is known to the run, or is no name by itself."""
        folded = word.casefold()
        return (
            folded in self._run.words
            or folded in TITLES
            or folded in own
            or word.isupper()
        )

    def _codes(self, answer: str, spans: Spans) -> Iterator[Name]:
        """Yield codes in capitals as the tools have others of: `BOS` beside `JFK`."""
        lengths: dict[int, set[str]] = {}
        for text in filter(_CODED.fullmatch, self._run.records.texts):
            lengths.setdefault(len(text), set()).add(text)
        yield from self._shaped_codes(answer, spans)
        if not lengths:
            return
        for match in _CODE.finditer(answer):
            code = match.group()
            alike = lengths.get(len(code), set())
            enough = 1 if len(code) >= _LONG_CODE else 2
            if len(alike) < enough or code in alike or code in ABBREVIATIONS:
                continue
            folded = code.casefold()
            known = folded in self._run.words or folded in EMPHASIS
            if known or spans.overlap(match.span()):
                continue
            yield Name(match.span(), ValueKind.NAME)

    def _shaped_codes(self, answer: str, spans: Spans) -> Iterator[Name]:
        """Yield `P3` where the tools have `P2`: the same letters, another number."""
        codes = filter(_SHORT_CODE.fullmatch, self._run.records.texts)
        shapes = {_shape(code): code for code in codes}
        if not shapes:
            return
        for match in _SHORT_CODE_SAID.finditer(answer):
            near = shapes.get(_shape(match.group()))
            known = match.group().casefold() in self._run.words
            if near and not known and not spans.overlap(match.span()):
                yield Name(match.span(), ValueKind.NAME, near=near)

    def _labelled(self, answer: str, spans: Spans) -> Iterator[Name]:
        """Yield `Colour: red` where records have a colour, and red nowhere."""
        for label in _LABEL.finditer(answer):
            words, leaves = self._of_label(label[1])
            exact = words in self._keys and all(map(_is_text_leaf, leaves[:20]))
            if not leaves or not (exact or all(map(_is_word_leaf, leaves[:20]))):
                continue
            value = _LABEL_VALUE.match(answer, label.end())
            if value is None:
                continue
            name = value[1].strip(" .*_-–—")
            start = value.start(1) + value[1].index(name) if name else 0
            span = (start, start + len(name))
            if not name or not _LETTER.search(name) or spans.overlap(span):
                continue
            tokens = _WORD.findall(name.casefold())
            if len(tokens) > 4:
                continue
            if any(one in self._run.words for one in tokens):
                near = self._half_known(name, leaves)
                near = near or (self._strange_in(name, leaves) if exact else "")
                if near:
                    yield Name(span, ValueKind.NAME, label=words, near=near)
                continue
            if all(_CODED.fullmatch(str(leaf.value)) for leaf in leaves):
                continue  # Codes may be told by the names of what they stand for.
            if any(one in COMMON or one in TITLES for one in tokens):
                continue
            yield Name(
                span, _kind_of(leaves[-1]), label=words, near=str(leaves[-1].value)
            )

    def _of_label(self, label: str) -> tuple[tuple[str, ...], list[Leaf]]:
        """Return the words of a label, and what records have in a field called so."""
        words = _stems(label.replace(" ", "_").replace("-", "_"))
        leaves = self._of_key(words)
        if not leaves and _TO_BE.search(label):
            leaves = self._above.get(words[:1], [])
        if not leaves:
            # Keys have no accents as a rule: "Técnico" is `tecnico`.
            words = tuple(map(plain, words))
            leaves = self._of_key(words)
        return words, leaves

    def _strange_in(self, name: str, leaves: Sequence[Leaf]) -> str:
        """Return what a field has instead of a text with a word of nobody's.

        `Street: Otter Street 45`, where the field has another street.
        """
        known = self._run.words | COMMON | TITLES | ORDINARY
        strange = any(
            one[:1].isupper() and one.isalpha() and one.casefold() not in known
            for one in _WORD.findall(name)
            if len(one) > _SHORTEST_STRANGE
        )
        strange = strange and collapsed(name) not in self._texts
        return str(leaves[-1].value) if strange else ""

    def _half_known(self, name: str, leaves: Sequence[Leaf]) -> str:
        """Return the name that a field has instead, of which a word is another.

        `Return: Lisbon Station`, where the field has the airport and no text has both.
        """
        words = name.split()
        proper = len(words) > 1 and all(one[:1].isupper() for one in words)
        own = set(_WORD.findall(name.casefold()))
        if not proper or collapsed(name) in self._texts:
            return ""
        texts = [str(leaf.value) for leaf in leaves]
        parts = [set(_WORD.findall(text.casefold())) for text in texts]
        if any(own <= one or one <= own for one in parts):
            return ""
        alike = zip(texts, parts, strict=True)
        return next((text for text, one in alike if own & one), "")

    @cached_property
    def _above(self) -> Mapping[tuple[str, ...], list[Leaf]]:
        """The texts of small objects by the key of each: `return: {"place": …}`.

        Of the objects of a list their names: `Item: Lamp` is one of the `items`.
        """
        above: dict[tuple[str, ...], list[Leaf]] = {}
        for leaf in self._run.records.leaves:
            path = leaf.path
            if (
                len(path) < 2
                or not _is_word_leaf(leaf)
                or _DIGIT.search(str(leaf.value))
            ):
                continue
            part = path[-2]
            if is_position(part) and len(path) > 2 and _is_name_key(leaf.key):
                part = path[-3]
            if isinstance(part, str):
                above.setdefault(_stems(part), []).append(leaf)
        return above

    def _of_key(self, words: tuple[str, ...]) -> list[Leaf]:
        exact = self._keys.get(words) or self._above.get(words)
        if exact or not words:
            return list(exact or ())
        return [
            leaf
            for key, leaves in self._keys.items()
            if key[-1] == words[-1] or (len(words) == 1 and key[0] == words[0])
            for leaf in leaves
        ]

    @cached_property
    def states(self) -> Sequence[Leaf]:
        """The states that tools returned, of things with an id and without."""
        return [
            leaf
            for leaf in self._run.records.leaves
            if isinstance(leaf.value, str) and _kind_of(leaf) is ValueKind.STATUS
        ]

    def _states_beside(self, answer: str) -> Iterator[Name]:
        """Yield a state that stands alone beside an id whose record has another one."""
        own: dict[str, set[str]] = {}
        for leaf in self.states:
            for record in leaf.record.chain() if leaf.record else ():
                name = collapsed(str(leaf.value))
                words = own.setdefault(record.id.casefold(), set())
                others = self._run.pairs.others(str(leaf.value))
                words |= {name, *STATUS_WORDS.get(name, ()), *map(collapsed, others)}
        for match in STATE_ALONE.finditer(answer) if own else ():
            line = answer[answer.rfind("\n", 0, match.start()) + 1 : match.start()]
            ids = {one.strip("#").casefold() for one in _ID.findall(line)}
            ids |= {f"#{one}" for one in ids}
            known = [own[one] for one in ids if one in own]
            state = collapsed(match[1])
            if len(known) == 1 and state not in known[0]:
                yield Name(match.span(1), ValueKind.STATUS, near=min(known[0]))

    def _listed(
        self, answer: str, names: Sequence[Name], spans: Spans
    ) -> Iterator[Name]:
        """Yield what stands in a list of options that the tools have, but for it."""
        starts = {one.span[0]: one.span for one in names if one.leaves}
        for brackets in _OPTIONS.finditer(answer):
            parts = list(_OPTION.finditer(answer, *brackets.span(1)))
            known = [
                part
                for part in parts
                if starts.get(part.start(1)) == part.span(1)
                or spans.overlap(part.span(1))
            ]
            if not known or len(known) * 2 < len(parts) or len(parts) < _FEWEST_OPTIONS:
                continue
            for part in parts:
                words = _WORD.findall(part[1].casefold())
                if (
                    part not in known
                    and 0 < len(words) < _MOST_OPTION_WORDS
                    and not any(one in self._run.words for one in words)
                    and COMMON.isdisjoint(words)
                ):
                    yield Name(part.span(1), ValueKind.NAME)

    def _included(self, answer: str, names: Sequence[Name]) -> Iterator[Name]:
        """Yield what a sentence tells beside a known thing as a part of the same.

        `The parcel includes a tin cup along with a lantern`, which no tool returned.
        """
        if not (self._run.calls and _INCLUDES.search(answer)):
            return
        for name in names:
            if not name.leaves or _kind_of(name.leaves[0]) is not ValueKind.NAME:
                continue
            start = max(0, name.span[0] - _LONGEST_NAME)
            for match in (
                _WITH_IT.match(answer, name.span[1]),
                _BEFORE_IT.search(answer, start, name.span[0]),
            ):
                if (
                    match is not None
                    and _INCLUDES.search(answer, start, match.end())
                    and self.is_new(match[1])
                    and COMMON.isdisjoint(match[1].casefold().split())
                ):
                    yield Name(match.span(1), ValueKind.NAME)

    def _proper(self, answer: str, spans: Spans, own: frozenset[str]) -> Iterator[Name]:
        """Yield names of two words or more, amid a sentence, that nobody has named."""
        if not self._run.calls or len(own & GERMAN) > 1:
            return  # In German every noun has a capital.
        for match in _PROPER.finditer(answer):
            start, end = match.span()
            before = _LAST_WORD.search(answer, max(0, start - 24), start)
            if before is None or before[1].casefold() in _OWNERS:
                continue
            words = _WORD.findall(match.group())
            if spans.overlap((start, end)) or self._stands_for(
                words, answer[end : end + 12], answer[:start].rpartition("\n")[2]
            ):
                continue
            unknown = [word for word in words if not self._is_plain(word, own)]
            # `The Return Policy` may be called so by what it is.
            plain = before[1].casefold() in _ARTICLES and not self._ends_name(words[-1])
            least = len(words) if plain else len(words) / 2
            if unknown and len(unknown) >= least and len(unknown[0]) > 2:
                yield Name(match.span(), ValueKind.NAME)

    def _ends_name(self, word: str) -> bool:
        """Whether a name of the run ends with a word, as `Ferry Hall` does."""
        return word.casefold() in self._last_words

    @cached_property
    def _last_words(self) -> frozenset[str]:
        """The words that end names of two words or more with capitals."""
        return frozenset(
            words[-1]
            for text, words in self._run.records.short_texts.items()
            if len(words) > 1 and _TITLE.fullmatch(text)
        )

    def _stands_for(self, words: Sequence[str], behind: str, before: str) -> bool:
        """Whether a name is a label, or that of a code: `Los Angeles (LAX)`, `SF`."""
        initials = "".join(word[0] for word in words).casefold()
        label = behind[:1] == ":" and len(before.split()) <= _MOST_LABEL_WORDS
        return label or bool(initials in self._run.words or _CODE_BEHIND.match(behind))

    def _payments(self, answer: str, spans: Spans) -> Iterator[Name]:
        """Yield ways to pay that nobody in the run has named."""
        for match in PAYMENT.finditer(answer):
            known = self.is_known(match.group()) or self.has(match.group())
            known = known or is_of_any(answer, match.start())
            if not known and not spans.overlap(match.span()) and self._has_method():
                yield Name(match.span(), ValueKind.NAME)

    def _wrong_ways(self, answer: str) -> Iterator[Name]:
        """Yield ways to pay that are not those of the last digits behind them."""
        for match in _WAY_ENDING.finditer(answer):
            said = collapsed(match[1])
            shown = self._ways_by_end.get(match[2])
            if not shown or any(said in one or one in said for one in shown):
                continue
            word = match[1].casefold()
            known = self.is_known(word) or word in TITLES or word in ORDINARY
            # Its make and its kind may both be told, and exclude others of theirs.
            kinds = (kind for kind in _WAYS if said in kind)
            if not known or any(not kind.isdisjoint(shown) for kind in kinds):
                yield Name(match.span(1), ValueKind.NAME, near=min(shown))

    @cached_property
    def _ways_by_end(self) -> Mapping[str, frozenset[str]]:
        """The ways to pay of each object that has the last digits of one."""
        ends: dict[tuple[int, Path], str] = {}
        texts: dict[tuple[int, Path], set[str]] = {}
        for leaf in self._run.records.leaves:
            text = str(leaf.value)
            place = (leaf.call, leaf.path[:-1])
            if len(text) == _LAST_DIGITS and text.isdecimal():
                ends[place] = text
            else:
                ways = map(collapsed, PAYMENT.findall(text.replace("_", " ")))
                texts.setdefault(place, set()).update(ways)
        by_end: dict[str, set[str]] = {}
        for place, end in ends.items():
            by_end.setdefault(end, set()).update(texts.get(place, ()))
        return {
            end: frozenset(_SAME_WAY.get(one, one) for one in ways)
            for end, ways in by_end.items()
        }

    def _apposed(self, answer: str, own: frozenset[str]) -> Iterator[Name]:
        """Yield what an id is said to be, and nobody has: `W-7 (Phone Case)`.

        The id may stand behind as well: `Phone Case (Item ID: W-7)`.
        """
        by_id = self._run.records.by_id
        apposed = ((one, one[1], 2) for one in _APPOSED.finditer(answer))
        before = ((one, one[2], 1) for one in _APPOSED_BEFORE.finditer(answer))
        for match, given, place in (*apposed, *before):
            names = {given.casefold(), f"#{given.casefold()}"} & by_id.keys()
            if not names or names.isdisjoint(self._titled):
                continue
            words = _WORD.findall(match[place])
            unknown = [one for one in words if not self._is_plain(one, own)]
            coded = any(_is_coded(one, self._run.words) for one in words)
            if coded or len(unknown) * 2 >= len(words):
                yield Name(match.span(place), ValueKind.NAME)

    @cached_property
    def _titled(self) -> frozenset[str]:
        """The ids of records in which something is called by words with capitals.

        What has no such name may be told in other words: a ticket by its trouble.
        """
        return frozenset(
            name
            for leaf in self._run.records.leaves
            if isinstance(leaf.value, str) and _TITLE.fullmatch(leaf.value)
            if not any(map(_is_of_person, leaf.path[-2:]))
            for name in leaf.ids_around
        )

    def _rows(self, answer: str, spans: Spans) -> Iterator[Name]:
        """Yield what stands in list items where others have what tools returned.

        `- May 4 – Alder: $9` beside items that have known names at the same place.
        """
        lists: list[list[list[Span]]] = []
        end = -2
        for line in _BULLET.finditer(answer):
            if line.start() != end + 1:
                lists.append([])
            end = line.end()
            lists[-1].append(list(_cells(answer, *line.span(1))))
        for rows in lists:
            yield from self._column(answer, rows, spans)

    def _column(
        self, answer: str, rows: Sequence[Sequence[Span]], spans: Spans
    ) -> Iterator[Name]:
        width = min(map(len, rows), default=0)
        if len(rows) < _FEWEST_ROWS or not 1 < width <= _MOST_CELLS:
            return
        for place in range(width):
            cells = [row[place] for row in rows]
            names = [one for one in cells if not _DIGIT.search(answer, *one)]
            known = [one for one in names if spans.overlap(one)]
            if len(names) < len(cells) or len(known) < _FEWEST_OPTIONS:
                continue
            for start, end in names:
                words = _WORD.findall(answer[start:end])
                if (
                    (start, end) not in known
                    and 0 < len(words) < _MOST_OPTION_WORDS
                    and all(one[:1].isupper() for one in words)
                    and not any(one.casefold() in self._run.words for one in words)
                ):
                    yield Name((start, end), ValueKind.NAME)

    def _has_method(self) -> bool:
        """Whether tools or the policy name a way to pay, so that another is wrong."""
        policy = self._run.interaction.system_instructions or ""
        return any(PAYMENT_CODE.search(name) for name in self._by_name) or bool(
            PAYMENT.search(policy)
        )


# What is scheduled to happen is no state.
_MEANINGS = tuple(map(word_set, STATE_MEANINGS.strip().splitlines()))
# States of what is active or is not.
_IN_FORCE = word_set(
    """
    active inactive suspended blocked frozen locked disabled deactivated terminated
    closed expired lapsed open paused
    """
)
PAYMENT_CODE = re.compile(
    r"creditcard|debitcard|giftcard|paypal|visa|mastercard|certificate|voucher"
    r"|bankaccount|applepay|googlepay|klarna|banktransfer"
)


def is_in_force(state: str, states: Sequence[Leaf]) -> bool:
    """Whether `active` just says that nothing was cancelled."""
    return state == "active" and all(
        _IN_FORCE.isdisjoint(_WORD.findall(str(leaf.value).casefold()))
        for leaf in states
    )


def means_alike(state: str, states: Sequence[Leaf]) -> bool:
    """Whether a state may be one of those of leaves, said in other words."""
    said = set(_WORD.findall(state))
    shown = {
        word
        for leaf in states
        for word in _WORD.findall(str(leaf.value).casefold().replace("_", " "))
    }
    return any(
        not (said.isdisjoint(words) or shown.isdisjoint(words)) for words in _MEANINGS
    )


_LAST_DIGITS = 4
_WAY_ENDING = re.compile(
    r"(?<!\w)([A-Z][a-z]{3,12}|(?i:credit card|debit card|gift card|american express"
    r"|visa|amex))(?: (?:debit |credit )?card)?[*_]{0,2}[ ]"
    r"(?:\(?(?:ending|ends) (?:in|with) |[•*]{2,16} ?)[*_]{0,2}(\d{4})(?!\d)"
)
# Ways to pay that exclude each other: by kind, and by make.
_WAYS = (
    frozenset({"creditcard", "debitcard", "giftcard"}),
    frozenset({"visa", "mastercard", "amex", "discover"}),
)
_SAME_WAY = {"americanexpress": "amex"}
# An id, and in brackets or behind a dash what it is of.
_APPOSED = re.compile(
    r"#?([A-Z]{1,5}[-#]?[\w-]{2,24})[*_]{0,3}[ ](?:\(|[–—-][ ])[*_]{0,3}"
    r"([A-Z][\w'’&-]{1,24}(?:[ ][A-Z0-9][\w'’&-]{0,24}){1,4})[*_]{0,3}"
    r"(?=[,);:\n]|[ ][–—-])"
)
_APPOSED_BEFORE = re.compile(
    r"(?:^|[\n:.)][*_ \t]{1,6}|[-–—•*][ ]|(?<=[a-z] ))[*_]{0,3}"
    r"([A-Z][\w'’&-]{1,24}(?:[ ][A-Z0-9][\w'’&-]{0,24}){0,4})[*_]{0,3}[ ]"
    r"\((?:[A-Za-z]{2,12}[ ]){0,2}(?:ID|Id|id|No\.?|number|#):?[ ]?[*_`]{0,3}"
    r"#?(\w[\w-]{2,24})"
)
_TO_BE = re.compile(
    r"(?i)\w (?:to (?:be )?|for |being |return|exchang|cancel|refund)\w"
)
_TITLE = re.compile(r"[A-Z][\w'’&-]{1,24}(?:[ ][A-Z0-9][\w'’&-]{0,24}){1,4}")
_BULLET = re.compile(r"^[ \t]*(?:[-*•]|\d{1,2}[.)])[ ]+([^\n]{3,200})", re.MULTILINE)
_CELL_END = re.compile(r"[*_]{0,3}(?:[ ][–—-][ ]|:[ ]|,[ ]|[ ]\|[ ]|[ ]\()")
_FEWEST_ROWS, _MOST_CELLS = 3, 6


def _is_of_person(part: str | int) -> bool:
    return isinstance(part, str) and not (_PERSON - {"name"}).isdisjoint(
        key_words(part)
    )


def _cells(answer: str, start: int, end: int) -> Iterator[Span]:
    """Yield the parts of a list item, as dashes, colons and commas part them."""
    for match in [*_CELL_END.finditer(answer, start, end), None]:
        stop = match.start() if match else end
        inner = answer[start:stop].strip(" *_")
        begin = start + answer[start:stop].find(inner)
        yield begin, begin + len(inner)
        start = match.end() if match else end


def _is_coded(word: str, known: frozenset[str]) -> bool:
    """Whether a word has digits and letters, and nobody has said it."""
    mixed = _DIGIT.search(word) and _CAPITAL.search(word)
    return bool(mixed) and word.casefold() not in known


def _shape(code: str) -> str:
    """Return a code with its digits masked; of one in parts its letters too."""
    masked = _DIGIT.sub("0", code)
    return _CAPITAL.sub("A", masked) if "-" in code and "0" in masked else masked


def _is_word_like_code(answer: str, span: Span, leaves: Sequence[Leaf]) -> bool:
    """Whether a code is here a word, or the first one of a name: `LAS`, `Las Vegas`.

    `was` is neither Washington nor several of it.
    """
    word = answer[slice(*span)]
    if len(word) > _CODE_LENGTH or not all(
        str(leaf.value).isupper() for leaf in leaves
    ):
        return False
    return word.islower() or (
        len(word) == _CODE_LENGTH
        and word.istitle()
        and _NAME_GOES_ON.match(answer, span[1]) is not None
    )


# As of airports and currencies.
_CODE_LENGTH = 3
_NAME_GOES_ON = re.compile(r" [A-Z][a-z]")


def _kind_of(leaf: Leaf) -> ValueKind:
    holds_state, kind = _kind_of_key(leaf.key)
    return ValueKind.STATUS if holds_state and leaf.value not in STATE_CODES else kind


@lru_cache(maxsize=2048)
def _kind_of_key(key: str) -> tuple[bool, ValueKind]:
    """Return whether a key may hold a state, and what it holds if it does not."""
    words = key_words(key)
    address = any(word.startswith("address") or word == "street" for word in words)
    kind = ValueKind.ADDRESS if address else ValueKind.NAME
    return bool(words) and words[-1] in {"status", "state"}, kind


@lru_cache(maxsize=2048)
def _stems(key: str) -> tuple[str, ...]:
    """Return the words of a key without the `s` of several."""
    return tuple(map(_stem, key_words(key)))


@lru_cache(maxsize=2048)
def _words_of_person(key: str) -> tuple[str, ...]:
    """Return the words of a key that holds a person's name or a part of it, or none."""
    words = key_words(key)
    return () if _OF_PERSONS.isdisjoint(words) else words


def _is_name_key(part: str) -> bool:
    return len(part) <= 60 and _LETTER.search(part) is not None


def _is_text_leaf(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and _LETTER.search(leaf.value) is not None


def _is_word_leaf(leaf: Leaf) -> bool:
    return isinstance(leaf.value, str) and len(leaf.value) <= 60


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _neighbour(answer: str, span: Span, *, before: bool) -> Span | None:
    """Return the capitalised word right before or behind a name."""
    if before:
        end = span[0] - 1
        if end < 1 or answer[end] != " ":
            return None
        start = end
        while start > 0 and (answer[start - 1].isalpha() or answer[start - 1] in "'’-"):
            start -= 1
        nearest = (start, end)
    else:
        if answer[span[1] : span[1] + 1] != " ":
            return None
        match = _CAPITALISED.match(answer, span[1] + 1)
        if match is None:
            return None
        nearest = match.span()
    word = answer[slice(*nearest)]
    return nearest if len(word) > 1 and _CAPITALISED.fullmatch(word) else None

"""Whether a value belongs to the thing that the answer speaks of, as it is now.

The thing is the record whose id or name stands in the clause of the value, in front of
it in its sentence or line, or in the nearest line above that is less indented. A value
that the tools show only of another record, while this one has another value in the same
field, is beside the wrong thing; one that a later write took away is replaced.
"""

import itertools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Mapping, Sequence

from verifyhub.engine.calls.deed_words import (
    VERBS,
    RecordDeed,
    deeds_of,
    stem,
    words_of,
)
from verifyhub.engine.calls.tools import only_looks
from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span
from verifyhub.engine.value_results import (
    ValueEvidence,
    ValueKind,
    ValueNote,
    ValueStatus,
)
from verifyhub.engine.values.changes import Changes
from verifyhub.engine.values.choices import Choices
from verifyhub.engine.values.evidence import Origin, Place, RunValues
from verifyhub.engine.values.kind_words import STATE_CODES
from verifyhub.engine.values.records import (
    Leaf,
    ListShown,
    Path,
    Record,
    field_of,
    is_name_key,
    is_position,
    key_words,
)
from verifyhub.engine.values.ruling import Ruling
from verifyhub.engine.values.siblings import is_word_spoken
from verifyhub.engine.values.value import Value, number_form

_WORD = re.compile(r"[^\W_]+")
_LINES_UP = 8
# How far in front of a value words speak of it: within its line, and above it.
_NEAR, _FAR = 60, 600
_SHORTEST_ID = 3
_LONGEST_LABEL = 80
# A count that is not met by chance.
_MANY = 10
_ITEM = re.compile(r"^[ \t]{0,3}(?:[-*•]|\d{1,2}[.)])[ ]", re.MULTILINE)
# Kinds that a record has in fields, so that another record's is wrong.
_OWNED = frozenset(
    {
        ValueKind.MONEY, ValueKind.DATE, ValueKind.TIME, ValueKind.IDENTIFIER,
        ValueKind.PHONE, ValueKind.EMAIL, ValueKind.PERCENT, ValueKind.NUMBER,
        ValueKind.DURATION,
    }
)  # fmt: skip
# What is told of the past, or of what is no more.
_FORMER = re.compile(
    r"(?<!\w)(?:previous(?:ly)?|old|former(?:ly)?|origin\w{0,5}|earlier|before"
    r"|instead of|replac\w{1,4}|remov\w{1,4}|cancel\w{0,7}|no longer|was|were|had"
    r"|from|current(?:ly)?|existing|initial\w{0,2}|return\w{0,3}|прежн\w{0,4}|был\w?|раньше|вместо"
    r"|until\b[^.\n]{1,40}\bkeep|précédent\w?|ancien\w{0,3}|anterior\w{0,4}|vorherig\w{0,2}|bisherig\w{0,2})(?!\w)",
    re.IGNORECASE,
)
# Behind these nothing is told of the past.
_NOW = re.compile(
    r"(?<!\w)(?:now|remains?|stays?|is still|jetzt|maintenant|ahora|теперь"
    r"|was (?:updated|changed|modified)|(?:was|were) [a-z]{2,20}ed to)"
    r"(?!\w)",
    re.IGNORECASE,
)
# Right before a value: that it was there before, or is there since.
_SAYS_OLD = re.compile(
    r"(?<!\w)(?:previous(?:ly)?|old|former(?:ly)?|original(?:ly)?|before|bisherig\w{0,2}"
    r"|alte[rs]?|vorher\w{0,4}|ancien\w{0,3}|avant|anterior\w{0,4}|antes|прежн\w{2,3}"
    r"|стар\w{2}|было)[^\n.:|,]{0,24}:[*_ ]{0,5}$",
    re.IGNORECASE,
)
_SAYS_NEW = re.compile(
    r"(?<!\w)(?:new|now|after|updated|neue?[rsnm]?|jetzt|nachher|nouve\w{1,5}|après"
    r"|nuev\w{1,2}|después|нов\w{2,3}|стало)[^\n.:|,]{0,24}:[*_ ]{0,5}$"
    r"|(?<!\w)from [^\n.]{1,60} to [*_\"“]{0,3}$",
    re.IGNORECASE,
)
_FROM = re.compile(r"(?<!\w)(?:from|von|de|с)[ ][*_\"“]{0,3}$", re.IGNORECASE)
_TO = re.compile(r"[*_\"”]{0,3}[ ](?:to|auf|zu|à|a|на)[ ]", re.IGNORECASE)
_STANDS = re.compile(r"(?<!\w)(?:is|are)(?!\w)")
# Behind it stands what a value was changed to.
_ARROW = re.compile(r"→|➜|⇒|[-=]>")
_BECAME = re.compile(rf"[*_`\s]{{0,4}}(?:{_ARROW.pattern})")
# What was changed for something else, which is named behind it.
_INTO = r"(?:for|with|to|into|by|gegen|durch|contre|par|por|на)"
_GIVEN = re.compile(
    r"(?<!\w)(?:swap|exchang|replac|trad|switch|chang|upgrad|downgrad|mov|tausch"
    r"|getauscht|umgetauscht|ersetz|échang|remplac|cambi|reemplaz|замен|обмен|помен)"
    rf"\w{{0,6}}(?:[ ](?!{_INTO}[ ])[\w'’-]{{1,20}}){{0,5}}[ ][*_\"“]{{0,3}}$",
    re.IGNORECASE,
)
_TAKEN = re.compile(rf"[ ]{_INTO}[ ]", re.IGNORECASE)
_PARTICIPLE = re.compile(r"(?<![\w-])[a-z]{2,20}ed(?!\w)", re.IGNORECASE)
_CHANGES = frozenset({RecordDeed.CHANGE, RecordDeed.EXCHANGE})
_REMAINS = re.compile(
    r"(?<!\w)(?:remains?|stays?|is still|bleibt|reste|sigue|остаётся)(?!\w)",
    re.IGNORECASE,
)
# Words of what was done, beside the verbs of a change, which end in "ed".
_DONE = re.compile(
    r"(?<!\w)(?:new|now|successfully|перенес\w{1,4}|сдвин\w{1,5}|verschoben|verlegt"
    r"|geändert|déplac\w{1,3}|report\w{1,2}|movid\w|cambiad\w|trasladad\w|reprogramad\w|обновл\w{1,6}|измен\w{1,6}|nouve\w{1,5}|neue?\w?|aktualisiert"
    r"|nuev\w{1,2}|actualizad\w{1,2})(?!\w)",
    re.IGNORECASE,
)
# Said in front of a number of what there is in all, and not of a part of it.
_IN_ALL = re.compile(
    r"(?<!\w)(?:there(?: (?:are|is|was|were)|['’]s)|includes?|included|only|all|both"
    r"|has|have|had|discovered|shows?|found|find|located|retrieved|see|got(?: you)?"
    r"|total of|in total"
    r"|consists? of|contains?|made for|booked for|всего|есть|enthält|es gibt|il y a"
    r"|hay|incluye|contient)"
    r"(?: (?:only|a total of|currently(?: set)?|just|the|all|for you))?$"
    r"|(?<!\w)(?:you|i) set$",
    re.IGNORECASE,
)


# In front of what is counted: it tells nothing that some of it lacks.
_ANY_OF_THEM = word_set("possible available matching suitable different")
# Behind a number: what is counted, and nothing that it depends on.
_WHOLE_LIST = re.compile(
    r"(?:,|[ ]set up)[ ]?(?:$|[,.;]|[ ]?(?:there[’']s )?one(?!\w)|[ ]?do you)"
    rf"|(?:[ ](?:{'|'.join(sorted(_ANY_OF_THEM))}))?[ ][^\W\d_]{{3,20}}"
    r"(?:[ ](?:available|for you|as per|according to|you (?:might|may)"
    r"|that (?:match|meet|fit|might|may)"
    r"|in (?:this|the|your|that)"
    r"|on (?:this|the|your|that))(?!\w)|[ ]?[.,;!]|[ ]?$)"
)
_LISTED = re.compile(
    r"(?<!\w)(?:there(?: (?:are|were)|['’]s)"
    r"|(?:i|we|you)(?: have| currently|['’]ve)? "
    r"(?:found|got|have|located|retrieved|discovered|see|set))"
    r"(?: for you| currently set)? $",
    re.IGNORECASE,
)
_SHORTEST_NAMED = 3
# Behind what is counted: no part of its name.
_BEHIND_NOUN = word_set(
    """
    for available that in on from with matching to at which and is are of you as up
    """
)
# Behind what is counted: only some of it is meant.
_PART_OF = word_set(
    """
    with for that who which where whose matching without between from at to near
    before after
    """
)


# Where a sentence ends within its line, but for titles and other short words.
_SENTENCE_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bNo)(?<!\bSt)(?<!\b[A-Z])(?<!\d)"
    r"[.!?][*_)\"”»]{0,3}[ ]+(?=[*_(\"“«¿¡#]{0,3}[A-ZÀ-ÞА-Я\d])"
    r"|(?<=\d)[.!?][ ]+(?=[*_]{0,2}[A-ZÀ-ÞА-Я][\w'’-]*[*_]{0,2}[ ])"
)
_CLAUSE = re.compile(
    r"[,;:][ ]|[ ][-–—][ ]|[)][ ](?=[+&/])"
    r"|[ ](?:and|while|but|whereas|und|et|y|и|а|но|während|mais|pero)[ ]"
)
# What there still is of a list is less than the list was.
_IS_LEFT = re.compile(
    r"(?<!\w)(?:still|remaining|left|now|noch|toujours|encore|ещё|остал\w{1,4}|todavía)"
    r"(?!\w)",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r"respective|соответственно|beziehungsweise", re.IGNORECASE)
_DIGITS = re.compile(r"\d")
# A text that is a number: "$45.00", "1 200 kWh", and no "ST-40".
_AMOUNT = re.compile(r"[^\w\s]{0,2}(?:[A-Z]{3} )?\d[\d.,' ]*[^\W\d]{0,12}\W?")
# A sentence that begins so speaks of another thing than the one before, or of several.
_OTHER = re.compile(
    r"(?<!\w)(?:other|another|second|third|next|all|both|each|together|total|altogether"
    r"|one|ones|combined|sum|autre|andere\w?|otr[oa]s?|ensemble|zusammen|insgesamt|всего"
    r"|друг\w{2,3}|втор\w{2,3}|вместе|les deux|beide\w?|amb[oa]s|also"
    r"|alternativ\w{1,4})(?!\w)",
    re.IGNORECASE,
)

# What a sentence says of one that was not acted on.
_ALSO = re.compile(
    r"(?<!\w)(?:other\w{0,4}|another|alternativ\w{1,4}|options?|available|still|remain\w{0,4}"
    r"|next|second|third|also|instead|rather|than|compar\w{1,4}|cheap\w{0,3}|keep|kept|unaffected"
    r"|unchanged|each|both|all|or|either|between|range\w{0,2}|if|upcoming|later|up to"
    r"|starting"
    r"|autre\w?|noch|andere\w?|otr[oa]s?|encore|weitere\w?|ещё|друг\w{2,3}|oder|или|ou)(?!\w)|[?]",
    re.IGNORECASE,
)


class Things:
    """The records that an answer speaks of, by their places in it.

    Args:
        run: The run.
        answer: The answer.
        values: The values of the answer.
    """

    def __init__(self, run: RunValues, answer: str, values: Sequence[Value]) -> None:
        self._run = run
        self._values = values
        self._answer = answer
        self._left_out: set[str] = set()
        self._at: dict[Span, frozenset[str]] = {}
        self._starts = [0] + [match.end() for match in re.finditer(r"\n", answer)]

    # Which thing a place of the answer speaks of.

    @cached_property
    def _ids_by_line(self) -> Mapping[int, Sequence[tuple[Span, str]]]:
        """The ids of records in each line of the answer."""
        by_line: dict[int, list[tuple[Span, str]]] = {}
        folded = self._answer.casefold()
        if len(folded) != len(self._answer):
            folded = self._answer.lower()
        records = self._run.records
        called = {**{one: one for one in records.by_id}, **records.called}
        for spelling, name in called.items():
            if (len(spelling) < _SHORTEST_ID and not spelling.isalpha()) or (
                spelling.isdecimal() and len(spelling) < 4
            ):
                continue
            start = folded.find(spelling)
            while start >= 0:
                end = start + len(spelling)
                # `two Desk Lamps` are Desk Lamps.
                end += folded[end : end + 1] == "s" and spelling[-1].isalpha()
                short = end - start < _SHORTEST_ID
                if short and not self._answer[start:end].isupper():
                    start = folded.find(spelling, end)
                    continue
                if _stands_alone(folded, start, end):
                    by_line.setdefault(self._line(start), []).append(
                        ((start, end), name)
                    )
                start = folded.find(spelling, end)
        return by_line

    @property
    def named(self) -> frozenset[str]:
        """The folded ids of the records that the answer names."""
        return frozenset(name for ids in self._ids_by_line.values() for _, name in ids)

    def named_in(self, start: int, end: int) -> list[tuple[Span, str]]:
        """Return the places and folded ids of the things named between two places."""
        lines = range(self._line(start), self._line(max(start, end - 1)) + 1)
        return [
            one
            for line in lines
            for one in self._ids_by_line.get(line, ())
            if start <= one[0][0] and one[0][1] <= end
        ]

    def _line(self, place: int) -> int:
        return bisect_right(self._starts, place) - 1

    def _text_of(self, line: int) -> str:
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else None
        return self._answer[start:end]

    def leave_out(self, name: str) -> None:
        """Let an id that is wrong itself name nothing."""
        self._left_out.add(name.strip("#").casefold())
        self._at.clear()

    def before(self, span: Span, most: int) -> list[str]:
        """Return the folded ids of the things named before a place, nearest first."""
        places = [
            one
            for line in range(self._line(span[0]), -1, -1)
            for one in sorted(self._ids_by_line.get(line, ()), reverse=True)
            if one[0][1] <= span[0]
        ]
        return list(dict.fromkeys(name for _, name in places))[:most]

    def at(self, span: Span) -> frozenset[str]:
        """Return the folded ids of the records that a place speaks of."""
        if span not in self._at:
            self._at[span] = self._ids_at(span)
        return self._at[span]

    def _ids_at(self, span: Span) -> frozenset[str]:
        line = self._line(span[0])
        here = [one for one in self._ids_by_line.get(line, ()) if one[0] != span]
        if here:
            return self._of_sentence(span, here) - self._left_out
        least = _indent(self._text_of(line))
        for above in range(line - 1, max(-1, line - 1 - _LINES_UP), -1):
            text = self._text_of(above)
            if not text.strip():
                return frozenset()
            indent = _indent(text)
            if indent >= least:
                continue
            least = indent
            ids = self._ids_by_line.get(above)
            if ids:
                return frozenset(name for _, name in ids) - self._left_out
        return frozenset()

    def _of_sentence(
        self, span: Span, here: Sequence[tuple[Span, str]]
    ) -> frozenset[str]:
        """Return which of the things of a line its sentence speaks of."""
        start, end = self.sentence(span)
        own = [one for one in here if start <= one[0][0] and one[0][1] <= end]
        own = self._ids_alone(own)
        if not own:
            sentence = self._answer[start:end].casefold()
            if _OTHER.search(self._answer, start, end) or any(
                one in sentence for one in self._left_out
            ):
                return frozenset()
            before = [one for one in here if one[0][1] <= start]
            if not before:
                return frozenset()
            start, end = self.sentence(max(before)[0])
            return frozenset(name for place, name in before if place[0] >= start)
        return frozenset(name for _, name in own)

    def sentence(self, span: Span) -> Span:
        """Return the sentence of a place, within its line."""
        line = self._line(span[0])
        start = self._starts[line]
        end = start + len(self._text_of(line))
        begins = bisect_right(self._sentence_ends, span[0])
        if begins:
            start = max(start, self._sentence_ends[begins - 1])
        ends = bisect_left(self._sentence_ends, span[1])
        if ends < len(self._sentence_ends):
            end = min(end, self._sentence_ends[ends])
        return start, end

    @cached_property
    def _sentence_ends(self) -> list[int]:
        return [match.end() for match in _SENTENCE_END.finditer(self._answer)]

    def _clauses(self, start: int, end: int) -> list[int]:
        """Return where clauses of a sentence begin, and its end."""
        first = bisect_right(self._clause_starts, start)
        last = bisect_left(self._clause_starts, end)
        return [start, *self._clause_starts[first:last], end]

    def clause(self, span: Span) -> Span:
        """Return the clause of a place, within its sentence."""
        cuts = self._clauses(*self.sentence(span))
        place = bisect_right(cuts, span[0])
        return cuts[place - 1], cuts[min(place, len(cuts) - 1)]

    @cached_property
    def _clause_starts(self) -> list[int]:
        return [match.end() for match in _CLAUSE.finditer(self._answer)]

    def _ids_alone(self, here: Sequence[tuple[Span, str]]) -> list[tuple[Span, str]]:
        """Return the things of a sentence; those with an id or name alone, if any are.

        What a record is told by beside these may be a field of another one.
        """
        records = self._run.records
        good = [
            one
            for one in here
            if one[1] in records.by_id
            and self._answer[slice(*one[0])].casefold() not in records.told_by
        ]
        return good or list(here)

    def sibling(self, span: Span) -> str:
        """Return the folded id of the one thing that a clause speaks of, if it does.

        Of things named one after the other in a sentence: that of the clause, else the
        last one in front, where the sentence begins with a thing and not with a value.
        """
        line = self._line(span[0])
        start, end = self.sentence(span)
        ids = sorted(
            one
            for one in self._ids_by_line.get(line, ())
            if start <= one[0][0] and one[0][1] <= end and one[0] != span
        )
        ids = self._ids_alone(ids)
        if len({name for _, name in ids}) < 2:
            return ""
        cuts = self._clauses(start, end)
        place = bisect_right(cuts, span[0])
        left, right = cuts[place - 1], cuts[min(place, len(cuts) - 1)]
        own = {name for one, name in ids if left <= one[0] < right}
        if len(own) > 1 or self._are_together(ids, own):
            return ""
        if own:
            return own.pop()
        if _DIGITS.search(self._answer, start, ids[0][0][0]):
            return ""
        before = [one for one in ids if one[0][1] <= span[0]]
        if not before or _RESPECTIVELY.search(self._answer, start, end):
            return ""
        if _ARROW.search(self._answer, before[-1][0][1], span[0]):
            return ""  # What it became has its own id, if any.
        last = bisect_right(cuts, before[-1][0][0])
        around = {
            name
            for one, name in ids
            if cuts[last - 1] <= one[0] < cuts[min(last, len(cuts) - 1)]
        }
        if len(around) > 1 or self._are_together(ids, around):
            return ""
        return before[-1][1]

    def _are_together(
        self, ids: Sequence[tuple[Span, str]], own: frozenset[str] | set[str]
    ) -> bool:
        """Whether a thing is named right behind another, with no value between."""
        for (one, name), (two, other) in itertools.pairwise(ids):
            if own.isdisjoint({name, other}) or name == other:
                continue
            if not _DIGITS.search(self._answer, one[1], two[0]):
                return True
        return False

    # The right thing.

    def wrong_thing(self, value: Value, places: Sequence[Place]) -> Ruling | None:
        """Return why a value is not that of its thing, if it is another's."""
        leaves = [one.leaf for one in places if one.leaf is not None]
        if value.kind not in _OWNED or len(leaves) < len(places) or not leaves:
            return None
        if self._is_told(value):
            return None
        return (
            self._turned(value, leaves)
            or self.replaced(value, leaves)
            or self._of_another(value, leaves)
            or self._of_another_field(value, leaves)
            or self._of_sibling_day(value, leaves)
            or self._of_unchosen(value, leaves)
        )

    def _of_unchosen(self, value: Value, leaves: Sequence[Leaf]) -> Ruling | None:
        """Return why a value is not of the object that the run acted on.

        `The court costs €18`, where the booked one costs €24, and nothing else in the
        answer tells of the one that costs €18.
        """
        start, end = self.sentence(value.span)
        if _FORMER.search(self._answer, start, end) or _ALSO.search(
            self._answer, start, end
        ):
            return None
        other = None
        for leaf in leaves:
            pair = self._choices.chosen(leaf)
            if pair is None:
                return None
            record, chosen = pair
            if value.kind is ValueKind.NUMBER and not _speaks_of(
                leaf.key, self._answer[start:end].casefold(), most=False
            ):
                return None
            if self._is_mentioned(record, chosen, value):
                return None
            other = other or (chosen, leaf)
        if other is None:
            return None
        return _against(
            ValueNote.OTHER_RECORD,
            other,
            f"{_own_id(other[0])}: {other[0].value}; {_own_id(other[1])}:"
            f" {other[1].value}",
        )

    @cached_property
    def _choices(self) -> Choices:
        return Choices(self._run.calls, self._run.records.records)

    def _is_mentioned(self, record: Record, chosen: Leaf, value: Value) -> bool:
        """Whether the answer has more of a record than one value, or tells of both.

        Its id, a word that the chosen one lacks, another value that is its alone, or
        what the chosen one has in the same field.
        """
        if record.id.casefold() in self.named:
            return True
        other = chosen.record
        words = {
            leaf.key: leaf.value
            for leaf in (other.leaves if other is not None else ())
            if isinstance(leaf.value, str)
        }
        answer = self._answer.casefold()
        for leaf in record.leaves:
            text = leaf.value
            if (
                isinstance(text, str)
                and text != words.get(leaf.key)
                and leaf.key not in _STATE_KEYS
                and is_word_spoken(text, str(words.get(leaf.key, "")), answer)
            ):
                return True
        for one in self._values:
            if one.span != value.span and one.text != value.text:
                leaves = self.leaves_of(one)
                around = [leaf.record for leaf in leaves]
                if chosen in leaves or (record in around and other not in around):
                    return True
        return False

    def leaves_of(self, value: Value) -> list[Leaf]:
        """Return where outputs have a value."""
        index = self._run.index(Origin.OUTPUT)
        return [
            place.leaf
            for form in value.forms
            for place in index.get(form, ())
            if place.leaf is not None
        ]

    def _of_sibling_day(self, value: Value, leaves: Sequence[Leaf]) -> Ruling | None:
        """Return why a day is not of the field that its clause has the word of.

        `{"recycling": "2025-04-22", "garden": "2025-04-29"}`: "recycling is on April
        29".
        """
        if value.kind is not ValueKind.DATE:
            return None
        start, end = self.sentence(value.span)
        left, right = self.clause(value.span)
        sentence = self._answer[start:end].casefold()
        clause = self._answer[left:right].casefold()
        pair = None
        for leaf in leaves:
            above = _object_of(leaf)
            if _speaks_of(above or leaf.key, sentence, most=True):
                return None
            beside = leaf.path[:-2] if above else leaf.path[:-1]
            days = self._days_beside.get((leaf.call, beside), ())
            meant = [
                one
                for one in days
                if one.value != leaf.value and _speaks_of(one.key, clause, most=False)
            ]
            if len(meant) != 1:
                return None
            pair = pair or (leaf, meant[0])
        if pair is None:
            return None
        note = f"{pair[1].key}: {pair[1].value}; {pair[0].key}: {pair[0].value}"
        return _against(ValueNote.OTHER_FIELD, (pair[1], pair[0]), note)

    @cached_property
    def _days_beside(self) -> Mapping[tuple[int, Path], list[Leaf]]:
        """The days that stand in one object."""
        by_object: dict[tuple[int, Path], list[Leaf]] = {}
        for leaf in self._run.records.leaves:
            if isinstance(leaf.value, str) and _DAY.fullmatch(leaf.value):
                by_object.setdefault((leaf.call, leaf.path[:-1]), []).append(leaf)
        return by_object

    def _of_another(self, value: Value, leaves: Sequence[Leaf]) -> Ruling | None:
        things = self.at(value.span)
        name = value.text.casefold()
        if not things or {name, name.strip("#")} & self._run.records.by_id.keys():
            return None
        if not self._is_behind(value.span):
            return None
        if any(leaf.ids_around & things for leaf in leaves):
            own = self.sibling(value.span)
            around = [leaf.ids_around for leaf in leaves]
            if not own or any(own in ids for ids in around) or own in self._left_out:
                return None
            things = frozenset({own})
        clause = {
            name
            for place, name in self.named_in(*self.clause(value.span))
            if place != value.span
        }
        for leaf in leaves:
            # Its own thing may be named beside it by what tells it apart.
            if leaf.ids_around & clause or not self._is_alone(value.span, leaf, things):
                return None
        against = self._same_fields(things, leaves)
        if not against or _is_state_of_whole(leaves, against):
            return None
        return _against(
            ValueNote.OTHER_RECORD,
            (leaves[0], against[0]),
            f"{leaves[0].record.id if leaves[0].record else ''}: {value.text};"
            f" {_own_id(against[0])}: {against[0].value}",
        )

    def _is_alone(self, span: Span, leaf: Leaf, things: frozenset[str]) -> bool:
        """Whether a value's clause has nothing of the record that the value is of."""
        if leaf.record is None or not leaf.record.id:
            return False
        return not (
            self._is_spoken_of(span, leaf.record.id, things)
            or self._was_made_for(leaf.call, things)
            or self._is_described(span, leaf.record)
        )

    def _of_another_field(self, value: Value, leaves: Sequence[Leaf]) -> Ruling | None:
        """Return why a value is not what its label says, where a field is called so.

        `The deductible is $7,400`, which is the reserve.
        """
        if value.kind not in _LABELLED_KINDS:
            return None
        start, _ = self.sentence(value.span)
        label = _SAID_OF.search(
            self._answer, max(start, value.span[0] - _NEAR), value.span[0]
        )
        if label is None:
            return None
        label_words = [
            one for one in label[1].lower().split() if one not in _DETERMINERS
        ]
        words = tuple(map(_stem, label_words or ("total",)))
        fields = self._fields.get(words)
        if not fields and words[-1] not in _GENERAL:
            fields = self._fields.get(words[-1:])
        if not fields or _GENERAL.issuperset(words):
            return None
        whole = len(words) > 1 and words in self._fields
        for leaf in leaves:
            own_words = set(map(_stem, key_words(leaf.key)))
            if own_words.issuperset(words) if whole else own_words & set(words):
                return None
        things = self.at(value.span)
        own = [leaf for leaf in fields if leaf.ids_around & things] or fields
        own = [leaf for leaf in own if leaf.record is not None]
        same = {leaf.record for leaf in own} & {leaf.record for leaf in leaves}
        if not same:
            return None
        return _against(
            ValueNote.OTHER_FIELD,
            (own[-1], leaves[0]),
            f"{own[-1].key}: {own[-1].value}; {leaves[0].key}: {leaves[0].value}",
        )

    @cached_property
    def _fields(self) -> Mapping[tuple[str, ...], list[Leaf]]:
        """The numbers of records, by the words of their keys."""
        by_words: dict[tuple[str, ...], list[Leaf]] = {}
        for leaf in self._run.records.leaves:
            if isinstance(leaf.value, bool):
                continue
            if isinstance(leaf.value, str) and not _AMOUNT.fullmatch(leaf.value[:24]):
                continue
            words = [word for word in key_words(leaf.key) if word not in _UNITS_OF_KEYS]
            by_words.setdefault(tuple(map(_stem, words)), []).append(leaf)
        return by_words

    def _is_behind(self, span: Span) -> bool:
        """Whether a thing of the sentence stands in front of a place, or in its clause.

        What is named in a later clause is no thing of what stands before.
        """
        start, end = self.sentence(span)
        here = [
            place
            for place, _ in self._ids_by_line.get(self._line(span[0]), ())
            if start <= place[0] and place[1] <= end and place != span
        ]
        if not here or min(here)[0] < span[0]:
            return True
        return len(self._clauses(span[1], min(here)[0])) < 3

    def _was_made_for(self, call: int, things: frozenset[str]) -> bool:
        """Whether a call that does not look was given a thing: an order of shares."""
        entry = self._run.interaction.tool_calls[call]
        given = (one for one in entry.input.values() if isinstance(one, str))
        return not only_looks(entry.tool) and any(
            one.casefold() in things for one in given
        )

    def _is_spoken_of(self, span: Span, name: str, things: Iterable[str]) -> bool:
        """Whether the clause of a place has a word of a name: `Yulia` of a person's."""
        start, end = self.clause(span)
        own = {word for thing in things for word in _WORD.findall(thing)}
        own |= {word for thing in things for word in self._kind_of(thing)}
        words = {*_WORD.findall(name.casefold()), *self._kind_of(name)} - own
        clause = set(_WORD.findall(self._answer[start:end].casefold()))
        clause -= set(_WORD.findall(self._answer[slice(*span)].casefold()))
        return any(len(word) > _SHORTEST_ID and word in clause for word in words)

    def _kind_of(self, name: str) -> tuple[str, ...]:
        """Return what a record is by the key of its id: a `line` for `line_id`."""
        records = self._run.records.by_id.get(name.casefold(), ())
        return key_words(records[0].id_key)[:-1] if records else ()

    def _is_described(self, span: Span, record: Record) -> bool:
        """Whether the clause of a place has a word of a record and no id: `glass`."""
        start, end = self.clause(span)
        line = self._ids_by_line.get(self._line(span[0]), ())
        if any(start <= one[0] and one[1] <= end for one, _ in line if one != span):
            return False
        words = _WORD.findall(self._answer[start : span[0]].casefold())
        clause = f" {' '.join(words)} "
        return any(
            isinstance(leaf.value, str)
            and _SHORTEST_ID < len(leaf.value) <= _LONGEST_LABEL
            and leaf.key not in _STATE_KEYS
            and f" {' '.join(_WORD.findall(leaf.value.casefold()))} " in clause
            for leaf in record.leaves
        )

    def wrong_name(self, span: Span, leaves: Sequence[Leaf]) -> Ruling | None:
        """Return why a name is that of another thing than the one of its line."""
        text = self._answer[slice(*span)]
        value = Value(text, ValueKind.NAME, span, frozenset())
        turned = self._turned(value, leaves)
        if turned is not None:
            return turned
        columns = self._run.records.columns
        names = (leaf.key for leaf in leaves if leaf.key not in _STATE_KEYS)
        if any(is_name_key(key) or key in columns for key in names):
            return None  # It names a further thing itself.
        replaced = self.replaced(value, leaves)
        if replaced is not None:
            return replaced
        if _FORMER.search(self._answer, max(0, span[0] - _NEAR), span[0]):
            return None
        return self._of_another(value, leaves)

    def _same_fields(self, things: Iterable[str], leaves: Sequence[Leaf]) -> list[Leaf]:
        """Return what the thing has in the fields that other records have it in.

        Nothing where one of the things of the line lacks the field: then it may be the
        sum, or a price of something else.
        """
        fields = dict.fromkeys(map(field_of, leaves))
        same = []
        around: set[str] = set()
        lacking: list[str] = []
        for thing in sorted(things):
            latest = self._run.records.latest(thing)
            own = [latest[one] for one in fields if one in latest]
            if not own:
                lacking.append(thing)
            same += own
            around.update(*(leaf.ids_around for leaf in own))
        # The order lacks what the item of it has that is named beside it.
        return same if around.issuperset(lacking) else []

    def _is_told(self, value: Value) -> bool:
        """Whether the user or the policy has the value as well."""
        return any(
            form in self._run.index(origin)
            for origin in (Origin.TASK, Origin.POLICY)
            for form in value.forms
        )

    def replaced(self, value: Value, leaves: Sequence[Leaf]) -> Ruling | None:
        """Return what a later write put in the place of a value, if it did."""
        newest = max((leaf.call for leaf in leaves), default=0)
        is_state = all(leaf.key in _STATE_KEYS for leaf in leaves)
        if newest >= self._changes.last and not is_state:
            return None
        if not self._speaks_of_now(value.span):
            return None
        things = self._spoken_of(value.span)
        own_leaves = [leaf for leaf in leaves if leaf.ids_around & things]
        newer = ((self._newer(leaf, newest), leaf) for leaf in own_leaves or leaves)
        first = next((pair for pair in newer if pair[0]), None)
        if first is None:
            return None
        now, leaf = first
        record = self._versioned(leaf)
        if not own_leaves and any(
            self._is_alike(one, record) and not self._newer(one, newest)
            for one in leaves
        ):
            return None  # It may be that of a record that nothing has changed.
        return _against(
            ValueNote.REPLACED,
            (now[0], leaf),
            f"{record.id if record else ''}: {_listed(now)}",
        )

    def state_of(self, span: Span) -> Sequence[Leaf]:
        """Return the states of the thing spoken of, last of all as it is now.

        That named last in the line of a place, else the only one named, else the newest
        of the kind that the clause names. What has no state is none of them, and where
        an id is wrong the one named elsewhere may be another thing.
        """
        line = self._starts[self._line(span[0])]
        for _, name in sorted(self.named_in(line, span[0]), reverse=True):
            if name in self._left_out:
                return ()
            if name in self._states:
                return self._states[name]
        named = self.named & self._states.keys()
        if len(named) != 1 or self._left_out:
            named = self._of_kind_at(span) & self._states.keys()
        return self._states[min(named)] if len(named) == 1 else ()

    @cached_property
    def states_of_all(self) -> Sequence[Leaf]:
        """The states of all records."""
        return [leaf for leaves in self._states.values() for leaf in leaves]

    @cached_property
    def _states(self) -> Mapping[str, list[Leaf]]:
        """The states of each record that has one, by its folded id."""
        states: dict[str, list[Leaf]] = {}
        for record in self._run.records.records:
            for leaf in record.leaves if record.id else ():
                text = leaf.value if leaf.key in _STATE_KEYS else None
                if isinstance(text, str) and text not in STATE_CODES:
                    states.setdefault(record.id.casefold(), []).append(leaf)
        return states

    def _spoken_of(self, span: Span) -> frozenset[str]:
        """Return the folded ids of the records that a clause speaks of.

        Its own, those told by a telephone number or an address of mail in front of it,
        the one named last, and where none is, the newest of the kind that it names.
        """
        if self._is_behind(span) and (things := self.at(span)):
            return things
        start, _ = self.sentence(span)
        told = [
            frozenset(leaf.record.id.casefold() for leaf in shown if leaf.record)
            for value in self._values
            if value.kind in _TELLS_ONE and start <= value.span[0] < span[0]
            for shown in (self.leaves_of(value),)
        ]
        if told:
            return frozenset.intersection(*told)
        line = self._starts[self._line(span[0])]
        named = self.named_in(line, span[0])
        if named:
            return frozenset({max(named)[1]}) - self._left_out
        return self._of_kind_at(span)

    def _of_kind_at(self, span: Span) -> frozenset[str]:
        """Return the newest records of the kinds that a clause has the words of."""
        words = _WORD.findall(self._answer, *self.clause(span))
        kinds = self._newest_of_kinds
        return frozenset(kinds[one] for one in map(str.casefold, words) if one in kinds)

    @cached_property
    def _newest_of_kinds(self) -> Mapping[str, str]:
        """The folded id of the record of each kind that a call showed last, alone."""
        newest: dict[str, tuple[int, str]] = {}
        for record in self._run.records.records:
            for kind in key_words(record.id_key)[:-1] if record.id else ():
                known = newest.get(kind)
                alone = known is None or known[0] < record.call
                name = record.id.casefold()
                same = known is not None and known[1] == name
                newest[kind] = (record.call, name if alone or same else "")
        return {kind: name for kind, (_, name) in newest.items() if name}

    def _is_alike(self, leaf: Leaf, record: Record | None) -> bool:
        """Whether a leaf lies in another record of one kind."""
        own = self._versioned(leaf)
        return own is not None and record is not None and own.id_key == record.id_key

    def _newer(self, leaf: Leaf, newest: int) -> list[Leaf]:
        """Return what a later write has in the field of a leaf."""
        record = self._versioned(leaf)
        if record is None:
            return []
        name = record.id.casefold()
        own = field_below(leaf, record)
        # What a later look-up shows of a state is newer as well.
        versions = [
            one
            for one in self._run.records.by_id[name]
            if one.written or leaf.key in _STATE_KEYS
        ]
        changed = self._changed.get(name)
        for later in (*reversed(versions), *([changed] if changed else ())):
            if later.call > newest:
                now = [
                    one for one in self._under(later) if field_below(one, later) == own
                ]
                if now:
                    return now
        return []

    def _turned(self, value: Value, leaves: Sequence[Leaf]) -> Ruling | None:
        """Return why a value is that before a change, or that since it.

        `{"phone": "2", "previous": "1"}`: "your number is now 1", "it was 2 before".
        """
        if self._changes.last < 0:
            return None
        label = self.label_of(value.span)
        if _SAYS_OLD.search(label) or (
            _FROM.search(label) and _TO.match(self._answer, value.span[1])
        ):
            pair = self._changes.said_of_before(leaves)
        else:
            pair = self._changes.said_of_now(leaves)
            if pair is None or not (
                _SAYS_NEW.search(label) or self._speaks_of_now(value.span)
            ):
                return None
        if pair is None:
            return None
        right, wrong = pair
        note = f"{right.key}: {right.value}; {wrong.key}: {wrong.value}"
        return _against(ValueNote.REPLACED, pair, note)

    @cached_property
    def _changes(self) -> Changes:
        return Changes(self._run)

    @cached_property
    def _heads(self) -> Sequence[int]:
        """The first row of the table that each line stands in, else the line itself."""
        heads: list[int] = []
        before = False
        for line in range(len(self._starts)):
            is_row = self._text_of(line).lstrip().startswith("|")
            heads.append(heads[-1] if is_row and before else line)
            before = is_row
        return heads

    def label_of(self, span: Span) -> str:
        """Return what stands right before a place; of a cell the head of its column."""
        line = self._line(span[0])
        start = self._starts[line]
        before = self._answer[start : span[0]]
        if not before.lstrip().startswith("|"):
            return before[-_NEAR:]
        cells = self._text_of(self._heads[line]).split("|")
        column = before.count("|")
        return cells[column].strip(" *_") + ": " if column < len(cells) else ""

    def outdated(self, value: Value, terms: Sequence[Leaf]) -> Ruling | None:
        """Return what a later write put in the place of a term, if it did.

        Terms of one record as one call showed it: what is calculated from them is of
        that time. A difference to what the write returned has a term of it.
        """
        records = {self._versioned(leaf) for leaf in terms}
        record = records.pop() if len(records) == 1 else None
        if record is None or not self._speaks_of_now(value.span):
            return None
        later = self._run.records.by_id[record.id.casefold()][-1]
        if not later.written or later.call <= record.call:
            return None
        # Of what stands in a list nobody knows which became which.
        now = {one.path[len(later.path) :]: one for one in self._under(later)}
        for leaf in terms:
            below = leaf.path[len(record.path) :]
            new = now.get(below) if not any(map(is_position, below)) else None
            if new is not None and new.value != leaf.value:
                return _against(
                    ValueNote.REPLACED, (new, leaf), f"{record.id}: {new.value}"
                )
        return None

    @cached_property
    def _changed(self) -> Mapping[str, Record]:
        """What the last change of a record returned that is called otherwise, by id.

        `renew(domain="a.io")` returns an order, which tells of the domain as it is now.
        What a call makes, books or sends has fields of its own.
        """
        by_id: dict[str, Record] = {}
        known = self._run.records.by_id
        for record in self._run.records.records:
            if record.path or not record.written or not record.id:
                continue
            call = self._run.interaction.tool_calls[record.call]
            if not deeds_of(words_of(call.tool)) <= _CHANGES:
                continue
            given = {
                one.casefold() for one in call.input.values() if isinstance(one, str)
            }
            shown = {str(leaf.value).casefold() for leaf in record.leaves}
            by_id |= dict.fromkeys((given & shown & known.keys()), record)
        return by_id

    def _versioned(self, leaf: Leaf) -> Record | None:
        """Return the outermost record with an id that a leaf lies in."""
        outer = None
        if leaf.record is not None:
            for record in leaf.record.chain():
                if record.id and not isinstance(record.path[-1:], int):
                    outer = record
        return outer

    def _under(self, record: Record) -> list[Leaf]:
        """Return every leaf that lies in a record, in records inside it as well."""
        depth = len(record.path)
        leaves = self._run.records.by_call.get(record.call, ())
        return [leaf for leaf in leaves if leaf.path[:depth] == record.path]

    def _is_given_up(self, span: Span) -> bool:
        """Whether something else is said to stand in its place: `the old for a new`."""
        start, end = self.sentence(span)
        given = _GIVEN.search(self._answer, max(start, span[0] - _NEAR), span[0])
        return given is not None and bool(_TAKEN.search(self._answer, span[1], end))

    def _speaks_of_now(self, span: Span) -> bool:
        """Whether the text before a place speaks of what was done, not of before."""
        if _BECAME.match(self._answer, span[1]) or self._is_given_up(span):
            return False
        line = self._starts[self._line(span[0])]
        near = max(self.sentence(span)[0], span[0] - _NEAR)
        clause = self.clause(span)[0]
        if _STANDS.search(self._answer, clause, span[0]):
            near = max(near, clause)
        for match in _NOW.finditer(self._answer, near, span[0]):
            near = match.end()
        if _FORMER.search(self._answer, near, span[0]):
            return False
        before = max(0, span[0] - _FAR)
        return (
            _DONE.search(self._answer, before, span[0]) is not None
            or _REMAINS.search(self._answer, max(line, span[0] - _NEAR), span[0])
            is not None
            or any(map(_is_change, _PARTICIPLE.findall(self._answer, before, span[0])))
        )

    # Places, those of the thing first.

    def ordered(self, value: Value, places: Sequence[Place]) -> list[Place]:
        """Return places with those of the thing first, then the newest."""
        return self.ordered_leaves(value.span, places)

    def ordered_leaves(self, span: Span, places: Sequence[Place]) -> list[Place]:
        """Return places with those of the thing first, then the newest."""
        if len(places) < 2:
            return list(places)
        things = self.at(span)

        def rank(place: Place) -> tuple[bool, int]:
            other = place.leaf is None or place.leaf.ids_around.isdisjoint(things)
            return (other, -place.call)

        return sorted(places, key=rank)

    # How many there are.

    def has_field(self, value: Value) -> bool:
        """Whether records have a number of what a number counts: `bedrooms: 3`."""
        rest = self._answer[max(0, value.span[0] - _NEAR) : value.span[1] + _NEAR]
        calculated = _CALCULATED.search(rest)
        if calculated and _stem(calculated[0].lower()) not in self._numbered:
            # How many are left may be in the field itself: `seats_open`.
            noun = _stem(value.counts[0]) if value.counts else ""
            return calculated[0].lower() == "left" and noun in self._numbered
        start = self._starts[self._line(value.span[0])]
        line = self._answer[max(start, value.span[0] - _LONGEST_LABEL) : value.span[0]]
        label = _LABEL_BEFORE.search(line)
        if label and self._numbered.issuperset(map(_stem, label[1].lower().split())):
            return True
        named = _NAMED_BEFORE.search(line)
        if named and _stem(named[1].lower()) in self._numbered:
            return True
        for word in value.counts[:1]:
            noun = _stem(word)
            if noun in self._numbered or noun.removesuffix("room") in self._numbered:
                return True
            if noun in _PERSONS and not self._numbered.isdisjoint(_PERSONS):
                return True
        return False

    def called(self, value: Value, places: Sequence[Place]) -> list[Place]:
        """Leave out the fields that are not called by what a number counts.

        Where others are: of `1 star` a position that is 1 shows nothing, where objects
        have stars. A larger number is met by no chance.
        """
        noun = _stem(value.counts[0])
        small = all(number < _MANY for number in value.numbers)
        if not small or noun not in self._fields_by_word:
            return list(places)
        return [
            one
            for one in places
            if (
                noun in map(_stem, one.counts[:1]) or not one.counts
                if one.leaf is None
                else isinstance(one.leaf.value, str)
                or noun in map(_stem, key_words(one.leaf.key))
            )
        ]

    def _is_called(self, number: float, words: Collection[str]) -> bool:
        """Whether the user or the policy has a number, or a field called by words."""
        form = number_form(number)
        return any(
            form in self._run.index(origin) for origin in (Origin.TASK, Origin.POLICY)
        ) or any(
            str(leaf.value) == f"{number:g}"
            and not {*map(_stem, key_words(leaf.key))}.isdisjoint(words)
            for leaf in self._run.records.leaves
        )

    @cached_property
    def _fields_by_word(self) -> Mapping[str, list[Leaf]]:
        """The numbers of outputs by the last word of their keys."""
        by_word: dict[str, list[Leaf]] = {}
        for leaf in self._run.records.leaves:
            words = key_words(leaf.key)
            if words and not isinstance(leaf.value, str | bool):
                by_word.setdefault(_stem(words[-1]), []).append(leaf)
        return by_word

    def given_otherwise(self, value: Value) -> Ruling | None:
        """Return what calls were given where a number has the name of an input.

        `For a party of 4`, where a call was given `party_size: 5` and nobody says 4.
        """
        number = value.numbers[0] if len(value.numbers) == 1 else None
        start = self._starts[self._line(value.span[0])]
        label = _LABEL_OF.search(
            self._answer, max(start, value.span[0] - _NEAR), value.span[0]
        )
        words = [*value.counts[:1], *(label[1].split() if label else ())]
        said = {_stem(one.casefold()) for one in words} - _UNCOUNTED
        if not said.isdisjoint(_PERSONS):
            said |= _PERSONS
        if number is None or not said or self._is_called(number, said):
            return None
        given = [
            (call.index, key, number_given)
            for call in self._run.calls
            if call.succeeded
            for key, number_given in call.call.input.items()
            if isinstance(number_given, int) and not isinstance(number_given, bool)
            for of_key in ({*map(_stem, key_words(key))} - _UNCOUNTED,)
            if of_key and of_key <= said
        ]
        if not given or any(one == number for _, _, one in given):
            return None
        call_index, key, other = given[-1]
        return Ruling(
            status=ValueStatus.UNSUPPORTED,
            reason=ValueNote.OTHER_FIELD,
            places=(Place(Origin.INPUT, call_index, str(other)),),
            note=f"{key}: {other}",
        )

    @cached_property
    def _numbered(self) -> frozenset[str]:
        """The words of the keys of numbers, of outputs and inputs."""
        words: set[str] = set()
        for leaf in self._run.records.leaves:
            number = not isinstance(leaf.value, str | bool)
            if number or (isinstance(leaf.value, str) and leaf.value.isdecimal()):
                words.update(map(_stem, key_words(leaf.key)))
        for call in self._run.calls:
            for key, given in call.call.input.items():
                if isinstance(given, int) or str(given).isdecimal():
                    words.update(map(_stem, key_words(key)))
        return frozenset(words - _UNCOUNTED)

    def counted(self, value: Value) -> Ruling | None:
        """Return what lists say of a number and what it counts, if any does."""
        nouns = [_stem(one) for one in value.counts]
        lists = self._lists_of(nouns)
        if len(value.numbers) != 1 or value.numbers[0] in self._quantities:
            return None
        if not lists:
            return (
                self._counted_by_tool(value, self._lists_of_tools(nouns))
                or self._counted_anyhow(value, nouns)
                or self._listed_below(value)
            )
        number = value.numbers[0]
        alike = [one for one in lists if one.length == number]
        if alike:
            return self._count_of(value, alike, ValueStatus.DERIVED)
        # `Two other passengers` are a part of them.
        part = not _PART_OF.isdisjoint(value.counts[1:2])
        before = self._answer[max(0, value.span[0] - 24) : value.span[0]]
        part = part or _IS_LEFT.search(before) is not None
        whole = bool(self._lists_of(nouns[:1])) and self._in_all(value, lists)
        whole = whole and not part
        if not whole:
            return self._listed_below(value)
        if self._said_of(number, nouns[0]):
            return None
        if self._is_of_thing(value):
            return None
        return self._count_of(value, lists, ValueStatus.UNSUPPORTED)

    @cached_property
    def _quantities(self) -> frozenset[float]:
        """What the quantities of each list come to: two of one and one of another."""
        totals: dict[tuple[int, Path, str], list[float]] = {}
        for leaf in self._run.records.leaves:
            number = leaf.value
            if isinstance(number, int) and not _QUANTITY.isdisjoint(
                key_words(leaf.key)
            ):
                place = next(
                    (at for at, part in enumerate(leaf.path) if is_position(part)), -1
                )
                if place >= 0:
                    key = (leaf.call, leaf.path[:place], leaf.key)
                    totals.setdefault(key, []).append(number)
        return frozenset(sum(one) for one in totals.values() if len(one) > 1)

    def _listed_below(self, value: Value) -> Ruling | None:
        """Return that there are not as many as are listed behind the sentence.

        `I found four early ferries:` and three rows, of which a call has shown a list.
        """
        number = value.numbers[0]
        before = self._answer[max(0, value.span[0] - 24) : value.span[0]]
        if number < 2 or number != int(number) or _PART_BEFORE.search(before):
            return None
        end = self.sentence(value.span)[1]
        items = _items_behind(self._answer, end)
        shown = [one for one in self._run.records.lists if one.length == items]
        if items < 2 or items == number or not shown:
            return None
        if any(one.length == number for one in self._run.records.lists):
            return None
        others = (
            other
            for other in self._values
            if other.span != value.span
            and value.span[0] - _NEAR < other.span[0] < end
            and items in other.numbers
        )
        if next(others, None) is not None or self._is_any_number(number):
            return None
        return self._count_of(value, shown, ValueStatus.UNSUPPORTED)

    def _is_any_number(self, number: float) -> bool:
        """Whether the user, the policy or a field of the outputs has a number."""
        form = number_form(number)
        return any(
            form in self._run.index(origin) for origin in (Origin.TASK, Origin.POLICY)
        ) or any(
            leaf.value == number
            for leaf in self._run.records.leaves
            if not isinstance(leaf.value, bool | str)
        )

    def _is_anywhere(self, value: Value, nouns: Sequence[str]) -> bool:
        """Whether any text says this number of the same."""
        if value.numbers[0] >= _MANY and any(
            form in self._run.index(Origin.OUTPUT) for form in value.forms
        ):
            return True
        for origin in (Origin.OUTPUT, Origin.TASK, Origin.POLICY, Origin.SOURCE):
            index = self._run.index(origin)
            for form in value.forms:
                for place in index.get(form, ()) if form[0] == "n" else ():
                    words = place.counts[:3] or ()
                    if place.leaf is not None:
                        words = key_words(place.leaf.key)
                        if not _IN_KEYS.isdisjoint(words):
                            return True
                    if not nouns or nouns[0] in map(_stem, words):
                        return True
                    if place.leaf is None and not words:
                        return True
        return False

    def _is_of_thing(self, value: Value) -> bool:
        """Whether the thing of a number's clause has it in a field: `{"Y": 4}`."""
        things = self.at(value.span)
        return bool(things) and any(
            not isinstance(leaf.value, bool | str)
            and leaf.value == value.numbers[0]
            and bool(leaf.ids_around & things)
            for leaf in self._run.records.leaves
        )

    def _counted_by_tool(
        self, value: Value, lists: Sequence[ListShown]
    ) -> Ruling | None:
        """Return what is said of a number by what tools list that are called so."""
        number = value.numbers[0]
        alike = [one for one in lists if one.length == number]
        if alike:
            return self._count_of(value, alike, ValueStatus.DERIVED)
        before = self._answer[max(0, value.span[0] - 40) : value.span[0]].rstrip()
        more = number > max((one.length for one in lists), default=number)
        if not (more and _IN_ALL.search(before)) or self._is_any_number(number):
            return None
        return self._count_of(value, lists, ValueStatus.UNSUPPORTED)

    def _counted_anyhow(self, value: Value, nouns: Sequence[str]) -> Ruling | None:
        """Return what the lists of the last calls say of things that no key names.

        `I found four options` may be part of a longer list, and is not more than one.
        """
        number = value.numbers[0]
        before = self._answer[max(0, value.span[0] - 40) : value.span[0]].rstrip()
        lists = self._run.records.lists
        counts = value.counts[not _ANY_OF_THEM.isdisjoint(value.counts[:1]) :]
        alone = len(counts) < 2 or counts[1] in _BEHIND_NOUN
        if not lists or not alone or not _IN_ALL.search(before) or number < 1:
            return None
        if self.has_field(value):
            return None
        alike = [one for one in lists if one.length == number]
        if alike:
            return self._count_of(value, alike, ValueStatus.DERIVED)
        items = len(_ITEM.findall(self._answer, value.span[1]))
        most = max(one.length for one in lists)
        if number == items or self._is_anywhere(value, nouns):
            return None
        shown = [one for one in lists if not one.path] or [lists[-1]]
        unsure = number <= most or not nouns
        if unsure and not self._is_whole_list(value, shown[-1]):
            return None
        return self._count_of(value, shown, ValueStatus.UNSUPPORTED)

    def _is_whole_list(self, value: Value, shown: ListShown) -> bool:
        """Whether a sentence counts all that the last call listed, and no part of it.

        `There are four songs in this selection.` speaks of all; of two out of four that
        are named as well it may be said that there are two.
        """
        last = self._run.calls[-1].index if self._run.calls else -1
        rest = self._answer[value.span[1] : value.span[1] + _NEAR]
        before = self._answer[max(0, value.span[0] - _NEAR) : value.span[0]]
        if shown.path or shown.call != last or not value.numbers[0].is_integer():
            return False
        if not (_LISTED.search(before) and _WHOLE_LIST.match(rest)):
            return False
        named = {
            leaf.path[:1]
            for leaf in self._run.records.leaves
            if leaf.call == last
            and isinstance(leaf.value, str)
            and len(leaf.value) >= _SHORTEST_NAMED
            and leaf.value.casefold() in self._folded
        }
        return len(named) != value.numbers[0]

    @cached_property
    def _folded(self) -> str:
        return self._answer.casefold()

    def _count_of(
        self, value: Value, lists: Sequence[ListShown], status: ValueStatus
    ) -> Ruling:
        shown = self._nearest(value.span, lists)
        wrong = status is ValueStatus.UNSUPPORTED
        return Ruling(
            status=status,
            reason=ValueNote.OTHER_COUNT if wrong else ValueNote.CALCULATED,
            terms=(_of_list(shown),),
            note=f"{_path(shown)}: {shown.length}",
        )

    def _lists_of(self, nouns: Sequence[str]) -> list[ListShown]:
        """Return the lists of what is counted, those of the things named if any."""
        for noun in nouns:
            lists = [
                one for one in self._run.records.lists if noun in _last_words(one.key)
            ]
            exact = [one for one in lists if len(key_words(one.key)) == 1] or lists
            own = [
                one
                for one in exact
                if one.record is not None
                and any(each.id.casefold() in self.named for each in one.record.chain())
            ]
            if exact:
                return own or exact
        return []

    def _lists_of_tools(self, nouns: Sequence[str]) -> list[ListShown]:
        """Return what tools whose names have a noun returned: `FindCabins`."""
        return [
            one
            for one in self._run.records.lists
            if not one.path and not self._tool_nouns(one.call).isdisjoint(nouns[:1])
        ]

    def _tool_nouns(self, call: int) -> frozenset[str]:
        """The words of a tool's name, which may say of what it returns a list."""
        words = words_of(self._run.interaction.tool_calls[call].tool)
        return frozenset(map(_stem, words))

    def _nearest(self, span: Span, lists: Sequence[ListShown]) -> ListShown:
        things = self.at(span)
        own = [
            one
            for one in lists
            if one.record is not None
            and any(record.id.casefold() in things for record in one.record.chain())
        ]
        return (own or lists)[-1]

    def _said_of(self, number: float, noun: str) -> bool:
        """Whether somebody said so many of the same, or a field of the same says it."""
        for origin in (Origin.TASK, Origin.POLICY):
            for place in self._run.index(origin).get(number_form(number), ()):
                if noun in map(_stem, place.counts[:1]):
                    return True
        return any(
            leaf.value == number
            and any(
                noun in map(_stem, key_words(part))
                for part in leaf.path[-2:]
                if isinstance(part, str)
            )
            for leaf in self._run.records.leaves
            if not isinstance(leaf.value, bool | str)
        )

    def _in_all(self, value: Value, lists: Sequence[ListShown]) -> bool:
        before = self._answer[max(0, value.span[0] - 40) : value.span[0]].rstrip()
        if _IN_ALL.search(before):
            return True
        # `Three rooms: …`, where there is one list of rooms.
        heads = len(lists) == 1 and value.text[:1].isupper()
        return value.numbers[0] > max(one.length for one in lists) and (
            bool(before) or heads
        )


# In front of a number of what is only a part, or is something else's.
_PART_BEFORE = re.compile(
    r"(?<!\w)(?:for|with|from|in|within|by|at|to|per|under|over|than|every|of|on|after"
    r"|before|until|least|most|about|around|für|mit|von|pour|avec|de|para|con|на|для|из"
    r"|otros?|other|next|first|last|top) $",
    re.IGNORECASE,
)
_QUANTITY = word_set("qty quantity count pieces units seats")
_LIST_LINE = re.compile(r"[ \t]{0,3}(?:[-*•–]|\d{1,2}[.)]|[^\w\s|]{1,2})[ ]|[ \t]*\|")
_ROW_RULE = re.compile(r"[ \t|:-]+")
_MOST_LISTED = 60


def _items_behind(text: str, end: int) -> int:
    """Return how many items or rows the list has that stands right behind a place."""
    if not text[max(0, end - _LONGEST_LABEL) : end].rstrip(" *_\n").endswith(":"):
        return 0
    items = rules = 0
    rows = False
    for line in text[end : end + _FAR * 4].splitlines()[:_MOST_LISTED]:
        if not line.strip():
            if items:
                break
            continue
        if _LIST_LINE.match(line) is None:
            if items and line[:1] in " \t":
                continue  # More of the item above.
            break
        is_row = line.lstrip().startswith("|")
        rows = rows or is_row
        if is_row and _ROW_RULE.fullmatch(line):
            rules += 1
        else:
            items += 1
    return items - 1 if rows and rules else items


# In front of a number what it is: `party of `, `Number of Guests:** `.
_LABEL_OF = re.compile(
    r"(?<!\w)([^\W\d_]{3,20}(?: (?:of )?[^\W\d_]{3,20}){0,2}?)"
    r"(?: of|[*_]{0,3}:[*_]{0,3}) $"
)
_IN_KEYS = word_set("count total number results num size length")
_STATE_KEYS = frozenset({"status", "state", "stage"})
_TELLS_ONE = frozenset({ValueKind.PHONE, ValueKind.EMAIL})
_UNITS_OF_KEYS = word_set(
    """
    usd eur gbp rub pln cents ct kwh kg km gb mb s sec min h hours days pct percent m2
    in of per the
    """
)
_LABELLED_KINDS = frozenset({ValueKind.MONEY, ValueKind.NUMBER, ValueKind.PERCENT})
# What a sentence says a value to be: `the deductible is`, `deposit:`.
_SAID_OF = re.compile(
    r"(?:^[ \t*_-]*|(?<!\w)(?:an?|the|your|its|their|der|die|das|ihre?|la|le|el|su"
    r"|votre) )"
    r"[*_]{0,3}([^\W\d_]{3,20}(?: [^\W\d_]{3,20}){0,2})"
    r"(?:[*_]{0,3}:[*_]{0,3}| (?:is|was|costs?|of|beträgt|coûte|est de|es de|cuesta))"
    r"(?: (?:now|only|about))? ?$",
    re.IGNORECASE | re.MULTILINE,
)
_DETERMINERS = word_set("the your its their our this that")
# Labels that stand for several fields.
_GENERAL = word_set(
    """
    total amount price cost sum value balance number fee charge payment refund rate
    due result limit
    """
)
_CALCULATED = re.compile(
    r"(?<!\w)(?:left|remain\w{0,4}|brings?|total|altogether|additional|another|more"
    r"|new|each|per)(?!\w)",
    re.IGNORECASE,
)
_LABEL_BEFORE = re.compile(
    r"([A-Za-z]{2,20}(?: [a-z]{2,20}){0,2})[*_]{0,3}:[*_]{0,3} $"
)
# In front of a number that is called by it: "position 7".
_NAMED_BEFORE = re.compile(r"(?<![\w-])([^\W\d_]{4,20}) [*_]{0,2}$")
# Words of keys that say of a number what it is and not of what.
_UNCOUNTED = word_set("number total count id amount price day days hour minute size of")
_PERSONS = word_set(
    """
    people person party guest ticket rider passenger adult traveler traveller seat group
    """
)


_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_BEGINNING = 5
# Words of a day's key that do not say which day it is.
_ANY_DAY = word_set("date day at on next last time from to of the")


def _object_of(leaf: Leaf) -> str:
    """Return what the object is called whose day is just its `date`."""
    above = leaf.path[-2] if len(leaf.path) > 1 else None
    plain = _ANY_DAY.issuperset(key_words(leaf.key))
    return above if plain and isinstance(above, str) else ""


def _speaks_of(key: str, text: str, *, most: bool) -> bool:
    """Whether a text has the words of a key, told by how they begin.

    Args:
        key: The key of a field.
        text: Folded.
        most: Whether one of them is enough, or a key that says nothing.
    """
    words = [one for one in key_words(key) if one not in _ANY_DAY]
    spoken = [one[:_BEGINNING] in text for one in words]
    return any(spoken) or not words if most else bool(spoken) and all(spoken)


def _against(reason: ValueNote, leaves: Iterable[Leaf], note: str) -> Ruling:
    """Return that a value is not what its thing has, and what both have."""
    return Ruling(
        status=ValueStatus.UNSUPPORTED,
        reason=reason,
        places=tuple(
            Place(Origin.OUTPUT, leaf.call, str(leaf.value), leaf) for leaf in leaves
        ),
        note=note,
    )


def _is_state_of_whole(leaves: Iterable[Leaf], own: Iterable[Leaf]) -> bool:
    """Whether a state is that of what a thing is a part of: `open` of its order."""
    around = frozenset().union(*(leaf.ids_around for leaf in own))
    return any(
        leaf.key in _STATE_KEYS
        and leaf.record is not None
        and leaf.record.id.casefold() in around
        for leaf in leaves
    )


def _of_list(shown: ListShown) -> ValueEvidence:
    names = [one.id for one in shown.record.chain() if one.id] if shown.record else []
    return ValueEvidence(
        call=shown.call,
        path=_path(shown),
        text=str(shown.length),
        record=names[0] if names else "",
    )


def _path(shown: ListShown) -> str:
    return ".".join(map(str, shown.path))


def field_below(leaf: Leaf, record: Record) -> str:
    """Return the path of a leaf below a record, list positions left out."""
    depth = len(record.path)
    return ".".join(one for one in leaf.path[depth:] if isinstance(one, str))


def _own_id(leaf: Leaf) -> str:
    return leaf.record.id if leaf.record is not None else ""


def _stands_alone(text: str, start: int, end: int) -> bool:
    before = text[start - 1 : start]
    after = text[end : end + 1]
    return not (before.isalnum() or before == "_" or after.isalnum() or after == "_")


def _listed(leaves: Sequence[Leaf]) -> str:
    return ", ".join(str(one.value) for one in leaves[:3])


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _last_words(key: str) -> frozenset[str]:
    return frozenset(map(_stem, key_words(key)[-1:]))


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


def _is_change(participle: str) -> bool:
    """Whether a word says that something was changed: "amended", "shortened"."""
    return not _CHANGES.isdisjoint(VERBS.get(stem(participle), ()))

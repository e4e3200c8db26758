"""What an answer reads back of the user's request: "You want 2 seats, correct?".

Such a sentence repeats the user, so that a value in it that nobody gave is wrong, and
so is one that the user has changed since.
"""

import re
from collections.abc import Iterator, Sequence

from verifyhub.engine.lazily import cached_property
from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Interaction, Span
from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.name_words import ABBREVIATIONS
from verifyhub.engine.values.reading import values_in
from verifyhub.engine.values.value import Value


class ReadBack:
    """The request of a user, and where an answer reads it back.

    Args:
        interaction: The run.
    """

    def __init__(self, interaction: Interaction) -> None:
        self._answer = interaction.answer
        self._task = interaction.task[-_LONGEST_TASK:]

    @cached_property
    def spans(self) -> Sequence[Span]:
        """The lines that read a request back, as far as they repeat the user."""
        if not self._task:
            return ()
        return [span for span in _lines(self._answer) if self._repeats(span)]

    def has(self, span: Span) -> bool:
        """Whether a place is read back."""
        return any(start <= span[0] and span[1] <= end for start, end in self.spans)

    def _repeats(self, span: Span) -> bool:
        """Whether a line has words of the user: advice may begin in the same way."""
        words = {*_LONG_WORD.findall(self._answer[slice(*span)].casefold())}
        return len(words & self._words - _OF_SIGNS) >= _FEWEST_WORDS

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(_LONG_WORD.findall(self._task.casefold()))

    def names(self) -> Iterator[tuple[Span, bool]]:
        """Yield the names that are read back, and whether the user gave them."""
        for start, end in self.spans:
            for match in _NAME.finditer(self._answer, start, end):
                words = _WORD.findall(match[1].casefold())
                if match[1] not in ABBREVIATIONS and not _NO_NAMES.issuperset(words):
                    yield match.span(1), self._is_given(words)

    def _is_given(self, words: Sequence[str]) -> bool:
        """Whether the user gave a name, its beginning or its initials."""
        initials = "".join(word[0] for word in words)
        return any(
            given.startswith(word[:_SAME_BEGINNING])
            for word in words
            if len(word) >= _SAME_BEGINNING
            for given in self._words
        ) or any(
            code.casefold().startswith(initials) or initials.startswith(code.casefold())
            for code in _CODE.findall(self._task)
        )

    def newer(self, value: Value) -> str:
        """Return what the user has changed a value to; "" where it stands.

        The user said both, and the newer one in words of a change.
        """
        is_said, newer = False, ""
        for turn, values in self._turns:
            alike = [one for one in values if one.kind is value.kind]
            if any(_is_same(one, value) for one in alike):
                is_said, newer = True, ""
            elif is_said and len(alike) == 1 and _CHANGE.search(turn):
                newer = alike[0].text
        return newer

    def other_number(self, value: Value) -> str:
        """Return the number that the user gave instead, of people or of one noun.

        "For 2 people" is wrong of a party of 3.
        """
        noun = self._counted(self._answer, value)
        given = [
            one
            for turn, values in self._turns
            for one in values
            if one.kind is ValueKind.NUMBER and self._counted(turn, one) == noun
        ]
        if not noun or not given:
            return ""
        # There is one party: how many they are was changed by saying it again.
        last = given[-1:] if noun == _PERSON else given
        return "" if any(_is_same(one, value) for one in last) else given[-1].text

    def is_of_party(self, value: Value) -> bool:
        """Whether a number tells how many persons something is for."""
        before = self._answer[max(0, value.span[0] - 9) : value.span[0]]
        return _FOR.search(before) is not None and (
            self._counted(self._answer, value) == _PERSON
        )

    def _counted(self, text: str, value: Value) -> str:
        """Return what a number counts, one word for all persons; "" for nothing."""
        noun = value.counts[0] if value.counts else ""
        if noun in _PERSONS:
            return _PERSON
        is_short = noun in _BEHIND_SHORT or not noun
        if is_short and text[max(0, value.span[0] - 4) : value.span[0]] == "for ":
            return _PERSON
        return "" if is_short else noun.rstrip("s")

    @cached_property
    def _turns(self) -> Sequence[tuple[str, Sequence[Value]]]:
        """What the user said, turn by turn, and the values in it."""
        turns = self._task.split("\n\n")
        return [(turn, tuple(values_in(turn))) for turn in turns]


def _is_same(one: Value, other: Value) -> bool:
    """Whether two values are equal, or a day and its number alone: "the 11th"."""
    if not one.forms.isdisjoint(other.forms):
        return True
    days = [form[3] for form in one.forms if form[0] == "d" and len(form) > 3]
    of_month = [form[:1] + form[3:] for form in other.forms if form[0] == "d"]
    return any(("d", day) in of_month for day in days) and any(
        form[2] is None for form in (*one.forms, *other.forms) if len(form) > 3
    )


def _lines(answer: str) -> Iterator[Span]:
    """Yield the lines that ask for confirmation, each from where it does."""
    for line in _LINE.finditer(answer):
        asks = _ASKS_BEHIND.search(answer, *line.span())
        opens = _OPENS.search(answer, *line.span())
        if asks is not None:
            yield line.start(), asks.start()
        elif opens is not None:
            yield opens.start(1), line.end()


_PERSON = "person"
_FOR = re.compile(r"(?<!\w)(?:for|party of|für|pour|para|на) $")
_LONGEST_TASK = 20_000
_FEWEST_WORDS = 2
_SAME_BEGINNING = 4
_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"[^\W_]+")
_LONG_WORD = re.compile(r"[^\W_]{3,40}")
_CODE = re.compile(r"(?<![^\W_])[A-Z]{2,4}(?![^\W_])")
# A sentence that begins so and ends as a question, or that asks to confirm.
_OPENS = re.compile(
    r"(?:^|[.!?:,])\s{0,3}(?:so |and |just |now |ok(?:ay)?,? |alright,? ){0,2}"
    r"((?:you(?:['’]d like|['’]re looking| would like| wish| want(?:ed)?| need"
    r"| are looking)|sie (?:möchten|wollen|wünschen)|vous (?:souhaitez|voulez|désirez)"
    r"|(?:usted )?(?:quiere|desea)s?|вы хотите)\b(?:[^.?!\n]|(?<=\d)\.){1,300}\?"
    r"|(?:shall|should|may|can) i (?:book|reserve|order|buy|purchase|get|arrange"
    r"|schedule|request)\b[^.?!\n]{1,300}\?"
    r"|(?:booking|reserving|ordering|buying|scheduling)(?= an? | the | \d)"
    r"|(?:to )?confirming(?=[ :])|to confirm(?=[,:])|noted:|got it:"
    r"|(?:please|kindly|can you|could you) (?:verify|confirm|check)\b"
    r"|(?:i need|give|for) (?:a |the |your )?confirmation"
    r"|bitte bestätigen|veuillez confirmer|merci de confirmer"
    r"|(?:por favor,? )?confirme\b|подтвердите)",
    re.IGNORECASE | re.MULTILINE,
)
_ASKS_BEHIND = re.compile(
    r"(?:(?:is|are) (?:that|this|these|all|everything|it)(?: all| information)? "
    r"(?:right|correct|ok(?:ay)?)|(?<=[,.] )(?:is that )?(?:correct|right)"
    r"|(?:richtig|stimmt das|ist das (?:richtig|korrekt))"
    r"|est-ce (?:correct|exact|bien ça)"
    r"|¿(?:es )?correcto|(?:всё |все )?(?:верно|правильно))\s?\?",
    re.IGNORECASE,
)
# Behind a word without a capital, and with capitals.
_PART = r"[^\W\d_a-zà-öø-ÿа-я](?:\.\w\.|[\w'’&-]{0,30}(?:\.\w{1,30})?)"
_NAME = re.compile(
    r"(?<![\w'’-])[^\W\d_A-ZÀ-ÞА-Я][\w'’-]{0,30},?[ ]"
    rf"({_PART}(?:[ ](?:(?:of|the|and|de|la|&)[ ]){{0,2}}{_PART}){{0,5}})"
)
_NO_NAMES = word_set("i the a you ok am pm usd eur gbp please yes no") | word_set(
    "january february march april may june july august september october november"
    " december monday tuesday wednesday thursday friday saturday sunday"
)
_OF_SIGNS = word_set(
    "you want would like please confirm verify check correct this that the and for with"
    " your following information details details sie möchten vous quiere desea are"
)
_PERSONS = word_set(
    """
    person persons people ppl passenger passengers guest guests rider riders
    adult adults traveler travelers traveller travellers diner diners seat seats
    personen gäste personnes personne personas persona человек человека гостей
    """
)
# Behind "for 2", where it says no noun.
_BEHIND_SHORT = word_set("at on to in from and under by please tonight today tomorrow")
_CHANGE = re.compile(
    r"(?<!\w)(?:no|nope|wrong|actually|instead|chang\w{1,3}|make (?:it|that)|rather"
    r"|better|again|forget|sorry|wait|meant|another|one more|not|nein|doch|lieber|statt"
    r"|ändern|non|plutôt|changer|no,|mejor|cambi\w{1,3}|нет|лучше|вместо|измен\w{1,3})"
    r"(?!\w)",
    re.IGNORECASE,
)

"""Words of a text with their places, by which claims and evidence are compared."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from verifyhub.engine.text.tokens import word_set
from verifyhub.engine.types import Span

# Numbers with their separators, then words; both always consume.
_TOKEN = re.compile(
    r"\d++(?:[.,:/]\d++)*+[A-Za-zА-Яа-я%]{0,4}|[^\W_]++(?:['’\-][^\W\d_]++)*+"
)
# Letters and joints that one of the languages has and the others hardly ever.
_LOOKS = {
    "en": re.compile(r"\w['’](?:s|t|re|ve|ll)(?!\w)"),
    "fr": re.compile(r"(?<!\w)(?:[cdjlmnst]|qu)['’](?=\w)|[çœèêàù]"),
    "de": re.compile(r"[ßäöü]"),
    "es": re.compile(r"[ñ¿¡áíóú]"),
}
# What one claim or passage is compared by at most.
MAX_WORDS = 4_000
_APOSTROPHE = re.compile(r"['’]")
# `l'eau`, `qu'il`: the article is no part of the word.
_ELIDED = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w)", re.IGNORECASE)


STOP_WORDS: dict[str, frozenset[str]] = {
    "en": word_set(
        """
        a an the and or but if then than that this these those there here of in on at
        by for from to with as into onto over under about after before between through
        during against is are was were be been being am do does did done doing have has
        had having will would shall should can could may might must it its itself he
        him his himself she her hers herself they them their theirs themselves we us
        our ours you your yours i me my mine myself who whom whose which what when
        where why how all any both each few more most other some such no nor not only
        own same so too very s t just also now up out off again further once because
        while until one ve ll re d m don didn doesn isn wasn aren weren hasn haven
        it's that's there's i'm i've don't doesn't didn't isn't wasn't
        """
    ),
    "ru": word_set(
        """
        и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по
        только ее её мне было вот от меня еще ещё нет о об из ему теперь когда даже ну
        вдруг ли если уже или ни быть был была были него до вас нибудь опять уж вам
        ведь там потом себя ничего ей может они тут где есть надо ней для мы тебя их
        чем сам чтоб чтобы без будто чего раз тоже себе под будет ж тогда кто этот того
        потому этого какой совсем ним здесь этом один почти мой тем нее неё сейчас куда
        зачем всех при который которая которое которые этой эта это эти является также
        более между
        """
    ),
    "fr": word_set(
        """
        le la les un une des du de d l au aux et ou mais donc or ni car que qui quoi
        dont où ce cet cette ces c ça il elle ils elles on nous vous je j tu me m te t
        se s lui leur leurs y en à dans par pour sur sous avec sans entre vers chez est
        sont était étaient être été a ont avait avaient avoir eu sera seront fut son sa
        ses mon ma mes ton ta tes notre nos votre vos ne n pas plus moins très aussi si
        comme même tout tous toute toutes qu lorsque quand puis alors
        """
    ),
    "de": word_set(
        """
        der die das den dem des ein eine einer eines einem einen und oder aber denn
        sondern wenn als wie dass daß ob weil in im ins an am auf aus bei beim mit nach
        von vom zu zum zur für durch über unter vor hinter neben zwischen gegen ohne um
        ist sind war waren sein gewesen bin bist wird werden wurde wurden worden hat
        haben hatte hatten kann können konnte soll sollen muss müssen er sie es ich du
        wir ihr sich mich dich uns euch ihm ihn ihnen mein dein seine seiner seinem
        seinen ihre ihrer ihrem ihren unser euer dieser diese dieses diesem diesen
        jener welche welcher welches nicht kein keine auch noch nur schon so sehr mehr
        da hier dort dann man bis
        """
    ),
    "es": word_set(
        """
        el la los las un una unos unas lo de del al a ante bajo con contra desde en
        entre hacia hasta para por según sin sobre tras y e o u ni pero sino que quien
        quienes cual cuales cuyo donde cuando como si es son era eran ser sido fue
        fueron está están estaba estar ha han había haber he hay se me te le les nos os
        su sus mi mis tu tus nuestro nuestra este esta estos estas ese esa esos esas
        aquel yo tú él ella ellos ellas usted no ya muy más menos también tan todo toda
        todos todas
        """
    ),
}
ALL_STOP_WORDS = frozenset().union(*STOP_WORDS.values())

NEGATIONS = word_set(
    """
    not no never none neither nor nobody nothing nowhere without cannot hardly n't
    не нет ни никогда никто ничего нигде без нельзя никакой
    pas jamais aucun aucune rien ni sans personne
    nicht kein keine keiner keinen keinem keines nie niemals niemand nichts ohne
    nunca jamás ningún ninguno ninguna nadie nada sin tampoco
    """
)
# `no` is Spanish and English, `ne` French, `sin` Spanish and an English noun.
_BY_LANGUAGE = {
    "en": frozenset({"sin", "nada", "nie", "ni", "pas", "personne", "rien"}),
    "de": frozenset({"sin", "ni", "no", "personne", "none"}),
    "fr": frozenset({"no", "sin", "nada", "none"}),
    "es": frozenset({"pas", "nie", "none"}),
    "ru": frozenset[str](),
}

_ENDINGS = {
    "en": ("ational", "fulness", "iveness", "ments", "ment", "ings", "ing", "edly",
           "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e", "y"),
    "ru": ("ировать", "ностью", "ости", "ость", "ениями", "ение", "ения", "ениям",
           "ыми", "ими", "ого", "его", "ому", "ему", "ами", "ями", "ах", "ях", "ой",
           "ый", "ий", "ая", "яя", "ое", "ее", "ые", "ие", "ов", "ев", "ей", "ам",
           "ям", "ом", "ем", "ть", "ла", "ло", "ли", "ет", "ит", "ют", "ят", "а",
           "я", "ы", "и", "о", "е", "у", "ю", "ь", "л"),
    "fr": ("issements", "issement", "ations", "ation", "ements", "ement", "aient",
           "ait", "ent", "ées", "ée", "és", "er", "ir", "es", "eux", "aux", "é", "e",
           "s", "x"),
    "de": ("ungen", "ung", "heiten", "heit", "keiten", "keit", "lichen", "liche",
           "lich", "ischen", "isch", "ern", "em", "en", "er", "es", "et", "st", "te",
           "ten", "e", "n", "s", "t"),
    "es": ("aciones", "ación", "amientos", "amiento", "mente", "ados", "adas", "ado",
           "ada", "aron", "ando", "iendo", "idos", "idas", "ido", "ida", "ar", "er",
           "ir", "os", "as", "es", "ó", "o", "a", "e", "s"),
}  # fmt: skip
_SHORTEST_STEM = 4


class ClaimToken(NamedTuple):
    """One word: as it stands (`text`), in small letters (`key`), and its stem."""

    text: str
    key: str
    stem: str
    span: Span

    @property
    def is_number(self) -> bool:
        return self.text[0].isdigit()


def words(text: str, language: str = "en") -> list[ClaimToken]:
    """Return the words of a text in order, at most 4,000.

    Args:
        language: The language of the stemmer.
    """
    tokens: list[ClaimToken] = []
    elides = language in ("fr", "es")
    for match in _TOKEN.finditer(text):
        token, (start, end) = match.group(), match.span()
        elided = _ELIDED.match(token) if elides else None
        if elided:
            token, start = token[elided.end() :], start + elided.end()
        read = _forms if len(token) <= _LONGEST_KEPT else _forms.__wrapped__
        key, root = read(token, language)
        tokens.append(ClaimToken(token, key, root, (start, end)))
        if len(tokens) == MAX_WORDS:
            break
    return tokens


# Most words of a text are words of other texts too.
_LONGEST_KEPT = 24


@lru_cache(maxsize=8192)
def _forms(word: str, language: str) -> tuple[str, str]:
    """Return a word in small letters, and its stem."""
    key = normal(word)
    return key, stem(key, language)


def normal(word: str) -> str:
    """Return a word in small letters, of compatible forms the plain one."""
    if word.isascii():
        return word.lower().removesuffix("'s")
    plain = unicodedata.normalize("NFKC", word)
    folded = _APOSTROPHE.sub("'", plain.casefold())
    return folded.removesuffix("'s").replace("ё", "е")


def stem(key: str, language: str = "en") -> str:
    """Cut one ending, so that forms of a word meet; numbers stay as they are."""
    if key[:1].isdigit():
        return key
    endings = _ENDINGS.get(language, ())
    if not key.endswith(endings):
        return key
    for ending in endings:
        if key.endswith(ending) and len(key) - len(ending) >= _SHORTEST_STEM:
            return key[: -len(ending)]
    return key


def is_content(word: ClaimToken, language: str) -> bool:
    """Return whether a word carries meaning of its own."""
    if word.is_number:
        return True
    stop = STOP_WORDS.get(language, ALL_STOP_WORDS)
    return len(word.key) > 1 and word.key not in stop


def negations(tokens: list[ClaimToken], language: str) -> list[ClaimToken]:
    """Return the words that deny something."""
    other = _BY_LANGUAGE.get(language, frozenset())
    return [
        word
        for word in tokens
        if (word.key in NEGATIONS or word.key.endswith("n't")) and word.key not in other
    ]


def language_of(text: str, default: str = "en") -> str:
    """Guess a text's language by its letters and its small words."""
    head = text[:4_000]
    if head.isascii():
        keys = _TOKEN.findall(head.lower())
        if "'" in head:
            keys = [key.removesuffix("'s") for key in keys]
    else:
        keys = list(map(normal, _TOKEN.findall(head)))
    if not text.isascii():
        letters = [char for char in text[:1_000] if char.isalpha()]
        cyrillic = sum("а" <= char.lower() <= "ё" for char in letters)
        if cyrillic * 2 > len(letters):
            return "ru"
    counts = {
        language: sum(map(stop.__contains__, keys))
        for language, stop in STOP_WORDS.items()
        if language != "ru"
    }
    # Without these there are none of a language's looks.
    if "'" in text or not text.isascii():
        small = head.casefold()
        for language in counts:
            counts[language] += len(_LOOKS[language].findall(small))
    best = max(counts, key=lambda language: (counts[language], language == default))
    return best if counts[best] > counts.get(default, 0) else default

"""Split text into sentences, in English, Russian, French, German and Spanish.

One rule for all five: an answer may mix them, and a language guessed wrongly must not
cut a sentence in two. What looks like an end and is none (abbreviations, initials,
ordinals, ellipses) is looked up in the few characters around it, so that the work is
linear in the text whatever stands in it.
"""

import re
from collections.abc import Iterator

from verifyhub.engine.text.tokens import word_set

# A sentence longer than this is data; it is cut between words.
MAX_CHARACTERS = 1_200
# Looked at on either side of an end that may be none.
_AROUND = 24

_END = re.compile(
    r"(?<![.!?…。！？])[.!?…。！？]++[\"'”’»)\]*_`]*+(?:[ \u00a0\u202f]»)?(?=\s|$)"
)
# An empty line, or a line that begins again: list item, heading, row, quote.
_NEW_LINE = re.compile(r"\n(?=[ \t]{0,12}(?:\n|[-*+•]\s|\d{1,3}[.)]\s|#{1,6}\s|[|]))")
# `etc.` in its spellings: an end, where a capital follows.
_AND_SO_ON = re.compile(
    r"(?<!\w)(?:etc|usw|u\. ?s\. ?w|и т\. ?[дп]|и (?:др|пр))$", re.IGNORECASE
)
_LAST_WORD = re.compile(r"[^\s(\[{\"'“«„]{1,24}$")
_NEXT_WORD = re.compile(r"[\"'“«„(\[*_]{0,4}([^\W_]{1,20})")


# Titles and signs that something follows: an end never stands behind them.
_NEVER = word_set(
    """
    mr mrs ms dr prof st sr sra srta dra gen col lt sgt rev hon gov sen rep capt cmdr
    m mm mme mlle me hr fr frau dipl ing
    г гр ул им пр д кв корп проф акад инж руб
    e.g i.e eg ie vs cf viz ca approx esp incl fig figs eq no nos nr vol vols ch sec
    art pp al
    p.ex par.ex env éd chap
    z.b d.h u.a bzw vgl evtl ggf sog inkl bspw abs s
    т.е т.к напр см рис табл гл стр ср тыс млн млрд
    p.ej ej núm pág págs cap aprox
    """
)
# Of these the sentence may end, and does where a capital follows.
_SOMETIMES = word_set(
    """
    etc inc ltd co corp jr sr a.m p.m usw u.s.w u.s u.k e.u d.c ph.d b.c a.d
    т.д т.п др пр гг вв в н.э mio mrd mill etc ee.uu
    """
)
# Words that begin a sentence and hardly ever a name.
_STARTERS = word_set(
    """
    the a an it he she they we you i this that these those there in on at by for from
    with as when while after before since if but and however its his her their
    der die das ein eine er sie es wir ich dies diese in im am bei mit nach als wenn
    le la les un une il elle ils elles nous je ce cette ces dans en au aux avec après
    el la los las un una él ella ellos este esta en por con para
    он она оно они мы я это этот эта эти в во на по с со из к для после когда если но и
    """
)
# Capitalised in German behind an ordinal: `am 3. Oktober`, `im 19. Jahrhundert`.
_AFTER_ORDINAL = word_set(
    """
    januar jänner februar märz april mai juni juli august september oktober november
    dezember jahrhundert jahrhunderts jahrtausend weltkrieg geburtstag platz kapitel
    auflage mal tag klasse etage stock bundesliga semester lebensjahr
    """
)


def sentence_spans(
    text: str, start: int = 0, end: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield the range of each sentence in order, without surrounding blanks.

    Args:
        text: Prose; line breaks inside a paragraph are blanks.
        start: Where to begin, in code points.
        end: Where to stop; None for the end of the text.
    """
    last = len(text) if end is None else end
    lowercase = text[start:last].islower()
    for first, line_end in _lines(text, start, last):
        begin = first
        for mark in _END.finditer(text, first, line_end):
            if _ends(text, mark, begin, line_end, lowercase):
                yield from _pieces(text, begin, mark.end())
                begin = mark.end()
        yield from _pieces(text, begin, line_end)


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut at empty lines, and before lines that begin something new."""
    last = start
    for mark in _NEW_LINE.finditer(text, start, end):
        yield last, mark.start()
        last = mark.end()
    yield last, end


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Strip blanks, and cut what is longer than a sentence can be."""
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    while end - start > MAX_CHARACTERS:
        cut = text.rfind(" ", start + MAX_CHARACTERS // 2, start + MAX_CHARACTERS)
        cut = cut if cut > 0 else start + MAX_CHARACTERS
        yield start, cut
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _ends(
    text: str, mark: re.Match[str], begin: int, end: int, lowercase: bool
) -> bool:
    after = mark.end()
    while after < end and text[after].isspace():
        after += 1
    if after == end:
        return True
    following = _NEXT_WORD.match(text, after, min(end, after + _AROUND))
    word = following[1] if following else ""
    if word[:1].islower() and not lowercase:
        # Tokenised text puts a blank before its marks: `it . it`.
        return text[mark.start() - 1 : mark.start()].isspace()
    if not mark.group().startswith(".") or mark.group().startswith(".."):
        return True
    around = text[max(begin, mark.start() - _AROUND) : mark.start()]
    before = _LAST_WORD.search(around)
    if before is None or _AND_SO_ON.search(around):
        return True
    return not _shortens(before.group(), word)


def _shortens(before: str, following: str) -> bool:
    """Return whether the point belongs to the word before it."""
    word, after = before.casefold().strip("*_"), following.casefold()
    if word in _NEVER:
        return True
    if word.isdigit() and len(word) <= 2:
        return after in _AFTER_ORDINAL
    alone = len(word) == 1 and word.isalpha()
    if alone and len(following) == 1 and following.isalpha():
        return True
    initial = alone and not before.islower()
    if word in _SOMETIMES or initial or _is_acronym(word):
        return not following[:1].isupper() or after not in _STARTERS
    return False


def _is_acronym(word: str) -> bool:
    parts = word.split(".")
    return len(parts) > 1 and all(len(part) == 1 for part in parts)

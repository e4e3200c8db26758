"""Parse numbers in text, in digits and in words.

Who looks for numbers decides which places of a text are looked at and what a number
is of; what its spelling stands for is read here.
"""

import re
from collections.abc import Mapping

from verifyhub.engine.text.quantity_words import SMALL_NUMBERS, TENS

_BLANKS = re.compile(r"[ \u00a0\u202f]")
_SEPARATOR = re.compile(r"[.,]")
# `once` is eleven in Spanish, `null` no number in a program, `cent` a coin.
_NO_NUMBERS = frozenset({"once", "null", "cent", "mil", "son"})
_TABLES: list[Mapping[str, float]] = [*SMALL_NUMBERS.values(), TENS]
# The words for numbers that are none in any other of the five languages.
SPELLED: dict[str, float] = {
    word: float(number)
    for words in _TABLES
    for word, number in words.items()
    if word not in _NO_NUMBERS
}


def figures(digits: str, *, decimal_comma: bool = False) -> frozenset[float]:
    """Return every number that digits with separators can stand for.

    Args:
        digits: Such as `1234`, `1,234.5`, `1.234,5` or `1 234`.
        decimal_comma: Whether `1,234` may be one and a bit, as in German, and not only
            a thousand and more. `1.234` may be both anyway.

    Returns:
        None where no number is spelt so, as with a version: `1.2.3`.
    """
    plain = _BLANKS.sub("", digits)
    separators = _SEPARATOR.findall(plain)
    if not separators:
        return frozenset({float(plain)})
    groups = _SEPARATOR.split(plain)
    thousands = (
        len(set(separators)) == 1
        and bool(groups[0].strip("0"))
        and len(groups[0]) <= 3
        and all(len(group) == 3 for group in groups[1:])
    )
    numbers = {float("".join(groups))} if thousands else set()
    is_decimal = (
        decimal_comma or not thousands or separators[0] == "."
        if len(separators) == 1
        else len(set(separators[:-1])) == 1 and separators[-1] != separators[0]
    )
    if is_decimal:
        numbers.add(float("".join(groups[:-1]) + "." + groups[-1]))
    return frozenset(numbers)


def spelled(word: str, words: Mapping[str, float] = SPELLED) -> float | None:
    """Return the number that a word stands for: `seven`, `thirty`, `twenty-three`.

    Args:
        word: In lower case.
        words: The numbers by their words.
    """
    if word in words:
        return words[word]
    tens, _, ones = word.partition("-")
    if words.get(tens, 0) >= 20 and 1 <= words.get(ones, 0) < 10:
        return words[tens] + words[ones]
    return None

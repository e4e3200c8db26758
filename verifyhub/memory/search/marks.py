"""Positions of search words in a text."""

import re

MAX_WORDS = 10
MIN_WORD = 2
# The share of common trigrams from which one word counts as the other misspelt.
NEAR = 0.25

_WORD = re.compile(r"[^\W_]+")
_NOT_WANTED = re.compile(r"(?<!\S)-\S*+|(?i:\bor\b)")


def match_spans(text: str, query: str) -> list[tuple[int, int]]:
    """Return the positions of the words of a query in a text, as half-open ranges.

    Parts of words count. If the text contains no word of the query, similar words do.
    Words with a minus are not marked.
    """
    words = _WORD.findall(_NOT_WANTED.sub(" ", query))
    long_words = [word for word in words if len(word) >= MIN_WORD][:MAX_WORDS]
    if not long_words:
        return []
    longest_first = sorted(long_words, key=len, reverse=True)
    either = re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE)
    return [match.span() for match in either.finditer(text)] or [
        match.span()
        for match in _WORD.finditer(text)
        if any(_is_near(match[0], word) for word in long_words)
    ]


def _is_near(text: str, other: str) -> bool:
    first, second = _trigrams(text), _trigrams(other)
    return len(first & second) >= NEAR * len(first | second)


def _trigrams(word: str) -> set[str]:
    padded = f"  {word.casefold()} "
    return {padded[at : at + 3] for at in range(len(padded) - 2)}

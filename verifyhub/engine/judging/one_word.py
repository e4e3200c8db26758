"""A judge's verdict of one word, read exactly (requirement D3).

`"VERIFIED" in reply` also holds for UNVERIFIED and for NOT VERIFIED, and a reply that
names two verdicts holds either; so a reply counts only if it is one allowed word.
"""

from collections.abc import Iterable

_QUOTES = {'"': '"', "'": "'", "“": "”", "«": "»", "`": "`", "**": "**"}


def one_word(text: str, allowed: Iterable[str]) -> str | None:
    """Return the allowed word that the reply is, as it is spelled there; else None.

    Case and blanks around it do not matter; one pair of quotes and one full stop are
    taken off. Look-alike letters are other letters.

    Args:
        text: What the model wrote.
        allowed: ASCII words, each without blanks.
    """
    word = _unquoted(text.strip())
    word = _unquoted(word.removesuffix("."))
    if not word.isascii():
        return None
    return next(
        (candidate for candidate in allowed if candidate.upper() == word.upper()), None
    )


def _unquoted(word: str) -> str:
    for opening, closing in _QUOTES.items():
        inner = word[len(opening) : -len(closing)]
        if inner and word == f"{opening}{inner}{closing}":
            return inner
    return word

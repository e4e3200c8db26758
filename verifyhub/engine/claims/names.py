"""Names in prose, by their capitals: who and what a claim is about."""

from collections.abc import Sequence

from verifyhub.engine.claims.words import ALL_STOP_WORDS, ClaimToken

# What begins a sentence or hangs on a name and is none.
_NO_NAMES = frozenset({
    "january", "february", "march", "april", "may", "june", "july", "august",
    "september", "october", "november", "december", "monday", "tuesday", "wednesday",
    "thursday", "friday", "saturday", "sunday", "yes", "no", "hi", "hello", "hey",
    "well", "oh", "ok", "okay", "sure", "thanks", "mr", "mrs", "ms", "dr",
})  # fmt: skip


def names(
    tokens: Sequence[ClaimToken], text: str, language: str = "en"
) -> list[ClaimToken]:
    """Return the words that are spelt as names, in order.

    A word with a capital that begins a sentence may be any word; it counts only where
    another name follows it at once, or where it is written in capitals. In German
    every noun has a capital: only what is no dictionary noun by its looks counts,
    that is capitals within the word, or two capitals in a row.

    Args:
        tokens: The words of the text, with places in it.
        text: Where the words stand.
        language: Two letters.
    """
    return [
        word
        for place, word in enumerate(tokens)
        if _may_be_name(word) and _is_name(tokens, place, text, language)
    ]


def _may_be_name(word: ClaimToken) -> bool:
    plain = word.key in _NO_NAMES or word.key in ALL_STOP_WORDS
    return _has_capital(word) and not plain and len(word.text) > 1


def _is_name(
    tokens: Sequence[ClaimToken], place: int, text: str, language: str
) -> bool:
    if any(char.isupper() for char in tokens[place].text[1:]):
        return True
    if place + 1 < len(tokens) and _has_capital(tokens[place + 1]):
        return True
    begins = _begins(tokens, place, text)
    if (
        place
        and _has_capital(tokens[place - 1])
        and not _begins(tokens, place - 1, text)
    ):
        return not begins
    return language != "de" and not begins


def _has_capital(word: ClaimToken) -> bool:
    return word.text[:1].isupper()


def _begins(tokens: Sequence[ClaimToken], place: int, text: str) -> bool:
    """Return whether a word begins a sentence, an item or a quotation."""
    if place == 0:
        return True
    between = text[tokens[place - 1].span[1] : tokens[place].span[0]]
    return any(char in between for char in '.!?…:;\n"“«„|—')

"""The one word that a judge of claims answers with, read exactly (requirement D3)."""

from verifyhub.engine.claim_results import FactStatus
from verifyhub.engine.judging.one_word import one_word

TOKENS = {status.name: status for status in FactStatus}


def parse_token(text: str) -> FactStatus | None:
    """Return the status that a reply is the word for; None if it is no such word."""
    word = one_word(text, TOKENS)
    return None if word is None else TOKENS[word]

"""The passages of a long text that have most to do with another one."""

from collections.abc import Sequence

from verifyhub.engine.passages import PassageOrigin
from verifyhub.engine.retrieval.run_search import RunSearch
from verifyhub.engine.retrieval.split import split


def excerpts(text: str, about: str, *, most: int) -> tuple[list[str], int]:
    """Return passages of a text in the order of the text, and how many were left out.

    Args:
        text: Anything.
        about: What they shall have to do with, by words.
        most: How many at most.
    """
    passages = split(text, origin=PassageOrigin.SOURCE, ref="0")
    if len(passages) <= most:
        return [one.text for one in passages], 0
    (hits,) = RunSearch(passages).search([about], limit=most)
    chosen = {hit.passage.id for hit in hits}
    texts: Sequence[str] = [one.text for one in passages if one.id in chosen]
    # No word in common: the beginning is as good as anything.
    texts = texts or [one.text for one in passages[:most]]
    return list(texts), len(passages) - len(texts)

"""A model's structured opinion of a text: an allowed word and how sure it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from verifyhub.engine.judging.ask import ask_judge
from verifyhub.engine.judging.one_word import one_word
from verifyhub.engine.judging.replies import (
    SHARE,
    SubmissionError,
    read_object,
    read_share,
    read_text,
    reply_tool,
)
from verifyhub.engine.passages import PassageOrigin
from verifyhub.engine.ports import Model, ModelError, ModelRequest
from verifyhub.engine.retrieval.run_search import RunSearch
from verifyhub.engine.retrieval.split import split

WORD_TOKENS = 10


@dataclass(frozen=True, slots=True)
class WordOpinion:
    """One of the words that were allowed, and the confidence in it, 0..1."""

    word: str
    confidence: float


def ask_word(
    model: Model, words: Sequence[str], *, system: str, user: str, purpose: str
) -> str:
    """Ask for one of some words and nothing else, at temperature 0.

    Raises:
        ModelError: If no reply arrived, or it is none of the words.
    """
    request = ModelRequest(
        system=system,
        user=user,
        purpose=purpose,
        temperature=0.0,
        max_output_tokens=WORD_TOKENS,
    )
    word = one_word(model.ask(request).text, words)
    if word is None:
        raise ModelError("malformed", "the reply is none of the words")
    return word


def ask_opinion(
    model: Model, words: Sequence[str], *, system: str, user: str, purpose: str
) -> WordOpinion:
    """Ask for one of some words, with one repair try.

    Numbers beyond 0..1 are clamped; NaN, a text for a number and any other word are
    no reply (requirement A2).

    Raises:
        ModelError: If no readable reply arrived.
    """

    def parse(arguments: str) -> WordOpinion:
        data = read_object(arguments, ("opinion", "confidence"))
        word = one_word(read_text(data, "opinion"), words)
        if word is None:
            raise SubmissionError("opinion: none of the words that were asked for")
        confidence, _ = read_share(data, "confidence")
        return WordOpinion(word, confidence)

    tool = reply_tool(
        "submit_opinion",
        "Give your opinion.",
        {"opinion": {"type": "string", "enum": list(words)}, "confidence": SHARE},
    )
    opinion, _ = ask_judge(
        model,
        ModelRequest(system=system, user=user, tool=tool, purpose=purpose),
        parse=parse,
    )
    return opinion


def opinions_and_reason(
    replies: Sequence[WordOpinion | ModelError],
) -> tuple[list[WordOpinion], str]:
    """Return the opinions that came, and why one did not; empty where all did."""
    reasons = [reply.reason for reply in replies if isinstance(reply, ModelError)]
    opinions = [reply for reply in replies if isinstance(reply, WordOpinion)]
    return opinions, (reasons or [""])[0]


def excerpts(text: str, about: str, *, most: int) -> tuple[list[str], int]:
    """Return passages of a text in the order of the text, and how many were left out.

    Args:
        text: Anything.
        about: What they shall have to do with, by words.
        most: How many at most.
    """
    passages = split(text, origin=PassageOrigin.SOURCE, ref="0")
    if len(passages) <= most:
        return [passage.text for passage in passages], 0
    (hits,) = RunSearch(passages).search([about], limit=most)
    chosen = {hit.passage.id for hit in hits}
    texts: Sequence[str] = [
        passage.text for passage in passages if passage.id in chosen
    ]
    # No word in common: the beginning is as good as anything.
    texts = texts or [passage.text for passage in passages[:most]]
    return list(texts), len(passages) - len(texts)

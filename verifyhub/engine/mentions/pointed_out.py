"""Read names in an answer that a person or a model points out."""

import re
from bisect import bisect_left, insort
from collections.abc import Collection, Iterator, Sequence

from verifyhub.engine.mentions.classify import in_code_span
from verifyhub.engine.mentions.context import Context
from verifyhub.engine.mentions.extract import mention_key
from verifyhub.engine.mentions.named import ClassifiedText
from verifyhub.engine.types import Mention, Span

# A capital alone does not make a word a name: "Django".
_SHAPED = re.compile(r"[\d_./\\:()@$-]|[a-z][A-Z]")
_MAX_PLACES = 1000


def mentions_pointed_out(
    answer: str, names: Collection[str], known: Collection[Mention]
) -> tuple[Mention, ...]:
    """Return pointed-out names that are in the answer and that the extractor missed.

    Args:
        answer: The answer, which must contain a name exactly.
        known: The names that were found before; places do not overlap.
    """
    context = Context(answer)
    known_keys = {(mention.kind, mention.key) for mention in known}
    places = sorted(span for mention in known for span in mention.spans)
    mentions: list[Mention] = []
    for name in names:
        for match in in_code_span(name, None):
            text = name[match.start : match.end]
            key = mention_key(match.kind, match.key)
            if (
                match.weak
                or not _SHAPED.search(text)
                or (match.kind, key) in known_keys
            ):
                continue
            spans = tuple(_free(answer, name, match, places))
            if not key or not spans:
                continue
            known_keys.add((match.kind, key))
            for span in spans:
                insort(places, span)
            # A name may be missing unless a single plain statement requires it.
            reasons = [context.exemption(start, end) for start, end in spans]
            mentions.append(
                Mention(
                    text=text,
                    kind=match.kind,
                    spans=spans,
                    key=key,
                    exempt=None if None in reasons else reasons[0],
                )
            )
    return tuple(mentions)


def _free(
    answer: str, name: str, match: ClassifiedText, places: Sequence[Span]
) -> Iterator[Span]:
    """Yield the places of a whole name that do not overlap other names."""
    at, count = answer.find(name), 0
    while at >= 0 and count < _MAX_PLACES:
        start, end = at + match.start, at + match.end
        count += 1
        is_whole = not (
            answer[at - 1 : at].isalnum()
            or answer[at + len(name) : at + len(name) + 1].isalnum()
        )
        if is_whole and _is_free(start, end, places):
            yield start, end
        at = answer.find(name, at + len(name))


def _is_free(start: int, end: int, places: Sequence[Span]) -> bool:
    """Whether no place overlaps; places are in order and never overlap each other."""
    at = bisect_left(places, (start, start))
    before = at > 0 and places[at - 1][1] > start
    return not before and (at == len(places) or places[at][0] >= end)

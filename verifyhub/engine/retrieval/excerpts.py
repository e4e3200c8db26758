"""Excerpts of a run's outputs around an answer's names and numbers.

A judge sees a part of what tools returned. The beginnings of outputs seldom hold what
the answer speaks of, so these lines are chosen by its numbers and names: by how many of
them a line holds, rare ones first.
"""

import re
from collections import Counter
from itertools import chain

from verifyhub.common.visible import visible
from verifyhub.engine.ledger.ledger import Ledger
from verifyhub.engine.retrieval.run_passages import outputs_of, title_of
from verifyhub.engine.text.search import NameSearch, blocks

MAX_TERMS = 300
MAX_LINES = 60
MAX_LINE_CHARACTERS = 240
# Of one output, where names are looked at; a log may hold one in each of its lines.
MAX_PLACES = 20_000
# Of one output: a term in more lines distinguishes none of them.
MAX_LINES_OF_TERM = 20
# Numbers, and what is spelt like a name: with a digit, a joint or a capital within.
_TERM = re.compile(r"[\w.$/-]*[\d_./A-Z-][\w.$/-]*")
_SHORTEST = 2


def lines_about(ledger: Ledger, answer: str) -> tuple[tuple[str, str], ...]:
    """Return lines of outputs with the names of their calls, in the order of the run.

    Args:
        ledger: The run's calls, read; failed ones and the agent's own words show
            nothing.
        answer: Whose names and numbers are looked for.
    """
    words = (match.strip(".-/") for match in _TERM.findall(answer))
    terms = list(dict.fromkeys(word for word in words if len(word) >= _SHORTEST))
    if not terms:
        return ()
    search = NameSearch(terms[:MAX_TERMS])
    scored: list[tuple[float, int, int, str, str]] = []
    for order, (call, text) in enumerate(outputs_of(ledger)):
        terms_by_line: dict[tuple[int, int], set[int]] = {}
        for first, last in blocks(text):
            if len(terms_by_line) > MAX_PLACES:
                break
            for term, start, _ in search.in_block(text[first:last]):
                terms_by_line.setdefault(_line(text, first + start), set()).add(term)
        often = Counter(chain.from_iterable(terms_by_line.values()))
        for (start, end), line_terms in terms_by_line.items():
            rare = [term for term in line_terms if often[term] <= MAX_LINES_OF_TERM]
            if rare:
                weight = sum(1 / often[term] for term in rare)
                line = visible(text[start:end].strip())[:MAX_LINE_CHARACTERS]
                scored.append((-weight, order, start, title_of(call), line))
    best = sorted(scored)[:MAX_LINES]
    return tuple(
        (index, line) for _, _, _, index, line in sorted(best, key=lambda row: row[1:3])
    )


def _line(text: str, at: int) -> tuple[int, int]:
    """Return the line around a place, or of a long one a part."""
    low, high = max(0, at - MAX_LINE_CHARACTERS // 2), at + MAX_LINE_CHARACTERS // 2
    end = text.find("\n", at, high)
    start = text.rfind("\n", low, at) + 1
    return start or low, min(high, len(text)) if end < 0 else end

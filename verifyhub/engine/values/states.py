"""States that a thing is said to be in, where its record has another one."""

import re
from collections.abc import Iterator
from itertools import islice

from verifyhub.engine.value_results import ValueKind
from verifyhub.engine.values.name_words import CONDITION, STATE_SAID, STATES
from verifyhub.engine.values.names import Name, NameIndex, is_in_force, means_alike
from verifyhub.engine.values.spans import Spans
from verifyhub.engine.values.things import Things

_WORDS = r"([^\W\d_]{2,20}(?:[ _-][^\W\d_]{2,20}){0,2})"
_OPEN, _CLOSE = r"[*_\"'“‘`]", r"[*_\"'”’`]"
_SAID = (
    # `The status has been updated to 'shipped'`.
    re.compile(
        r"(?<!\w)stat(?:us|e)(?: of [^\n.:]{1,40}?)? (?:is|was|has been|remains)"
        r"(?: (?:now|currently|still|already|updated|changed|set|marked|to|as)){0,4}[ ]"
        rf"{_OPEN}{{0,4}}{_WORDS}(?={_CLOSE}|[.,;:!)\n]|$)",
        re.IGNORECASE,
    ),
    # `It is in 'shipped' status`, `marked as **shipped**`.
    re.compile(
        rf"(?<!\w)in (?:an? |the )?{_OPEN}{{1,4}}{_WORDS}{_CLOSE}{{1,4}} stat(?:us|e)"
        r"(?!\w)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?<!\w)(?:(?:marked|listed|shown) as|(?:is|are) (?:now|currently|still))"
        rf" {_OPEN}{{1,4}}{_WORDS}{_CLOSE}",
        re.IGNORECASE,
    ),
    STATE_SAID,
    # `It is still shipped`.
    re.compile(
        r"(?:(?<!\w)(?:is|are|remains?)|(?<=\w)['’]s)(?: (?:still|now|currently)){1,2}"
        rf"(?: in)? {_OPEN}{{0,4}}({STATES}|closed|open|lost|draft)(?!\w)",
        re.IGNORECASE,
    ),
)
_TO_DO = re.compile(r"[ ](?:to|by|at)(?!\w)")
_CONDITION_NEAR, _MOST_STATES = 40, 60


def wrong_states(
    answer: str, index: NameIndex, things: Things, taken: Spans
) -> Iterator[Name]:
    """Yield what no tool returned as a state, of a thing that has another one."""
    for pattern in _SAID:
        for match in islice(pattern.finditer(answer), _MOST_STATES):
            span = match.span(match.lastindex or 0)
            state = answer[slice(*span)].casefold()
            if taken.overlap(span) or index.has(state) or _TO_DO.match(answer, span[1]):
                continue
            before = answer[max(0, match.start() - _CONDITION_NEAR) : match.start()]
            if CONDITION.search(before):
                continue
            own = things.state_of(span)
            if not own and not index.is_known(state):
                own = things.states_of_all or index.states
            if own and not (means_alike(state, own) or is_in_force(state, own)):
                yield Name(span, ValueKind.STATUS, near=str(own[-1].value))

"""Read the web requests of a run with their HTTP status, and its searches."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verifyhub.engine.calls.call import Call
from verifyhub.engine.calls.echoes import found_nothing
from verifyhub.engine.calls.states import CallState

LONGEST_QUERY = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """One requested address; `status` is None if unknown."""

    call: int
    url: str
    status: int | None
    state: CallState


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A search; `has_results` is None if unknown."""

    call: int
    text: str
    state: CallState
    has_results: bool | None


def read_fetches(calls: Iterable[Call]) -> Iterator[Fetch]:
    """Yield the addresses that calls requested, in order."""
    for entry in calls:
        for url in entry.urls:
            yield Fetch(
                call=entry.index, url=url, status=entry.http_status, state=entry.state
            )


def read_queries(calls: Iterable[Call]) -> Iterator[Query]:
    """Yield what calls searched for, in order."""
    for entry in calls:
        for text in entry.queries:
            yield Query(
                call=entry.index,
                text=text[:LONGEST_QUERY],
                state=entry.state,
                has_results=_has_results(entry),
            )


def _has_results(entry: Call) -> bool | None:
    if not entry.is_recorded:
        return None
    return entry.succeeded and not found_nothing(entry.call.output)

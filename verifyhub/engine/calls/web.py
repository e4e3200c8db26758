"""Addresses that were fetched with the HTTP status, and what was searched for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from verifyhub.engine.calls.call import LedgerCall
from verifyhub.engine.calls.echoes import found_nothing
from verifyhub.engine.calls.states import CallState
from verifyhub.engine.calls.tools import ToolKind
from verifyhub.engine.text.tokens import URL
from verifyhub.engine.types import Span

URL_KEYS = ("url", "uri", "href", "link", "address")
_QUERY_KEYS = (
    "query", "q", "pattern", "search_term", "searchTerm", "search_query", "regex",
    "keyword", "keywords", "sql", "glob", "glob_pattern", "question", "text",
)  # fmt: skip
_STATUS = re.compile(
    r"HTTP/[\d.]{1,3} (\d{3})\b"
    r"|(?:status(?: code)?|status_code|statusCode|HTTP(?: error)?)\"?[ :=]{1,3}"
    r"(\d{3})\b"
    r"|\b(?:error|failed|failure)\b[^\n]{0,60}? (?:code |status )?\(?([45]\d{2})\b"
    r"|^(\d{3})(?: [A-Z][A-Za-z ]{1,30})?$",
    re.IGNORECASE | re.MULTILINE,
)
# Where tools state it: before what they fetched, or at its end.
_WINDOW = 1_000
_FETCHERS = frozenset({"curl", "wget", "http", "https", "xh", "fetch"})
_SEARCHERS = frozenset({"grep", "rg", "ag", "ack", "egrep", "git grep"})
_SEARCHING = frozenset({ToolKind.SEARCH, ToolKind.QUERY, ToolKind.LIST})
LONGEST_QUERY = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetch:
    """One address that a call asked for; `status` is None where nobody states one."""

    call: int
    url: str
    status: int | None
    state: CallState


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What a call searched for; `has_results` says whether anything came back."""

    call: int
    text: str
    state: CallState
    has_results: bool


def read_fetches(calls: Iterable[LedgerCall]) -> Iterator[Fetch]:
    """Yield the addresses that calls asked for, in order."""
    for entry in calls:
        for url in dict.fromkeys(_urls(entry)):
            yield Fetch(
                call=entry.index,
                url=url,
                status=_status(entry.call.output),
                state=entry.state,
            )


def read_queries(calls: Iterable[LedgerCall]) -> Iterator[Query]:
    """Yield what calls searched for, in order."""
    for entry in calls:
        for text in dict.fromkeys(_queries(entry)):
            yield Query(
                call=entry.index,
                text=text[:LONGEST_QUERY],
                state=entry.state,
                has_results=entry.succeeded and not found_nothing(entry.call.output),
            )


# What a page that is not there says, where no status is stated.
_MISSING = re.compile(
    r"(?i)\b(?:404|410|500|502|503)\b|not found|could not resolve|connection refused"
    r"|timed out|failed to fetch|access denied|forbidden|^\s{0,8}\W{0,3}error\b"
)
_SAYS_MISSING = 300


def was_fetched(entry: LedgerCall) -> bool:
    """Whether a call brought back what stands at the address that it asked for."""
    output = entry.call.output
    if not entry.succeeded or found_nothing(output):
        return False
    status = _status(output)
    if status is not None:
        return status < _FIRST_ERROR
    return not _MISSING.search(output[:_SAYS_MISSING])


_FIRST_ERROR = 400


def fetched_places(entry: LedgerCall, command: str) -> list[Span]:
    """Return the places of the addresses in a command whose content it printed."""
    urls = dict.fromkeys(_urls(entry))
    # Of several nobody knows which one answered.
    if len(urls) != 1 or any(part.joined in {"||", ";"} for part in entry.parts):
        return []
    (url,) = urls
    start = command.find(url)
    if start < 0 or not was_fetched(entry):
        return []
    return [(start, start + len(url))]


def _urls(entry: LedgerCall) -> Iterator[str]:
    if entry.kind is ToolKind.FETCH:
        given = _first(entry.call.input, URL_KEYS)
        if given:
            yield given
    for part in entry.parts:
        if part.program in _FETCHERS or part.program in {"git clone", "git fetch"}:
            for word in part.operands:
                if URL.fullmatch(word):
                    yield word


def _queries(entry: LedgerCall) -> Iterator[str]:
    if entry.kind in _SEARCHING:
        given = _first(entry.call.input, _QUERY_KEYS)
        if given:
            yield given
    for part in entry.parts:
        if part.program in _SEARCHERS and part.operands:
            yield part.operands[0]


def _first(data: Mapping[str, Any], keys: Iterable[str]) -> str:
    for key in keys:
        value = data.get(key)
        if isinstance(value, str) and value:
            return value
    return ""


def _status(output: str) -> int | None:
    for text in (output[:_WINDOW], output[-_WINDOW:]):
        match = _STATUS.search(text)
        if match:
            found = int(next(group for group in match.groups() if group))
            if 100 <= found < 600:
                return found
    return None

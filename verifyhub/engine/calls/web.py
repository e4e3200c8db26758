"""Fetched addresses with their HTTP status, and search queries."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from verifyhub.engine.calls.echoes import found_nothing
from verifyhub.engine.calls.facts import CallFacts
from verifyhub.engine.calls.programs import ProgramRole
from verifyhub.engine.calls.shell import SimpleCommand
from verifyhub.engine.text.tokens import URL
from verifyhub.engine.types import Span

URL_FIELDS = ("url", "uri", "href", "link", "address")
_QUERY_FIELDS = (
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
# The place of the status: before the fetched content, or at its end.
_WINDOW = 1_000


# Wordings of missing pages, if there is no status.
_MISSING = re.compile(
    r"(?i)\b(?:404|410|500|502|503)\b|not found|could not resolve|connection refused"
    r"|timed out|failed to fetch|access denied|forbidden|^\s{0,8}\W{0,3}error\b"
)
_SAYS_MISSING = 300


def was_fetched(entry: CallFacts) -> bool:
    """Whether a call returned the content of the requested address."""
    output = entry.call.output
    if not entry.succeeded or found_nothing(output):
        return False
    status = http_status(output)
    if status is not None:
        return status < _FIRST_ERROR
    return not _MISSING.search(output[:_SAYS_MISSING])


_FIRST_ERROR = 400


def fetched_places(entry: CallFacts) -> list[Span]:
    """Return the places of the addresses in a command whose content it printed."""
    urls = fetched_urls(entry.commands)
    # With several addresses, it is unknown which one replied.
    if len(urls) != 1 or any(part.joined in {"||", ";"} for part in entry.commands):
        return []
    (url,) = urls
    start = (entry.command or "").find(url)
    if start < 0 or not was_fetched(entry):
        return []
    return [(start, start + len(url))]


def asked_url(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the requested address in an input, if there is one."""
    return _first(data, URL_FIELDS)


def fetched_urls(commands: Iterable[SimpleCommand]) -> tuple[str, ...]:
    """Return the distinct addresses that commands request."""
    words = (
        word
        for command in commands
        if ProgramRole.FETCHES in command.role
        for word in command.operands
        if URL.fullmatch(word)
    )
    return tuple(dict.fromkeys(words))


def asked_query(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the search query in an input, if there is one."""
    return _first(data, _QUERY_FIELDS)


def _first(data: Mapping[str, Any], keys: Iterable[str]) -> tuple[str, ...]:
    for key in keys:
        value = data.get(key)
        if isinstance(value, str) and value:
            return (value,)
    return ()


def http_status(output: str) -> int | None:
    """Return the HTTP status in an output, if there is one."""
    for text in (output[:_WINDOW], output[-_WINDOW:]):
        match = _STATUS.search(text)
        if match:
            status = int(next(group for group in match.groups() if group))
            if 100 <= status < 600:
                return status
    return None

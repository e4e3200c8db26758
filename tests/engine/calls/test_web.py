"""Addresses with their status, and searches."""

import pytest

from tests.builders import a_command, a_tool_call
from tests.engine.ledger.builders import ledger_of
from verifyhub.engine.types import CallStatus

URL = "https://example.org/a"


@pytest.mark.parametrize(
    ("call", "status"),
    [
        (a_tool_call("WebFetch", {"url": URL}, "A page."), None),
        (a_tool_call("fetch", {"url": URL}, "HTTP/1.1 200 OK\n\nbody"), 200),
        (
            a_tool_call("fetch", {"url": URL}, "Request failed with status code 404"),
            404,
        ),
        (a_command(f"curl -sI {URL}", "HTTP/2 301 \nlocation: /b"), 301),
        (a_command(f"curl -s -o /dev/null -w '%{{http_code}}' '{URL}'", "503"), 503),
    ],
)
def test_a_fetch_has_the_status_that_was_printed(call, status):
    (found,) = ledger_of(call).fetches

    assert (found.url, found.status) == (URL, status)


def test_addresses_that_are_only_spoken_of_are_not_fetched():
    assert ledger_of(a_command(f"echo {URL}", URL)).fetches == ()


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (a_tool_call("Grep", {"pattern": "def f", "path": "."}, "a.py"), "def f"),
        (a_tool_call("WebSearch", {"query": "how to"}, "x"), "how to"),
        (a_tool_call("Glob", {"pattern": "**/*.py"}, "a.py"), "**/*.py"),
        (a_command("rg -n 'a b' src", "x"), "a b"),
    ],
)
def test_searches_are_queries(call, text):
    (found,) = ledger_of(call).queries

    assert (found.text, found.has_results) == (text, True)


def test_a_refused_search_found_nothing():
    call = a_tool_call("Grep", {"pattern": "x"}, "rejected", status=CallStatus.REFUSED)

    (found,) = ledger_of(call).queries

    assert (found.state, found.has_results) == ("refused", False)

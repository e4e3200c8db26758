"""Addresses of pages that people have kept: none that a version had is lost.

A page that moves leaves a redirect at its former address, which so stays a route.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from django.urls import URLPattern, URLResolver, get_resolver

LISTED = Path(__file__).with_name("addresses.txt")
# Those of the API are held by its OpenAPI document.
API = "api/"


def _routes(found: URLResolver, before: str = "") -> Iterator[str]:
    for one in found.url_patterns:
        route = before + str(one.pattern)
        if isinstance(one, URLPattern):
            yield re.sub(r"<[^>]+>", "<>", route)
        else:
            yield from _routes(one, route)


def test_no_address_of_an_earlier_version_is_lost():
    listed = set(LISTED.read_text().split())

    lost = listed - set(_routes(get_resolver()))

    assert not lost, f"redirect from {sorted(lost)} to where they went"


def test_every_address_is_listed():
    listed = set(LISTED.read_text().split())

    new = {
        one for one in _routes(get_resolver()) if one and not one.startswith(API)
    } - listed

    assert not new, f"add to {LISTED.name}: {sorted(new)}"

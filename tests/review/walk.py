"""Ask for everything there is to read about a project, as one person or one key."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from verifyhub.exports.catalogue import DATASETS

# What a route calls its argument, from one of ours; the route decides what a uuid is.
SESSIONS = ("runs/", "memory/sessions/")
# Ends when its reader goes; it tells what the list of events tells.
ENDLESS = "/api/v1/events/stream/"


def bodies(client: Client, values: dict[str, Any], **headers: str) -> dict[str, str]:
    """Return the body of every address under `/p/acme/` and `/api/v1/` by its path.

    Args:
        client: Signed in, or with a key.
        values: An argument's name to its value; `session` is the uuid of a session.
        headers: Sent along.
    """
    found = {}
    for path in sorted(set(_paths(values)) - {ENDLESS}):
        response = client.get(path, headers=headers)
        body = response.getvalue() if response.streaming else response.content
        found[path] = f"{response.status_code} {body.decode(errors='replace')}"
    return found


def _paths(values: dict[str, Any]) -> Iterator[str]:
    given = {
        "slug": ["acme"],
        "what": sorted(DATASETS),
        "written_as": ["csv", "jsonl"],
        "index": [0],
        **{name: [value] for name, value in values.items()},
    }
    for route, pattern in _routes(get_resolver().url_patterns, ""):
        if not route.startswith(("p/<slug:slug>/", "api/v1/")):
            continue
        converters = pattern
        own = dict(given)
        if any(part in route for part in SESSIONS):
            own["uuid"] = [values["session"]]
        if not set(converters) <= set(own):
            continue
        names = sorted(converters)
        for chosen in product(*(own[name] for name in names)):
            path = route
            for name, value in zip(names, chosen, strict=True):
                path = _filled(path, name, str(value))
            yield f"/{path}"


def _routes(patterns: Any, before: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    for pattern in patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern) and "(?P" not in route:
            yield route, _arguments(route)


def _arguments(route: str) -> tuple[str, ...]:
    return tuple(part.split(">")[0].split(":")[-1] for part in route.split("<")[1:])


def _filled(route: str, name: str, value: str) -> str:
    start, _bracket, rest = route.partition("<")
    while _bracket:
        inside, _close, after = rest.partition(">")
        if inside.split(":")[-1] == name:
            return f"{start}{value}{after}"
        more, _bracket, rest = after.partition("<")
        start = f"{start}<{inside}>{more}"
    return route

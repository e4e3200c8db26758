"""What the description allows of parameters and headers, the code takes."""

import itertools
import re

import pytest
from django.test import Client

from tests.api.documents import ENDLESS, document, parameters_of
from tests.api.rows import fill
from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory, ProjectFactory
from verifyhub.accounts.masking import PATTERN_SHAPE, OwnPattern, PatternError
from verifyhub.common.contract import ANY_TEXT

pytestmark = pytest.mark.django_db
# What lists and exports begin after has to be a row, which no description can say.
LOOKED_UP = {"cursor", "after"}
READS = [
    (path, operation["get"])
    for path, operation in document()["paths"].items()
    if "get" in operation and path not in ENDLESS
]


def least(shape):
    """The least of what a description allows, as a text; None where it needs sense."""
    if shape.get("type") == "array":
        return least(shape["items"])
    if "enum" in shape:
        return str(shape["enum"][0])
    if shape.get("type") == "boolean":
        return "true"
    if shape.get("type") == "integer":
        return str(shape.get("minimum", 0))
    formats = {shape.get("format"), *(one["format"] for one in shape.get("anyOf", ()))}
    if "date" in formats:
        return "2026-11-21"
    if formats - {None} or shape.get("pattern", ANY_TEXT) != ANY_TEXT:
        return None
    return "a" * shape.get("minLength", 0)


def test_parameters_may_be_what_their_description_allows():
    project = ProjectFactory(slug="acme")
    fill(project, ApiKeyFactory(project=project, secret=API_SECRET))
    client = Client(headers={"authorization": f"Bearer {API_SECRET}"})

    asked, refused = 0, []
    for path, operation in READS:
        address = path.format(**parameters_of(path, "acme"))
        allowed = {
            parameter["name"]: found
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "query" and parameter["name"] not in LOOKED_UP
            if (found := least(parameter["schema"])) is not None
        }
        if allowed:
            asked += len(allowed)
            reply = client.get(address, allowed)
            if reply.status_code == 400:
                refused.append((path, reply.json()["errors"]))

    assert asked > 100
    assert refused == []


def test_every_operation_that_needs_a_body_says_so():
    unneeded = {
        (method, path)
        for path, operations in document()["paths"].items()
        for method, operation in operations.items()
        if "requestBody" in operation and not operation["requestBody"].get("required")
    }
    client = Client(headers={"authorization": f"Bearer {API_SECRET}"})
    project = ProjectFactory(slug="acme")
    fill(project, ApiKeyFactory(project=project, secret=API_SECRET))

    told = {
        (method, path): client.generic(
            method.upper(), path.format(**parameters_of(path, "acme"))
        ).status_code
        for method, path in sorted(unneeded)
    }

    assert len(told) > 5
    assert {one for one, status in told.items() if status in (400, 415)} == set()


def test_an_idempotency_key_is_described_as_it_is_taken():
    keys = [
        parameter["schema"]
        for operations in document()["paths"].values()
        for operation in operations.values()
        for parameter in operation.get("parameters", ())
        if parameter["name"] == "Idempotency-Key"
    ]

    assert len(keys) > 10
    assert {(one["minLength"], one["maxLength"]) for one in keys} == {(1, 255)}


def test_the_form_of_own_patterns_is_described_as_it_is_taken():
    tried = [
        "".join(letters)
        for length in range(3, 6)
        for letters in itertools.product("a*?‹", repeat=length)
    ]

    described = {one for one in tried if re.search(PATTERN_SHAPE, one)}

    assert described == {one for one in tried if is_taken(one)}
    assert len(described) > 50


def is_taken(pattern: str) -> bool:
    try:
        OwnPattern("staff", pattern)
    except PatternError:
        return False
    return True

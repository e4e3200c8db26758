"""Every operation says and takes what all of them do."""

import pytest
from jsonschema import Draft202012Validator

from tests.api.documents import document, operations

# Reading and judging alone, or doing again what is done already: nothing is made.
MAKES_NOTHING = {
    "assignReviewItem",
    "cancelBatch",
    "confirmDeletion",
    "stopDeletion",
    "detection_calibrate",
    "assessRisk",
    "guard",
    "leaseReviewItem",
    "previewReviewDecision",
    "releaseLegalHold",
    "releaseReviewItem",
    # What is on its way already is not sent twice.
    "replayDeadLetters",
    "replayDelivery",
    "testWebhook",
}
# Their replies show a secret, which must not be kept to be shown again.
SHOWS_A_SECRET = {"addWebhook", "rotateWebhookSecret"}
# Best first and few: a further page would be of no use.
SEARCHES = {"searchKnowledge", "search_memory"}
# The position of the last event is their cursor.
BY_POSITION = {"listEvents"}
# `results` are those of tests that a run showed.
NO_LIST = {"readLedger"}
UNPAGED = SEARCHES | BY_POSITION | NO_LIST
# Rows have their ids from their senders, so that sending them again changes nothing.
BY_OWN_IDS = ("/traces/", "/logs/", "/bulk/")


@pytest.fixture(scope="module")
def found():
    return [
        (path, method, document()["paths"][path][method])
        for path, method in operations()
    ]


def names(operation):
    return {one["name"] for one in operation.get("parameters", ())}


def resolved(schema):
    while "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        schema = document()["components"]["schemas"][name]
    return schema


def test_every_operation_names_its_scope_and_what_it_does(found):
    assert [
        f"{method} {path}"
        for path, method, operation in found
        if "x-scope" not in operation or "(scope: " not in operation["summary"]
    ] == []


def test_every_post_that_makes_something_takes_an_idempotency_key(found):
    assert [
        operation["operationId"]
        for path, method, operation in found
        if method == "post"
        and "Idempotency-Key" not in names(operation)
        and not path.endswith(BY_OWN_IDS)
        and operation["operationId"] not in MAKES_NOTHING | SHOWS_A_SECRET
    ] == []


def test_every_list_pages_by_cursor(found):
    lists = [
        (operation["operationId"], names(operation))
        for _, method, operation in found
        if method == "get"
        and (shape := _json(operation["responses"].get("200", {}))) is not None
        and (shape.get("type") == "array" or "results" in shape.get("properties", {}))
    ]

    assert len(lists) > 12
    assert [
        name
        for name, given in lists
        if not {"cursor", "limit"} <= given
        and name not in SEARCHES | BY_POSITION | NO_LIST
    ] == []


def test_every_operation_tells_how_it_is_refused_and_limited(found):
    wrong = []
    for path, method, operation in found:
        replies = operation["responses"]
        if not {"400", "401", "403", "429", "503"} <= replies.keys():
            wrong.append(f"{method} {path}: {sorted(replies)}")
    headers = document()["components"]["responses"]["TooMany"]["headers"]

    assert wrong == []
    assert {"Retry-After", "RateLimit", "RateLimit-Policy"} <= headers.keys()


def test_every_body_has_an_example_that_fits(found):
    shared = {"components": document()["components"]}
    wrong = []
    for path, method, operation in found:
        for body in json_bodies(operation):
            examples = [one["value"] for one in body.get("examples", {}).values()]
            judge = Draft202012Validator({**body["schema"], **shared})
            if not examples or not all(map(judge.is_valid, examples)):
                wrong.append(f"{method} {path}: {examples}"[:300])

    assert wrong == []


def json_bodies(operation):
    replies = operation["responses"].items()
    bodies = [one for status, one in replies if status.startswith("2")]
    for body in (operation.get("requestBody", {}), *bodies):
        if shown := body.get("content", {}).get("application/json"):
            yield shown


def _json(reply):
    content = reply.get("content", {}).get("application/json")
    return None if content is None else resolved(content["schema"])

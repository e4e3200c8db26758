"""Requests that nobody thought of: made from the OpenAPI document by Schemathesis.

For every operation it makes requests that fit the document and requests that do not,
sends them to the WSGI application before a real database, and holds the replies against
the document. The same requests are made on every run.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from hypothesis import HealthCheck, assume, settings
from pytest_django.plugin import DjangoDbBlocker
from schemathesis.checks import load_all_checks, not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi import checks

from tests.api.documents import ENDLESS, operations, with_known_ids
from tests.api.rows import fill
from tests.conftest import API_SECRET
from tests.factories import ApiKeyFactory, ProjectFactory
from verifyhub.config.wsgi import application

pytestmark = pytest.mark.hypothesis
load_all_checks()
# Beginnings of refusals for reasons that no schema can say: what stands in the database
# or in another field, which day it is, what is printable, what is deep in free JSON.
UNSAID = (
    "is not an interaction of this project",
    "This webhook cannot receive these types",
    "A name is one line",
    "A preference is one line",
    "A reason is one line",
    "Enter one name of its kind",
    "must have at most 200 plain characters",
    "must be an unchanged cursor",
    "This row does not exist",
    "was already used with a different request",
    "Another document has this id",
    # Of pairs: what a star stands for, and what is the same but for its letters' case.
    "the value and the name are the same",
    "an earlier row has the same",
    "value and name must be texts",
    "a star may only",
    "at least 2 letters",
    "the tool must be a name",
    "Only tables with an id can be resumed",
    "Another webhook of this project",
    "has a schema under another reference",
    "This field cannot be edited",
    "The expiry is in the past",
    "must not be before since",
    "is required where verification_type",
    "has a meaning only where verification_type",
    "a star is allowed only at the end",
    "must rise",
    "contradicts the status",
    "Nothing may be sent there",
    "Give it a name",
    "Give it a title",
    "Give an address",
    "Give a date",
    "At most 200 plain characters",
    "A number has more than 30 characters",
    "In a key: Text holds",
    "Text holds the character",
    "20 exports are already waiting",
    "The project has nothing with this name",
    "A legal hold keeps it",
    "A person is named by at least",
    "is not a reviewer in this project",
    # Of decisions: what stands in the answer, and what goes with what.
    "the answer has no such",
    "the answer does not contain",
    "the project has no such code",
    "this is already VerifyHub's verdict",
    "it is the answer itself",
    "give a reason",
    "enter a text",
    "agree, or give another one",
    "give each name and claim only once",
    "there is no such status",
    # A host is looked at as it resolves.
    "Requests to this address are not allowed",
)
# Their bodies are in formats of others, which the document names and cannot describe:
# OpenTelemetry's protobuf, lock files of package managers, transcripts of agents.
FOREIGN = ("/v1/logs/", "/v1/traces/", "/v1/snapshots/{name}/", "/v1/transcripts/")


def taken_as_described(ctx, response, case):  # type: ignore[no-untyped-def]
    """What the document allows is taken, unless for a reason that it cannot say."""
    if case.operation.path.endswith(FOREIGN):
        return None
    refused = response.json()["errors"] if response.status_code in (400, 422) else []
    # What may be a schema is a language of its own.
    if any(
        one["message"].startswith(UNSAID) or one["field"].startswith("schema")
        for one in refused
    ):
        return None
    return checks.positive_data_acceptance(ctx, response, case)


CHECKS = [
    not_a_server_error,
    taken_as_described,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.response_headers_conformance,
    checks.negative_data_rejection,
    checks.ignored_auth,
]
# What a sequence needs to go on is not always what a request alone is refused for.
IN_SEQUENCE = [one for one in CHECKS[:-2] if one is not taken_as_described]
# Drawn requests, beside those that cover what the document says of the operation. In
# `make test` these are made for the operations that agents and reviewers send to.
EXAMPLES = settings().max_examples * 6 // 100
# `make schemathesis` asks for so many requests in all, drawn and in sequences.
ASKED = int(os.environ.get("SCHEMATHESIS_CASES", "0"))
if ASKED:
    EXAMPLES = ASKED // (len(operations(ENDLESS)) + 1) + 1
STEPS = 12
IS_DEEP = settings().max_examples > 100
OTHERS = {
    # A preview is asked for as the decision is.
    "exclude-path-regex": "/(interactions|bulk|detection|review/items)/(?!.*preview)",
    "phases": {"coverage": {"enabled": False}},
}
READS = {"include-method": "GET", "phases": {"coverage": {"enabled": False}}}
# Of these any text is a body: what is wrong with one of its lines, the reply says.
LINES = ("application/x-ndjson", "application/jsonl", "text/plain", "text/csv")
for lines in LINES[:2]:
    schemathesis.serializer.alias(lines, "text/plain")
for octets in ("application/x-protobuf", "application/vnd.apache.parquet"):
    schemathesis.serializer.alias(octets, "application/octet-stream")
CONFIG = SchemathesisConfig.from_dict(
    {
        "seed": 20261121,
        "generation": {
            "deterministic": True,
            "no-shrink": True,
            "database": "none",
            "with-security-parameters": False,
        },
        "phases": {"coverage": {"enabled": True}, "stateful": {"enabled": True}},
        "operations": [] if IS_DEEP else [READS, OTHERS],
    }
)


@pytest.fixture(scope="module")
def schema() -> Iterator[BaseSchema]:
    made = schemathesis.openapi.from_dict(with_known_ids("acme"), config=CONFIG)
    made.app = application
    yield made
    if ASKED:
        print("requests and steps:", dict(SENT), file=sys.__stderr__)


@pytest.fixture(scope="module")
def one_of_each(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The rows that addresses name, made once: each test gives back what it changed."""
    with django_db_blocker.unblock(), rolled_back():
        project = ProjectFactory(slug="acme", name="Acme")
        fill(project, ApiKeyFactory(project=project, secret=API_SECRET))
        yield


@pytest.fixture
def stored(one_of_each: None) -> Iterator[None]:
    # A server would look for a fresh connection, and end the transaction.
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    with rolled_back():
        yield
    for signal in signals:
        signal.connect(close_old_connections)


SENT: Counter[str] = Counter()


@contextmanager
def rolled_back() -> Iterator[None]:
    with transaction.atomic():
        with connection.cursor() as cursor:
            # Making a request may take longer than a server's transaction may wait.
            cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        yield
        transaction.set_rollback(True)


# Schemathesis would make all cases of all operations while tests are collected, in each
# process; each operation makes its own here.
@pytest.mark.parametrize(("path", "method"), operations(ENDLESS))
def test_every_reply_is_as_described(
    stored: None, schema: BaseSchema, path: str, method: str
) -> None:
    run = build_operation_test(
        config=schema.config,
        operation=schema[path][method],
        test_func=validate,
        given_kwargs={},
        feedback=FeedbackSources(),
    )
    run()


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck), deadline=None)
def validate(case: schemathesis.Case) -> None:
    # Whoever sends an address with a fragment sends it without.
    assume(not any("#" in str(one) for one in (case.path_parameters or {}).values()))
    SENT["drawn"] += 1
    case.call_and_validate(
        headers={"Authorization": f"Bearer {API_SECRET}"},
        checks=CHECKS,
        excluded_checks=(
            [checks.negative_data_rejection] if case.media_type in LINES else []
        ),
    )


@pytest.mark.deep
def test_what_a_reply_names_is_understood_by_the_next_request(
    stored: None, schema: BaseSchema
) -> None:
    class Sequences(schema.as_state_machine()):  # type: ignore[misc]
        """Requests one after another, with ids and values out of earlier replies."""

        def get_call_kwargs(self, case: schemathesis.Case) -> dict[str, object]:
            SENT["in sequences"] += 1
            return {"headers": {"Authorization": f"Bearer {API_SECRET}"}}

        def validate_response(self, response, case, **_more) -> None:  # type: ignore[no-untyped-def]
            case.validate_response(response, checks=IN_SEQUENCE)

    Sequences.run(
        settings=settings(
            max_examples=max(20, EXAMPLES // STEPS),
            stateful_step_count=STEPS,
            suppress_health_check=list(HealthCheck),
            deadline=None,
        )
    )

"""HEAD is allowed and refused as GET is, and tells no more."""

import pytest
from django.test import Client

from tests.api.documents import ENDLESS, operations, parameters_of
from tests.api.rows import fill
from tests.factories import ApiKeyFactory, ProjectFactory
from verifyhub.accounts.models import Scope
from verifyhub.events.streams import places

pytestmark = pytest.mark.django_db
READER, SENDER = "vh_reader_0123456789abcdef", "vh_sender_0123456789abcdef"


def client_of(secret: str) -> Client:
    return Client(headers={"authorization": f"Bearer {secret}"})


def test_a_head_is_answered_as_the_get_it_stands_for():
    project = ProjectFactory(slug="acme")
    reader = ApiKeyFactory(project=project, secret=READER, scopes=[Scope.READ])
    ApiKeyFactory(project=project, secret=SENDER, scopes=[Scope.INGEST])
    fill(project, reader)
    addresses = [
        path.format(**parameters_of(path, "acme"))
        for path, method in operations(ENDLESS)
        if method == "get"
    ]

    told = [
        (address, secret, client.head(address), client.get(address).status_code)
        for secret in (READER, SENDER)
        for client in [client_of(secret)]
        for address in addresses
    ]

    assert len(told) > 100
    assert [one[:2] for one in told if one[2].status_code != one[3]] == []
    assert {one[2].status_code for one in told if one[1] == READER} >= {200, 404}


def test_a_head_of_what_never_ends_ends():
    ApiKeyFactory(project=ProjectFactory(), secret=READER, scopes=[Scope.READ])

    reply = client_of(READER).head(ENDLESS[0])
    told = list(reply.streaming_content)
    reply.close()

    assert (reply.status_code, told, places.in_use) == (200, [], 0)

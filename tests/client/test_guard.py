import asyncio

import pytest

from tests.client.conftest import IMPATIENT
from tests.conftest import API_SECRET
from tests.factories import ConstraintFactory
from verifyhub.embedded import AsyncVerifyHub, HubRefusedError, VerifyHub
from verifyhub.memory.guard import MAX_TEXT_LENGTH

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_draft_is_held_against_the_projects_constraints(
    live_server, api_key, project
):
    ConstraintFactory(
        project=project, mention_kind="package", text="mind-auth", suggestion="mind"
    )
    hub = VerifyHub(live_server.url, API_SECRET, patience=IMPATIENT)

    found = hub.guard("It uses the package `mind-auth`.")

    assert not found.ok
    assert [one["suggestion"] for one in found.findings] == ["mind"]
    assert hub.guard("It uses nothing.").ok


def test_asyncio_programs_ask_the_same(live_server, api_key, project):
    async def ask():
        async with AsyncVerifyHub(live_server.url, API_SECRET) as hub:
            return await hub.guard("It uses nothing.")

    assert asyncio.run(ask()).ok


def test_a_draft_that_is_too_long_is_refused_and_not_taken_for_good(
    live_server, api_key
):
    hub = VerifyHub(live_server.url, API_SECRET, patience=IMPATIENT)

    with pytest.raises(HubRefusedError) as refused:
        hub.guard("x" * (MAX_TEXT_LENGTH + 1))

    assert refused.value.status == 413

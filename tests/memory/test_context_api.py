from urllib.parse import quote

import pytest
from django.test import Client

from tests.factories import (
    ApiKeyFactory,
    ConstraintFactory,
    InteractionFactory,
    SessionFactory,
)
from tests.memory.reports import mention, remember, say
from verifyhub.accounts.models import Scope

pytestmark = pytest.mark.django_db

INVENTED = mention("mind-auth", suggestion="mind-engine")
REAL = mention("mind-engine", status="verified")


def context(api, session, **query):
    return api.get(f"/api/v1/sessions/{quote(session, safe='')}/context/", query)


def test_a_session_reads_what_it_learned(api, project):
    interaction = remember(project, INVENTED, REAL)

    body = context(api, interaction.session.key, task="fix the auth").json()

    assert body["known"]
    assert '- use "mind-engine"; there is no package "mind-auth".' in body["text"]
    assert [item["section"] for item in body["items"]] == [
        "Verified facts",
        "Known hallucinations",
    ]


def test_text_is_the_bare_prompt(api, project):
    interaction = remember(project, INVENTED)

    reply = context(api, interaction.session.key, format="text")

    assert reply.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert reply.content.decode().startswith("Notes from earlier verified work.")


def test_an_unknown_session_reads_what_all_share(api, project):
    ConstraintFactory(project=project, text="mind-auth", suggestion="mind-engine")

    body = context(api, "a session to come").json()

    assert not body["known"]
    assert [item["section"] for item in body["items"]] == ["Shared constraints"]


def test_a_session_key_may_hold_slashes(api, project):
    session = SessionFactory(project=project, key="team/auth/42")
    remember(project, INVENTED, session=session)

    assert context(api, "team/auth/42").json()["known"]


def test_one_session_does_not_hear_anothers_blockers(api, project):
    remember(project, INVENTED)
    own = remember(project, REAL)

    assert "mind-auth" not in context(api, own.session.key).json()["text"]


def test_candidates_and_retired_constraints_are_not_told(api, project):
    ConstraintFactory(project=project, state="candidate")
    ConstraintFactory(project=project, state="retired")

    assert context(api, "new").json()["text"] == ""


def test_a_correction_reaches_every_session_that_knows_the_name(api, project, reviewer):
    corrected, other = remember(project, INVENTED), remember(project, INVENTED)
    say(corrected, "mind-auth", "verified", reviewer)

    items = context(api, other.session.key).json()["items"]

    assert [item["section"] for item in items] == ["User corrections"]
    assert "is right" in items[0]["line"]


def test_another_projects_session_of_the_same_name_is_unknown(api, project):
    theirs = InteractionFactory().project
    remember(theirs, INVENTED, session=SessionFactory(project=theirs, key="shared"))

    body = context(api, "shared").json()

    assert (body["known"], body["text"]) == (False, "")


@pytest.mark.parametrize(
    "query",
    [
        {"budget": "0"},
        {"budget": "many"},
        {"budget": "1000000"},
        {"format": "xml"},
        {"task": "x" * 20_001},
    ],
)
@pytest.mark.parametrize("accept", ["*/*", "text/plain"])
def test_a_bad_parameter_is_named_in_problem_details(api, query, accept):
    reply = api.get("/api/v1/sessions/s/context/", query, headers={"accept": accept})

    assert reply.status_code == 400
    assert reply.headers["Content-Type"] == "application/problem+json"
    assert reply.json()["errors"][0]["field"] == next(iter(query))


def test_the_budget_is_kept(api, project):
    interaction = remember(project, *(mention(f"package-{n}") for n in range(10)))

    body = context(api, interaction.session.key, budget=100).json()

    assert 0 < body["estimated_tokens"] <= 100


def test_a_key_without_the_read_scope_is_refused(project):
    secret = "vh_other_0123456789abcdef0123456789abcdef"
    ApiKeyFactory(project=project, secret=secret, scopes=[Scope.INGEST])
    client = Client(headers={"authorization": f"Bearer {secret}"})

    assert context(client, "s").status_code == 403
    assert client.get("/api/v1/constraints/").status_code == 403


def test_without_a_key_nothing_is_read(client):
    assert context(client, "s").status_code == 401


def test_reading_takes_few_queries_whatever_the_memory(
    api, project, django_assert_max_num_queries
):
    interaction = remember(project, *(mention(f"package-{n}") for n in range(200)))
    context(api, "warm up the key")

    with django_assert_max_num_queries(7):
        context(api, interaction.session.key)


def test_constraints_are_listed_by_state(api, project):
    ConstraintFactory(project=project, text="mind-auth")
    ConstraintFactory(project=project, state="retired")
    ConstraintFactory(text="theirs")

    body = api.get("/api/v1/constraints/", {"state": "active"}).json()

    assert [row["name"] for row in body["results"]] == ["mind-auth"]


def test_constraints_are_paged_without_a_gap(api, project):
    for number in range(5):
        ConstraintFactory(project=project, text=f"name-{number}")

    first = api.get("/api/v1/constraints/", {"limit": 3}).json()
    second = api.get(first["next"]).json()

    names = [row["name"] for row in [*first["results"], *second["results"]]]
    assert names == [f"name-{number}" for number in (4, 3, 2, 1, 0)]


def test_an_unknown_state_is_refused(api):
    reply = api.get("/api/v1/constraints/", {"state": "banned"})

    assert reply.status_code == 400
    assert reply.json()["errors"][0]["field"] == "state"

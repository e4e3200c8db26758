"""The REST interface: every status code, by the client a program would use."""

import json
import uuid
from urllib.parse import urlsplit

import pytest
from celery import current_app
from django.test import Client
from django.urls import resolve

from tests.factories import ApiKeyFactory
from tests.ingest.runs import a_call, a_run
from tests.verification.test_worker import use_broker
from verifyhub.accounts.models import Scope
from verifyhub.audit.models import AuditEvent
from verifyhub.ingest.models import IdempotentReply, Interaction
from verifyhub.verification.models import MentionVerdict, Verification
from verifyhub.verification.services import run_verification

pytestmark = pytest.mark.django_db
URL = "/api/v1/interactions/"
PROBLEM = "application/problem+json"
OTHER_SECRET = "vh_other_0123456789abcdef0123456789abcdef"


def post(client: Client, run: object = None, **headers: str):
    return client.post(
        URL, run or a_run(), content_type="application/json", headers=headers
    )


def finish() -> None:
    for verification in Verification.objects.filter(state="pending"):
        run_verification(verification_id=verification.id)


def test_a_posted_run_is_accepted_with_links(api, project):
    reply = post(api, a_run(id="run-1"))

    row = Interaction.objects.get()
    links = reply.json()["links"]
    assert (reply.status_code, reply.json()["state"]) == (202, "pending")
    assert reply.json()["id"] == "run-1"
    assert reply["Location"] == links["self"] == f"http://testserver{URL}{row.id}/"
    assert links["page"].endswith(f"/p/acme/answers/{row.id}/")
    assert reply["Retry-After"] == "1"
    assert (row.project, row.api_key.name) == (project, "tests")


def test_what_no_database_keeps_is_replaced_in_what_tools_printed(api):
    run = a_run(tool_calls=[a_call(tool="Bash", output="a\x00b\ud800")])

    reply = post(api, run)

    assert reply.status_code == 202
    assert Interaction.objects.get().tool_calls.get().output == "a\ufffdb\ufffd"


def test_an_answer_is_taken_in_by_few_statements(
    api, waiting_counted_once, django_assert_max_num_queries
):
    post(api)

    # The key, the session twice, the answer, its calls, its verification, two for the
    # savepoint that the test's own transaction makes of the request's.
    with django_assert_max_num_queries(8):
        post(api, a_run(id="run-2", session="s-2"))


def test_the_page_of_the_answer_is_where_the_link_says(api):
    page = urlsplit(post(api).json()["links"]["page"]).path

    assert resolve(page).view_name == "review:answer-detail"


def test_without_an_id_the_uuid_is_the_id(api):
    reply = post(api)

    assert reply.json()["id"] == str(Interaction.objects.get().id)


def test_the_verdict_is_202_and_then_the_report(api):
    post(api, a_run(id="run-1"))

    before = api.get(f"{URL}run-1/verdict/")
    finish()
    after = api.get(f"{URL}run-1/verdict/")

    assert (before.status_code, before.json()["state"]) == (202, "pending")
    assert (after.status_code, after.json()["id"]) == (200, "run-1")
    assert after.json() == Verification.objects.get().report


def test_both_ids_lead_to_the_interaction(api):
    run = a_run(id="team/run 1", session="s-1")
    post(api, run)
    finish()

    by_client_id = api.get(f"{URL}team%2Frun%201/")
    by_uuid = api.get(f"{URL}{Interaction.objects.get().id}/")

    assert by_client_id.json() == by_uuid.json()
    body = by_uuid.json()
    assert (body["answer"], body["session"]) == (run["answer"], "s-1")
    assert body["tool_calls"][0]["output"] == run["tool_calls"][0]["output"]
    assert body["verdict"]["schema"] == 1
    assert body["review"] is None


def test_what_people_said_of_the_answer_and_its_names_is_shown(api):
    post(api, a_run(id="run-1"))
    finish()
    MentionVerdict.objects.filter(text="src/lexer.py").update(human_status="verified")
    Verification.objects.update(human_verdict="accept")

    review = api.get(f"{URL}run-1/").json()["review"]

    assert review["verdict"] == "accept"
    assert [(m["text"], m["human_status"]) for m in review["mentions"]] == [
        ("src/lexer.py", "verified")
    ]


def test_the_same_run_again_gives_the_same_answer(api):
    first = post(api, a_run(id="run-1"))
    second = post(api, a_run(id="run-1"))

    assert (second.status_code, second.json()) == (202, first.json())
    assert Interaction.objects.count() == 1


def test_the_same_id_with_other_content_is_409(api):
    post(api, a_run(id="run-1"))

    reply = post(api, a_run(id="run-1", answer="Else."))

    assert (reply.status_code, reply["Content-Type"]) == (409, PROBLEM)
    assert reply.json()["errors"][0]["field"] == "id"


def test_an_idempotency_key_repeats_the_first_reply(api):
    first = post(api, **{"idempotency-key": "k-1"})
    finish()
    second = post(api, **{"idempotency-key": "k-1"})

    assert (second.status_code, second.json()) == (202, first.json())
    assert second["Idempotent-Replayed"] == "true"
    assert second["Location"] == first["Location"]
    assert Interaction.objects.count() == 1


def test_an_idempotency_key_with_another_body_is_422(api):
    post(api, **{"idempotency-key": "k-1"})

    reply = post(api, a_run(answer="Else."), **{"idempotency-key": "k-1"})

    assert reply.status_code == 422
    assert Interaction.objects.count() == 1


def test_a_refused_request_leaves_its_idempotency_key_free(api):
    post(api, a_run(id="run-1"))
    refused = post(api, {"task": "t"}, **{"idempotency-key": "k-1"})
    conflict = post(api, a_run(id="run-1", answer="x"), **{"idempotency-key": "k-1"})

    taken = post(api, a_run(id="run-2"), **{"idempotency-key": "k-1"})

    assert (refused.status_code, conflict.status_code) == (400, 409)
    assert taken.status_code == 202
    assert IdempotentReply.objects.count() == 1


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there"])
def test_an_unusable_idempotency_key_is_400(api, key):
    reply = post(api, **{"idempotency-key": key})

    assert reply.json()["errors"][0]["field"] == "Idempotency-Key"


def test_two_api_keys_may_use_one_idempotency_key(api, project):
    ApiKeyFactory(project=project, secret=OTHER_SECRET)
    other = Client(headers={"authorization": f"Bearer {OTHER_SECRET}"})
    post(api, **{"idempotency-key": "k-1"})

    reply = post(other, a_run(answer="Else."), **{"idempotency-key": "k-1"})

    assert reply.status_code == 202


def test_verifying_again_adds_a_verification_and_is_audited(api, project):
    post(api, a_run(id="run-1"))
    finish()

    reply = api.post(f"{URL}run-1/reverify/")

    assert reply.status_code == 202
    numbers = Verification.objects.order_by("number").values_list("number", "state")
    assert list(numbers) == [(1, "finished"), (2, "pending")]
    event = AuditEvent.objects.get(action="verification.requested_again")
    assert event.project_id == project.id


def test_while_verifying_again_the_old_verdict_stands(api):
    post(api, a_run(id="run-1"))
    finish()
    api.post(f"{URL}run-1/reverify/")

    assert api.get(f"{URL}run-1/verdict/").status_code == 200


def test_verifying_again_while_one_waits_is_409(api):
    post(api, a_run(id="run-1"))

    assert api.post(f"{URL}run-1/reverify/").status_code == 409


def test_a_failed_verification_is_a_problem_and_no_verdict(api, project):
    project.thresholds = {"no_such_threshold": 1}
    project.save()
    post(api, a_run(id="run-1"))
    for _ in range(3):
        finish()
        Verification.objects.update(next_at=None)

    reply = api.get(f"{URL}run-1/verdict/")
    detail = api.get(f"{URL}run-1/").json()

    assert (reply.status_code, reply["Content-Type"]) == (409, PROBLEM)
    assert (detail["state"], detail["verdict"]) == ("failed", None)
    assert detail["error"].startswith("ThresholdError")


def test_the_list_is_newest_first_in_pages(api):
    for number in range(5):
        post(api, a_run(id=f"run-{number}"))

    first = api.get(URL, {"limit": 3}).json()
    second = api.get(first["next"]).json()

    ids = [row["id"] for row in first["results"] + second["results"]]
    assert ids == ["run-4", "run-3", "run-2", "run-1", "run-0"]
    assert second["next"] is None


def test_the_list_can_be_one_session(api):
    post(api, a_run(id="run-1", session="s-1"))
    post(api, a_run(id="run-2", session="s-2"))

    results = api.get(URL, {"session": "s-2"}).json()["results"]

    assert [row["id"] for row in results] == ["run-2"]


def test_the_list_takes_the_same_queries_at_any_length(
    api, django_assert_max_num_queries
):
    for _ in range(10):
        post(api)

    with django_assert_max_num_queries(6):
        api.get(URL)


@pytest.mark.parametrize("ending", ["", "verdict/", "ledger/", "reverify/"])
def test_another_projects_interaction_does_not_exist(api, ending):
    post(api, a_run(id="run-1"))
    row = Interaction.objects.get()
    ApiKeyFactory(secret=OTHER_SECRET)
    other = Client(headers={"authorization": f"Bearer {OTHER_SECRET}"})
    ask = other.post if ending == "reverify/" else other.get

    foreign = ask(f"{URL}{row.id}/{ending}")
    absent = ask(f"{URL}{uuid.uuid4()}/{ending}")

    assert (foreign.status_code, absent.status_code) == (404, 404)
    assert foreign.json()["detail"] == absent.json()["detail"]
    assert other.get(URL).json()["results"] == []


@pytest.mark.parametrize(
    ("scope", "method", "path", "status"),
    [
        (Scope.INGEST, "post", "", 202),
        (Scope.READ, "post", "", 403),
        (Scope.REVIEW, "post", "", 403),
        (Scope.READ, "get", "", 200),
        (Scope.INGEST, "get", "", 403),
        (Scope.INGEST, "get", "run-1/verdict/", 403),
        (Scope.READ, "post", "run-1/reverify/", 403),
    ],
)
def test_a_key_may_do_what_its_scopes_say(project, scope, method, path, status):
    ApiKeyFactory(project=project, secret=OTHER_SECRET, scopes=[scope])
    client = Client(headers={"authorization": f"Bearer {OTHER_SECRET}"})

    reply = client.generic(
        method.upper(), URL + path, json.dumps(a_run()), "application/json"
    )

    assert reply.status_code == status


def test_a_long_trace_comes_back_whole(api):
    output = "línea \U0001f600\n" * 30_000
    post(api, a_run(id="run-1", tool_calls=[a_call(output=output)]))

    body = api.get(f"{URL}run-1/").json()

    assert body["tool_calls"][0]["output"] == output


def test_a_broker_that_is_away_does_not_stop_ingest(
    api, django_capture_on_commit_callbacks
):
    url = current_app.conf.broker_url
    use_broker("redis://127.0.0.1:1/0")
    try:
        with django_capture_on_commit_callbacks(execute=True):
            reply = post(api)
    finally:
        use_broker(url)

    assert reply.status_code == 202
    assert Verification.objects.get().state == "pending"


def test_the_verdict_reads_as_it_does_from_the_command_line(api):
    post(api, a_run(id="run-1"))
    finish()

    body = api.get(f"{URL}run-1/verdict/").json()

    assert list(body)[:4] == ["schema", "id", "verdict", "confidence"]
    assert list(body["mentions"][0])[:3] == ["text", "kind", "key"]

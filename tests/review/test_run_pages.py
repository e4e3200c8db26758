"""Sessions as a list, and one as a tree: rights, filters, live parts, queries."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import InteractionFactory, SessionFactory, VerificationFactory
from tests.markup import markup
from tests.review.conftest import GREP
from verifyhub.ingest.formats.native import parse_interaction
from verifyhub.ingest.models import Interaction, Session
from verifyhub.ingest.services import record_interaction
from verifyhub.review.runs.pages import SessionPaginator, sessions
from verifyhub.verification.models import Verification

RUNS = "/p/acme/runs/"
FINE = "See `shop/pricing.py`, `shop/tax.py` and `compute_price()`."


def page_of(session: Session) -> str:
    return f"{RUNS}{session.id}/"


@pytest.fixture
def run(answered):
    """Two attempts at a task, and a subtask of the first."""
    first = answered(id="r.1", session="prices")
    answered(
        id="r.1.f1.1",
        parent="r.1",
        session="prices",
        task="Address missing aspect: taxes",
        answer=FINE,
    )
    answered(
        id="r.2",
        parent="r.1",
        session="prices",
        answer=FINE,
        metadata={"run": {"id": "r", "attempt": 2, "kind": "retry"}},
    )
    return first.session


def test_a_session_is_listed_with_its_last_verdict_and_flags(browse, viewer, run):
    page = markup(browse(viewer).get(RUNS))

    assert page_of(run) in page
    assert "badge--good" in page
    assert '<td data-label="Answers" class="num">3</td>' in page


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("text=pri", True),
        ("text=nowhere", False),
        ("verdict=accept", True),
        ("verdict=reject", False),
        ("flags=open", True),
        ("page=99", True),
        ("verdict=nonsense", True),
    ],
)
def test_the_list_filters(browse, viewer, run, query, found):
    assert (page_of(run) in markup(browse(viewer).get(f"{RUNS}?{query}"))) == found


def test_the_list_is_paged(browse, viewer, project):
    for _ in range(26):
        InteractionFactory(project=project)

    first, second = (markup(browse(viewer).get(f"{RUNS}?page={n}")) for n in (1, 2))

    assert first.count('data-label="Answers"') == 25
    assert second.count('data-label="Answers"') == 1


@pytest.mark.parametrize("address", [RUNS, "/p/acme/memory/sessions/"])
def test_sessions_of_older_answers_follow_those_of_the_newest(
    browse, viewer, project, monkeypatch, address
):
    monkeypatch.setattr(SessionPaginator, "FEW", 0)
    monkeypatch.setattr(SessionPaginator, "NEWEST", 1)
    monkeypatch.setattr(SessionPaginator, "FURTHER", 2)
    first, second, third = (SessionFactory(project=project) for _ in range(3))
    for session in (second, first, third, first, first):
        InteractionFactory(project=project, session=session)

    page = markup(browse(viewer).get(address))

    places = [page.index(f"{one.id}/") for one in (first, third, second)]
    assert places == sorted(places)


def test_a_session_of_long_ago_is_found_by_its_name_at_once(project, monkeypatch):
    monkeypatch.setattr(SessionPaginator, "NEWEST", 1)
    for key in ("old", *(f"new {n}" for n in range(9))):
        InteractionFactory(
            project=project, session=SessionFactory(project=project, key=key)
        )
    pages = SessionPaginator(sessions(project.id, {"text": "old"}), project.id)

    with CaptureQueriesContext(connection) as asked:
        assert [session.key for session in pages.page(1)] == ["old"]

    assert len(asked) == 3


def test_a_full_page_looks_no_further_than_the_newest_answers(project, monkeypatch):
    monkeypatch.setattr(SessionPaginator, "FEW", 0)
    monkeypatch.setattr(SessionPaginator, "NEWEST", 30)
    monkeypatch.setattr(SessionPaginator, "most", 31)
    for _ in range(32):
        InteractionFactory(project=project)
    pages = SessionPaginator(sessions(project.id, {}), project.id)

    with CaptureQueriesContext(connection) as asked:
        found = pages.page(1)

    assert len(found.object_list) == 25
    assert pages.has_more
    assert sum("LIMIT 30" in one["sql"] for one in asked) == 1
    assert not any("LIMIT 240" in one["sql"] for one in asked)


def test_an_empty_list_teaches_the_client(browse, viewer):
    page = markup(browse(viewer).get(RUNS))

    assert "hub.run_until_accepted(agent" in page
    assert "VerifyHub(&quot;http://testserver&quot;" in page or (
        'VerifyHub("http://testserver"' in page
    )


def test_the_tree_shows_tasks_subtasks_and_attempts(browse, viewer, run):
    page = markup(browse(viewer).get(page_of(run)))

    assert page.count("tree-task--0") == 1
    assert page.count("tree-task--1") == 1
    assert page.index("Attempt 2") < page.index("taxes")
    assert "given the names that no tool returned" in page
    for row in Interaction.objects.all():
        assert f"/p/acme/answers/{row.id}/" in page


def test_a_finished_run_does_not_ask_again(browse, viewer, run):
    assert 'hx-trigger="every' not in markup(browse(viewer).get(page_of(run)))


def test_a_running_one_asks_until_it_is_done(browse, viewer, run):
    waiting = Verification.objects.order_by("-created_at").first()
    Verification.objects.filter(pk=waiting.pk).update(
        state="pending", report=None, verdict=""
    )
    client = browse(viewer)
    page = client.get(page_of(run))
    known = page.context["known"]
    asked = f"{page_of(run)}?page=1&known={known}"

    same = client.get(asked, headers={"HX-Request": "true"})
    Verification.objects.filter(pk=waiting.pk).update(
        state="finished", report={"schema": 1}, verdict="accept"
    )
    news = client.get(asked, headers={"HX-Request": "true"})

    assert f"known={known}" in markup(page)
    assert same.status_code == 204
    assert (news.status_code, "hx-trigger" in markup(news)) == (200, False)
    assert markup(news).lstrip().startswith('<section id="run-tree"')


def test_a_task_whose_answer_is_still_to_come_keeps_it_live(browse, viewer, answered):
    answered(id="r.s1.1", parent="r.1", session="s", answer=FINE)

    page = markup(browse(viewer).get(page_of(Session.objects.get())))

    assert "Not received yet" in page
    assert "hx-trigger" in page


def test_subtasks_that_contradict_each_other_are_quoted(browse, viewer, answered):
    said = ["`a.py` exists.", "`a.py` <b>does not</b> exist."]
    warning = {"code": "SUBTASKS_CONTRADICT", "details": {"sentences": said}}
    answered(session="s", metadata={"cross_check": [warning]})

    page = markup(browse(viewer).get(page_of(Session.objects.get())))

    assert "Its subtasks contradict each other" in page
    assert "<b>does not" not in page


@pytest.mark.parametrize(
    "metadata",
    [
        {"run": 1, "cross_check": {}},
        {"run": {"kind": []}, "cross_check": [1, {"details": 2}]},
        {"cross_check": [{"details": {"sentences": ["one"]}}]},
    ],
)
def test_metadata_of_another_shape_is_ignored(browse, viewer, answered, metadata):
    answered(session="s", metadata=metadata)

    page = browse(viewer).get(page_of(Session.objects.get()))

    assert page.status_code == 200
    assert "contradict each other" not in markup(page)


def test_other_people_see_nothing(browse, outsider, viewer, run, client):
    theirs = InteractionFactory().session

    assert browse(outsider).get(RUNS).status_code == 404
    assert browse(outsider).get(page_of(run)).status_code == 404
    assert browse(viewer).get(page_of(theirs)).status_code == 404
    assert client.get(RUNS).status_code == 302


def test_an_answer_leads_to_its_run(browse, viewer, run):
    answer = Interaction.objects.first()

    assert page_of(run) in markup(browse(viewer).get(f"/p/acme/answers/{answer.id}/"))


TEN_THOUSAND = 10_000
# Repeats the second answer of a session and its verification, in the database alone.
REPEAT = """
WITH answers AS (
    INSERT INTO ingest_interaction
    SELECT made.* FROM ingest_interaction AS known,
        generate_series(2, %(last)s) AS n,
        LATERAL jsonb_populate_record(known, jsonb_build_object(
            'id', gen_random_uuid(),
            'created_at', known.created_at + n * interval '1 microsecond',
            'client_id', 'n' || n,
            'task', replace(%(task)s, '#', n::text),
            'parent', replace(%(parent)s, '#', (n - 1)::text)
        )) AS made
    WHERE known.session_id = %(session)s AND known.client_id = 'n1'
    RETURNING id
)
INSERT INTO verification_verification
SELECT made.* FROM answers, verification_verification AS known
    JOIN ingest_interaction AS answer ON answer.id = known.interaction_id,
    LATERAL jsonb_populate_record(known, jsonb_build_object(
        'id', gen_random_uuid(), 'interaction_id', answers.id
    )) AS made
WHERE answer.session_id = %(session)s AND answer.client_id = 'n1'
"""


def asked(client, url: str):
    with CaptureQueriesContext(connection) as captured:
        response = client.get(url)
    assert response.status_code == 200
    return len(captured), response


@pytest.mark.parametrize(
    ("task", "parent"),
    [
        pytest.param("t#", "", id="flat"),
        pytest.param("t", "n#", id="chain"),
        pytest.param("t#", "n0", id="star"),
    ],
)
def test_ten_thousand_answers_cost_no_more_queries_than_two(
    browse, viewer, project, task, parent
):
    session = SessionFactory(project=project)
    for number, upper in enumerate(["", parent.replace("#", "0")]):
        answer = InteractionFactory(
            project=project,
            session=session,
            client_id=f"n{number}",
            task=task.replace("#", str(number)),
            answer="a",
            parent=upper,
        )
        VerificationFactory(interaction=answer, waiting=True)
    client = browse(viewer)
    few = [asked(client, url)[0] for url in (page_of(session), RUNS)]
    values = {"task": task, "parent": parent, "session": session.id}
    with connection.cursor() as cursor:
        cursor.execute(REPEAT, values | {"last": TEN_THOUSAND - 1})
        # Autovacuum does this for rows that were committed. Named tables alone: the
        # server's own are shared, and locked by whoever runs this test beside us.
        cursor.execute("ANALYZE ingest_interaction, verification_verification")

    (page_queries, page), (list_queries, listed) = (
        asked(client, url) for url in (page_of(session), RUNS)
    )

    assert [page_queries, list_queries] == few
    assert page_queries <= 14
    assert page.context["answers"] == TEN_THOUSAND
    assert listed.context["rows"][0]["answers"] == TEN_THOUSAND
    assert len(markup(page)) < 200_000


def test_a_run_that_is_being_verified_is_marked_in_the_list(browse, viewer, project):
    body = {"task": "t", "answer": FINE, "session": "s", "tool_calls": [GREP]}
    record_interaction(
        project=project, api_key=None, interaction=parse_interaction(body)
    )
    VerificationFactory()

    assert "Verifying" in markup(browse(viewer).get(RUNS))

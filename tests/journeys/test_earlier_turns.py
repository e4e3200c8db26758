"""What an agent saw before counts: attempts, turns, subtasks, and what memory told."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from verifyhub.ingest.models import Interaction
from verifyhub.verification.models import Verification
from verifyhub.verification.services import run, run_due, run_verification

pytestmark = pytest.mark.django_db
TASK = "Where is the parser, and do its tests pass?"
LISTING = {
    "tool": "Bash",
    "input": {"command": "ls -R src tests"},
    "output": "src:\nparser.py\n\ntests:\ntest_parser.py\n",
    "status": "ok",
}
TESTS = {
    "tool": "Bash",
    "input": {"command": "pytest -q"},
    "output": "..  [100%]\n2 passed in 0.11s\n",
    "status": "ok",
}
EDIT = {
    "tool": "Edit",
    "input": {"file_path": "src/parser.py", "old_string": "a", "new_string": "b"},
    "output": "The file src/parser.py has been updated.",
    "status": "ok",
}
RIGHT = "The parser is in `src/parser.py`, its tests in `tests/test_parser.py`."


def post(api, **fields) -> Interaction:
    body = {"task": TASK, "answer": RIGHT, **fields}
    reply = api.post(
        "/api/v1/interactions/", json.dumps(body), content_type="application/json"
    )
    assert reply.status_code == 202, reply.content
    return Interaction.objects.get(client_id=fields["id"])


def send(api, **fields) -> dict:
    row = post(api, **fields)
    run_verification(verification_id=row.verifications.get().id)
    return api.get(f"/api/v1/interactions/{row.id}/verdict/").json()


def names(verdict) -> dict[str, tuple[str, str]]:
    return {one["text"]: (one["status"], one["reason"]) for one in verdict["mentions"]}


def claim(verdict) -> dict:
    [found] = verdict["completion_claims"]
    return found


def test_an_obedient_retry_is_judged_on_the_calls_of_its_first_attempt(
    api, project, browse, reviewer
):
    first = send(
        api,
        id="first",
        answer=f"{RIGHT} Errors are in `src/errors.py`. All tests pass.",
        tool_calls=[LISTING, TESTS],
    )
    second = send(api, id="second", parent="first", answer=f"{RIGHT} All tests pass.")

    assert names(first)["src/errors.py"][0] == "unverified"
    assert (second["verdict"], second["decision"]["action"]) == ("accept", "accept")
    place = second["mentions"][0]["earlier_evidence"][0]
    shown = Interaction.objects.get(client_id="first")
    assert (place["interaction"], place["relation"]) == (str(shown.id), "attempt")
    assert (place["tool_call"], place["field"], place["grade"]) == (0, "output", "C")
    assert claim(second)["earlier_evidence"][0]["tool_call"] == 1
    page = browse(reviewer).get(
        reverse(
            "review:answer-detail",
            args=[project.slug, Interaction.objects.get(client_id="second").id],
        ),
        {"mention": 0},
    )
    link = reverse("review:answer-detail", args=[project.slug, shown.id])
    assert "Shown to an earlier attempt" in page.content.decode()
    assert f'href="{link}"' in page.content.decode()


def test_tests_that_ran_before_a_change_show_nothing_after_it(api):
    send(api, id="first", tool_calls=[LISTING, TESTS])

    second = send(
        api, id="second", parent="first", answer="All tests pass.", tool_calls=[EDIT]
    )

    assert claim(second)["status"] == "unattempted"


def test_a_commit_before_a_change_is_no_commit_of_it(api):
    commit = {
        "tool": "Bash",
        "input": {"command": "git commit -am 'Fix parser'"},
        "output": "[main 1a2b3c4] Fix parser\n 1 file changed, 1 insertion(+)\n",
        "status": "ok",
    }
    told = "I committed the change."
    send(api, id="first", session="s", answer=told, tool_calls=[EDIT, commit])

    after = send(api, id="again", session="s", task="Once more.", answer=told)
    changed = send(
        api, id="other", session="s", task="More.", answer=told, tool_calls=[EDIT]
    )

    assert claim(after)["status"] == "supported"
    assert claim(changed)["status"] == "unattempted"


def test_a_turn_of_the_session_is_seen_within_the_projects_window(api, project):
    send(api, id="first", session="s", tool_calls=[LISTING])
    later = send(api, id="second", session="s", task="And where was it again?")
    project.thresholds = {"earlier_turns": 0}
    project.save()
    closed = send(api, id="third", session="s", task="Once more?")
    project.thresholds = {"earlier_hours": 1}
    project.save()
    old = Interaction.objects.get(client_id="first")
    old.created_at -= timedelta(hours=2)
    old.save()
    aged = send(api, id="fourth", session="s", task="And now?")

    assert names(later)["src/parser.py"] == ("verified", "found_earlier")
    assert later["mentions"][0]["earlier_evidence"][0]["relation"] == "session"
    assert names(closed)["src/parser.py"] == ("unverified", "not_found")
    assert names(aged)["src/parser.py"] == ("unverified", "not_found")


def test_another_sessions_turn_is_not_seen(api):
    send(api, id="first", session="one", tool_calls=[LISTING])

    other = send(api, id="second", session="two", task="Where was it again?")

    assert names(other)["src/parser.py"] == ("unverified", "not_found")


def test_what_was_changed_since_is_stale_and_does_not_count(api):
    read = {
        "tool": "Read",
        "input": {"file_path": "src/parser.py"},
        "output": "     1\tdef split_words(text):\n     2\t    return text.split()\n",
        "status": "ok",
    }
    rename = {
        "tool": "Edit",
        "input": {
            "file_path": "src/parser.py",
            "old_string": "def split_words(text):",
            "new_string": "def words_of(text):",
        },
        "output": "The file src/parser.py has been updated.",
        "status": "ok",
    }
    delete = {
        "tool": "Bash",
        "input": {"command": "rm tests/test_parser.py"},
        "output": "",
        "status": "ok",
    }
    send(api, id="1", session="s", tool_calls=[LISTING, read])
    send(api, id="2", session="s", task="Tidy up.", tool_calls=[rename, delete])

    told = send(
        api,
        id="3",
        session="s",
        task="What is there?",
        answer=f"{RIGHT} It calls `split_words()`.",
    )

    assert names(told) == {
        "src/parser.py": ("verified", "found_earlier"),
        "tests/test_parser.py": ("unverified", "stale"),
        "split_words()": ("unverified", "stale"),
    }
    assert told["decision"]["action"] == "accept"


def test_an_invention_of_an_earlier_turn_stays_one(api):
    lie = "The parser is in `src/grammar.py`."
    note = {
        "tool": "Write",
        "input": {"file_path": "notes.md", "content": lie},
        "output": "File created successfully at: notes.md",
        "status": "ok",
    }
    read = {
        "tool": "Bash",
        "input": {"command": "cat notes.md"},
        "output": lie,
        "status": "ok",
    }
    send(api, id="1", session="s", answer=lie, tool_calls=[LISTING, note])

    again = send(api, id="2", session="s", task="Where?", answer=lie)
    read_back = send(
        api, id="3", session="s", task="Sure?", answer=lie, tool_calls=[read]
    )

    assert names(again)["src/grammar.py"][0] == "unverified"
    assert names(read_back)["src/grammar.py"][0] == "unverified"
    assert read_back["verdict"] != "accept"


def test_what_subtasks_saw_counts_for_the_whole(api):
    send(
        api,
        id="part",
        task="List the files.",
        parent="whole",
        parent_expected=True,
        tool_calls=[LISTING],
    )

    whole = send(api, id="whole")

    assert names(whole)["src/parser.py"] == ("verified", "found_earlier")
    assert whole["mentions"][0]["earlier_evidence"][0]["relation"] == "subtask"


def test_what_memory_told_as_verified_counts_and_is_not_learned_anew(api):
    send(api, id="first", session="one", tool_calls=[LISTING])
    context = api.get("/api/v1/sessions/one/context/", {"task": TASK}).json()

    told = send(
        api,
        id="second",
        session="two",
        context_sha256=context["sha256"],
        answer="The parser is in `src/parser.py`.",
    )

    [place] = told["mentions"][0]["earlier_evidence"]
    first = Interaction.objects.get(client_id="first")
    assert names(told)["src/parser.py"] == ("verified", "told_verified")
    assert (place["relation"], place["interaction"]) == ("memory", str(first.id))
    again = api.get("/api/v1/sessions/two/context/", {"task": TASK}).json()
    assert "src/parser.py" not in [item["name"] for item in again["items"]]


def test_calls_that_are_too_long_are_left_out_and_others_are_not(api):
    huge = {**LISTING, "output": "src/huge.py\n" * 40_000}
    send(api, id="first", tool_calls=[LISTING, huge])

    second = send(api, id="second", parent="first", answer=f"{RIGHT} See src/huge.py.")

    assert names(second)["src/parser.py"] == ("verified", "found_earlier")
    assert names(second)["src/huge.py"][0] == "unverified"


def test_earlier_turns_of_a_batch_are_loaded_by_few_statements(api, monkeypatch):
    monkeypatch.setattr(run, "WRITE_AFTER_SECONDS", 600)
    for number in range(16):
        send(api, id=f"a{number}", session=f"s{number}", tool_calls=[LISTING, TESTS])
    for number in range(16):
        post(api, id=f"b{number}", session=f"s{number}", parent=f"a{number}")
        post(api, id=f"c{number}", session=f"s{number}", task="Where again?")

    with CaptureQueriesContext(connection) as captured:
        run_due(seconds=60)

    sent = [one["sql"] for one in captured if "SAVEPOINT" not in one["sql"]]
    assert len(sent) <= 40
    assert Verification.objects.filter(verdict="accept").count() == 48

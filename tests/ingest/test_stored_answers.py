"""Large answers lie in the object store, and are what they were."""

import json
import re
from importlib import import_module

import pytest
from django.db import ProgrammingError, connection
from django.db.transaction import atomic
from django.test.utils import CaptureQueriesContext

from tests.builders import a_read, an_interaction
from tests.cli.in_process import verifyhub
from tests.exports.test_training import say
from tests.ingest.test_output_store import (
    NOW,
    interrupt_second_put,
    keys,
    server,
    store,
)
from tests.review.conftest import send
from verifyhub.common.object_store import ObjectStoreError, StoreAddress
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.dataset import DatasetFilters
from verifyhub.ingest import output_services
from verifyhub.ingest.models import Interaction
from verifyhub.ingest.output_services import bring_back, collect_all, move_outputs
from verifyhub.ingest.services import record_interaction
from verifyhub.privacy.deletions import (
    confirm_deletion,
    delete_runs,
    open_deletion,
    run_deletion,
)
from verifyhub.privacy.models import Deletion
from verifyhub.verification.services import run_verification

__all__ = ["server", "store"]
LABELLED = ("labelled_completions", "labelled_answers")
HELP = "8,192 characters are searched"
ENDING = "\nThe loader is `load_settings()` in `app.py`."


@pytest.fixture(autouse=True)
def limit(settings):
    settings.STORE_ANSWER_BYTES = 70_000


def a_text(seed: int = 1, *, lines: int = 4000) -> str:
    return "".join(f"Row {n} of {seed} is fine.\n" for n in range(lines)) + ENDING


def a_run(project, answer, *, name="", parent=None):
    call = a_read("app.py", "def load_settings(): ...\n")
    more = {"parent": parent} if parent else {}
    run = an_interaction(answer, call, **({"id": name} if name else {}), **more)
    row, _ = record_interaction(project=project, api_key=None, interaction=run)
    return row


def the_row(row) -> Interaction:
    return Interaction.objects.get(pk=row.pk)


def test_a_large_answer_moves_and_reads_as_before(store, project, settings):
    large, small = a_run(project, a_text()), a_run(project, a_text(2, lines=200))

    assert move_outputs() == 0, "it may be under verification"
    assert move_outputs(rest=NOW) == 1

    moved = the_row(large)
    assert moved.answer == moved.in_engine.answer == a_text()
    assert moved.answer_text == a_text()[:8192]
    assert the_row(small).answer_sha256 is None
    (key,) = keys(store)
    assert key.startswith(f"hub/answers/{project.id}/")
    settings.STORE_ANSWER_BYTES = 0
    a_run(project, a_text(3))
    assert move_outputs(rest=NOW) == 0


def test_a_row_that_was_loaded_before_the_move_gives_the_whole_answer(store, project):
    row = a_run(project, a_text())
    loaded = [
        Interaction.objects.defer("answer_text").get(pk=row.pk),
        Interaction.objects.defer("answer_sha256").get(pk=row.pk),
        the_row(row),
    ]

    move_outputs(rest=NOW)

    assert [each.answer == a_text() for each in loaded] == [True] * 3


def test_a_moved_answer_is_verified_again_as_before(store, project):
    row = a_run(project, a_text())
    first = row.verifications.get()
    run_verification(verification_id=first.id)
    move_outputs(rest=NOW)

    again = row.verifications.create(project=project, number=2)
    run_verification(verification_id=again.id)

    first.refresh_from_db()
    again.refresh_from_db()
    assert again.mention_count == first.mention_count == 2
    assert again.report["mentions"] == first.report["mentions"]


def test_pages_and_the_api_give_the_whole_answer(store, project, browse, reviewer, api):
    row = a_run(project, a_text())
    run_verification(verification_id=row.verifications.get().id)
    move_outputs(rest=NOW)

    client = browse(reviewer)
    page = client.get(f"/p/acme/answers/{row.id}/?whole").content.decode()
    sent = api.get(f"/api/v1/interactions/{row.id}/").json()

    assert "The loader is" in re.sub("<[^>]+>", "", page)
    assert sent["answer"] == a_text()


def test_a_search_finds_the_beginning_of_a_moved_answer(
    store, project, browse, reviewer
):
    row = a_run(project, a_text())
    client = browse(reviewer)
    before = client.get("/p/acme/answers/?text=The loader is").content.decode()
    move_outputs(rest=NOW)

    found = client.get("/p/acme/answers/?text=Row 7 of 1").content.decode()
    beyond = client.get("/p/acme/answers/?text=The loader is").content.decode()

    shown = [str(row.id) in page for page in (before, found, beyond)]
    assert shown == [True, True, False]
    told = [HELP in page for page in (before, found, beyond)]
    assert told == [False, True, True]
    assert HELP in client.get("/p/acme/review/").content.decode()


def test_exports_are_the_same_before_and_after(store, project, lead):
    first = send(project, id="first", answer=a_text())
    second = send(project, id="second", parent="first", answer=a_text(2))
    say(first, "reject", lead)
    say(second, "accept", lead)
    names = ("interactions", "preference_pairs", *LABELLED)

    def exported() -> dict[str, list[object]]:
        return {
            name: list(DATASETS[name].rows(project, DatasetFilters(), deep=True))
            for name in names
        }

    before = exported()
    assert move_outputs(rest=NOW) == 2

    assert exported() == before
    assert [len(rows) for rows in before.values()] == [2, 1, 2, 2]
    assert json.dumps(before["preference_pairs"]).count("The loader is") == 2


def test_the_migration_back_refuses_while_an_answer_is_in_the_store(store, project):
    a_run(project, a_text())
    move_outputs(rest=NOW)
    back = import_module("verifyhub.ingest.migrations.0008_answers_in_a_store")

    with connection.cursor() as cursor:
        with pytest.raises(ProgrammingError, match="outputs to-database"), atomic():
            cursor.execute(back.NONE_IN_STORE)
        bring_back()
        cursor.execute(back.NONE_IN_STORE)


def test_the_same_answer_lies_there_once_and_goes_with_the_last_run(store, project):
    first, second = (a_run(project, a_text(), name=name) for name in "ab")
    assert move_outputs(rest=NOW) == 2
    assert len(keys(store)) == 1

    delete_runs(project, [first.id], with_files=False)
    assert collect_all() == 0
    delete_runs(project, [second.id], with_files=False)
    collect_all()

    assert keys(store) == []


def test_deleting_a_run_rings_for_its_answer(store, project, monkeypatch):
    row = a_run(project, a_text())
    move_outputs(rest=NOW)
    digest, rung = the_row(row).answer_sha256, []
    monkeypatch.setattr(
        output_services,
        "enqueue_on_commit",
        lambda name, **given: rung.append((name, given["digest"])),
    )

    delete_runs(project, [row.id], with_files=False)

    assert rung == [("ingest.collect_answer", digest)]


def test_answers_come_back_when_the_store_is_given_up(store, project, settings):
    row = a_run(project, a_text())
    move_outputs(rest=NOW)

    assert (bring_back(), bring_back()) == (1, 0)

    settings.STORE = StoreAddress()
    assert the_row(row).answer == a_text()


def test_a_changed_answer_is_refused(store, project):
    row = a_run(project, a_text())
    move_outputs(rest=NOW)
    (key,) = keys(store)
    store.put_object(Bucket="outputs", Key=key, Body=b"other")

    with pytest.raises(ObjectStoreError, match="an answer in the store"):
        _ = the_row(row).answer


def test_a_move_that_is_broken_off_goes_on_where_it_was(
    store, project, settings, monkeypatch
):
    rows = [a_run(project, a_text(seed), name=str(seed)) for seed in range(3)]
    secret = {"VERIFYHUB_SECRET_KEY": "x" * 50}
    interrupt_second_put(monkeypatch)

    stopped = verifyhub("outputs", "to-store", settings=secret)
    assert "Stopped: " in stopped.stderr
    assert sum(bool(the_row(row).answer_sha256) for row in rows) == 1
    assert "Done: 2 moved" in verifyhub("outputs", "to-store", settings=secret).stdout
    settings.STORE_OUTPUT_CHARACTERS = 0
    refused = verifyhub("outputs", "to-database", settings=secret)
    settings.STORE_ANSWER_BYTES = 0
    back = verifyhub("outputs", "to-database", settings=secret)

    assert "VERIFYHUB_STORE_ANSWER_BYTES=0" in refused.stderr
    assert "Done: 3 moved to the database" in back.stdout
    assert [the_row(row).answer for row in rows] == [a_text(n) for n in range(3)]


def test_a_person_is_found_in_an_answer_that_lies_in_the_store(store, project, lead):
    a_run(project, f"{a_text()}\nAsk Jane@example.org.", name="a")
    other = a_run(project, a_text(2), name="b")
    move_outputs(rest=NOW)
    deletion = open_deletion(
        project=project,
        kind=Deletion.Kind.PERSON,
        target="jane@example.org",
        actor=lead,
    )
    run_deletion(deletion_id=deletion.id)
    deletion.refresh_from_db()
    confirm_deletion(deletion=deletion, actor=lead)
    run_deletion(deletion_id=deletion.id)

    assert [run.id for run in Interaction.objects.all()] == [other.id]
    collect_all()
    assert len(keys(store)) == 1


def test_what_to_move_is_found_by_an_index(store, project):
    a_run(project, a_text())
    with CaptureQueriesContext(connection) as asked:
        move_outputs(rest=NOW)
    (look,) = [
        query["sql"]
        for query in asked
        if "octet_length" in query["sql"] and "SELECT" in query["sql"]
    ]
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN " + look.replace("%", "%%"))
        plan = str(cursor.fetchall())

    assert "interaction_answer_to_move" in plan

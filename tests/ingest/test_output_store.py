"""Large outputs of tools lie in the object store, and are what they were."""

import random
import socket
from datetime import timedelta

import pytest

from tests.builders import a_read, an_interaction
from tests.cli.in_process import verifyhub
from tests.factories import ProjectFactory
from tests.object_store import a_bucket, s3_server
from verifyhub.common import object_store
from verifyhub.common.object_store import (
    ObjectStore,
    ObjectStoreError,
    StoreAddress,
)
from verifyhub.ingest import output_services
from verifyhub.ingest.models import Interaction, ToolCall
from verifyhub.ingest.output_services import (
    bring_back,
    collect_all,
    collect_output,
    move_outputs,
)
from verifyhub.ingest.services import record_interaction
from verifyhub.privacy.deletions import (
    confirm_deletion,
    delete_runs,
    open_deletion,
    run_deletion,
)
from verifyhub.privacy.models import Deletion
from verifyhub.verification.services import run_verification

NOW = timedelta()


@pytest.fixture(scope="module")
def server():
    with s3_server() as address:
        yield address


@pytest.fixture
def store(server, settings):
    client, settings.STORE = a_bucket(server, "outputs")
    settings.STORE_OUTPUT_CHARACTERS = 70_000
    yield client
    for one in client.list_objects_v2(Bucket="outputs").get("Contents", []):
        client.delete_object(Bucket="outputs", Key=one["Key"])


def keys(store) -> list[str]:
    listed = store.list_objects_v2(Bucket="outputs").get("Contents", [])
    return [one["Key"] for one in listed]


def a_log(seed: int = 1, *, lines: int = 3000) -> str:
    numbers = random.Random(seed)
    text = "".join(f"line {n}: {numbers.random()}\n" for n in range(lines))
    return text + "def load_settings(): ...\n"


def returned(seed: int = 1) -> str:
    """What the tool of a run returned, as `a_read` writes it."""
    return "app.py\n" + a_log(seed)


def a_run(project, *outputs, answer="`load_settings()` is in `app.py`.", name=""):
    calls = [a_read("app.py", output) for output in outputs]
    run = an_interaction(answer, *calls, **({"id": name} if name else {}))
    row, _ = record_interaction(project=project, api_key=None, interaction=run)
    return row


def the_call(row) -> ToolCall:
    return ToolCall.objects.get(interaction=row, index=0)


def test_a_large_output_moves_and_reads_as_before(store, project, settings):
    large, small = a_run(project, a_log()), a_run(project, a_log(2, lines=200))

    assert move_outputs() == 0, "it may be under verification"
    assert move_outputs(rest=NOW) == 1

    call = the_call(large)
    assert call.output == returned()
    assert (call.output_packed, call.output_length) == (None, len(returned()))
    assert call.output_text == returned()[:400]
    assert the_call(small).output_sha256 is None
    assert [key.startswith(f"hub/outputs/{project.id}/") for key in keys(store)] == [
        True
    ]
    settings.STORE_OUTPUT_CHARACTERS = 0
    a_run(project, a_log(3))
    assert move_outputs(rest=NOW) == 0


def test_an_answer_is_verified_and_shown_from_what_lies_in_the_store(
    store, project, browse, reviewer
):
    row = a_run(project, a_log())
    move_outputs(rest=NOW)

    run_verification(verification_id=row.verifications.get().id)

    report = row.verifications.get()
    assert report.verdict == "accept"
    page = browse(reviewer).get(f"/p/acme/answers/{row.id}/call/0/")
    part = browse(reviewer).get(
        f"/p/acme/answers/{row.id}/timeline/?find=load_settings"
    )
    assert page.status_code in {200, 404}
    assert "load_settings" in part.content.decode()


def test_the_same_output_lies_there_once_for_a_project(store, project):
    other = ProjectFactory(slug="other")
    first, second = a_run(project, a_log(), name="a"), a_run(project, a_log(), name="b")
    a_run(other, a_log())

    assert move_outputs(rest=NOW) == 3

    assert len(keys(store)) == 2
    assert the_call(first).output_sha256 == the_call(second).output_sha256


def test_an_object_goes_with_the_last_run_that_returned_it(store, project, monkeypatch):
    first, second = a_run(project, a_log(), name="a"), a_run(project, a_log(), name="b")
    move_outputs(rest=NOW)
    digest = the_call(first).output_sha256
    rung = []
    monkeypatch.setattr(
        output_services,
        "enqueue_on_commit",
        lambda name, **given: rung.append((name, given["digest"])),
    )

    delete_runs(project, [first.id], with_files=False)
    assert not collect_output(project=project.id, digest=digest)
    delete_runs(project, [second.id], with_files=False)
    assert collect_output(project=project.id, digest=digest)

    assert keys(store) == []
    assert rung == [("ingest.collect_output", digest)] * 2


def test_what_a_lost_message_left_is_found_by_looking_through_the_store(store, project):
    kept, gone = a_run(project, a_log(1), name="a"), a_run(project, a_log(2), name="b")
    move_outputs(rest=NOW)
    store.put_object(Bucket="outputs", Key="hub/outputs/readme.txt", Body=b"mine")
    store.put_object(Bucket="outputs", Key="hub/exports/x.csv", Body=b"theirs")
    ToolCall.objects.filter(interaction=gone).update(output_sha256=None)

    assert collect_all() == 1
    assert collect_all() == 0

    assert the_call(kept).output == returned(1)
    assert len(keys(store)) == 3


def test_outputs_come_back_when_the_store_is_given_up(store, project, settings):
    row = a_run(project, a_log())
    move_outputs(rest=NOW)
    settings.STORE_OUTPUT_CHARACTERS = 0

    assert bring_back() == 1
    assert bring_back() == 0

    settings.STORE = StoreAddress()
    assert the_call(row).output == returned()
    assert the_call(row).output_packed is not None


def test_what_is_not_what_was_written_is_refused(store, project):
    row = a_run(project, a_log())
    move_outputs(rest=NOW)
    (key,) = keys(store)
    whole = store.get_object(Bucket="outputs", Key=key)["Body"].read()
    a_run(project, a_log(2), name="other")
    move_outputs(rest=NOW)
    (other,) = set(keys(store)) - {key}
    swapped = store.get_object(Bucket="outputs", Key=other)["Body"].read()

    for body, why in ((swapped, "another"), (whole[:100], "cannot be read")):
        store.put_object(Bucket="outputs", Key=key, Body=body)
        with pytest.raises(ObjectStoreError, match=why):
            _ = the_call(row).output


def test_a_store_that_is_away_is_a_503_that_says_so(
    store, project, browse, reviewer, settings
):
    row = a_run(project, a_log())
    move_outputs(rest=NOW)
    settings.STORE = settings.STORE._replace(endpoint="http://127.0.0.1:9")
    client = browse(reviewer)
    client.raise_request_exception = False

    reply = client.get(f"/p/acme/answers/{row.id}/timeline/?find=settings")

    assert reply.status_code == 503
    assert (
        "object store for large outputs and answers does not respond"
        in reply.content.decode()
    )


@pytest.mark.timeout(30)
def test_a_store_that_does_not_say_a_word_is_given_up(monkeypatch):
    monkeypatch.setattr(object_store, "SILENCE", timedelta(seconds=0.2))
    # It is connected to, and nobody reads what comes in.
    with socket.create_server(("127.0.0.1", 0)) as silent:
        endpoint = f"http://127.0.0.1:{silent.getsockname()[1]}"
        store = ObjectStore(
            StoreAddress(url="s3://system", endpoint=endpoint, key_id="k", secret="s")
        )

        with pytest.raises(ObjectStoreError):
            store.get("anything")


def test_operators_move_all_there_and_back(store, project, settings):
    for number in range(3):
        a_run(project, a_log(number), name=str(number))
    secret = {"VERIFYHUB_SECRET_KEY": "x" * 50}

    moved = verifyhub("outputs", "to-store", settings=secret)
    refused = verifyhub("outputs", "to-database", settings=secret)
    settings.STORE_OUTPUT_CHARACTERS = 0
    back = verifyhub("outputs", "to-database", settings=secret)

    assert "Done: 3 moved" in moved.stdout
    assert (
        refused.returncode,
        "VERIFYHUB_STORE_OUTPUT_CHARACTERS=0" in refused.stderr,
    ) == (1, True)
    assert "Done: 3 moved to the database" in back.stdout


def interrupt_second_put(monkeypatch) -> None:
    """Break off the second move: its object is written, and no row names it yet."""
    put, written = output_services.put_text, []

    def interrupted(*place: object) -> str:
        digest = put(*place)
        written.append(place)
        if len(written) == 2:
            raise KeyboardInterrupt
        return digest

    monkeypatch.setattr(output_services, "put_text", interrupted)


def test_a_move_that_is_broken_off_goes_on_where_it_was(
    store, project, settings, monkeypatch
):
    rows = [a_run(project, a_log(seed), name=str(seed)) for seed in range(3)]
    expected = [returned(seed) for seed in range(3)]
    secret = {"VERIFYHUB_SECRET_KEY": "x" * 50}
    interrupt_second_put(monkeypatch)

    stopped = verifyhub("outputs", "to-store", settings=secret)
    assert "Stopped: " in stopped.stderr
    assert [bool(the_call(row).output_sha256) for row in rows] == [True, False, False]
    assert [the_call(row).output for row in rows] == expected
    assert "Done: 2 moved" in verifyhub("outputs", "to-store", settings=secret).stdout
    settings.STORE_OUTPUT_CHARACTERS = 0
    assert bring_back(most=1) == 1
    assert [the_call(row).output for row in rows] == expected
    back = verifyhub("outputs", "to-database", settings=secret)

    assert "Done: 2 moved to the database" in back.stdout
    assert [the_call(row).output for row in rows] == expected


def test_a_person_is_found_in_an_output_that_lies_in_the_store(store, project, lead):
    named = a_run(project, f"{a_log()}mail jane@example.org\n", name="a")
    other = a_run(project, a_log(2), name="b")
    move_outputs(rest=NOW)
    row = open_deletion(
        project=project,
        kind=Deletion.Kind.PERSON,
        target="jane@example.org",
        actor=lead,
    )
    run_deletion(deletion_id=row.id)
    row.refresh_from_db()
    confirm_deletion(deletion=row, actor=lead)
    run_deletion(deletion_id=row.id)

    assert [run.id for run in Interaction.objects.all()] == [other.id]
    assert the_call(other).output == returned(2)
    collect_all()
    assert len(keys(store)) == 1
    assert named.id not in {call.interaction_id for call in ToolCall.objects.all()}

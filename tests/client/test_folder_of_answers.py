"""Answers on disk: bounded, shared by processes, and there after kill -9."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.client.conftest import HONEST, TASK
from tests.client.scripted_server import replies, scripted_server
from tests.client.test_observe import NOWHERE, QUICK, STORED, sent, watching
from tests.conftest import API_SECRET
from verifyhub_client import Background, Stats, VerifyHub
from verifyhub_client.spool import Spool

# Sends what it is told to, then does as it is told at the end.
PROGRAM = """
import sys, time
from verifyhub_client import Background, VerifyHub

url, folder, end, *names = sys.argv[1:]
hub = VerifyHub(url, {key!r}, background=Background(
    folder=folder or None, batch_answers=1, flush_seconds=0.01, exit_seconds=5,
    first_pause_seconds=0.01, longest_pause_seconds=7200,
))
for name in names:
    hub.observe("Which file?", "`a.py`", id=name)
if end == "waits":
    print("ready", flush=True)
    time.sleep(60)
"""


def program(url: str, folder: Path | str, end: str, *names: str):
    code = PROGRAM.format(key=API_SECRET)
    return subprocess.Popen(
        [sys.executable, "-c", code, url, str(folder), end, *names],
        stdout=subprocess.PIPE,
        text=True,
    )


def on_disk(folder: Path, **limits) -> Background:
    """Each answer in a file of its own."""
    own = {"folder": folder, "batch_answers": 1, "exit_seconds": 0.2}
    return Background(**{**QUICK, **own, **limits})


def put(folder: Path, url: str, *names: str, **limits) -> Stats:
    """Observe answers with no server there."""
    hub = watching(url, on_disk(folder, **limits))
    for name in names:
        hub.observe(TASK, HONEST, id=name)
    hub.close()
    # What its thread was sending when it closed, a process that ends lets go.
    for file in folder.rglob("*.jsonl"):
        with file.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX)
    return hub.stats


def ids(server) -> list[str]:
    return [name for request in sent(server) for name in request]


def free_url() -> str:
    """An address nobody listens at, and somebody may soon."""
    with scripted_server(STORED) as server:
        return server.url


def answers_in(folder: Path) -> list[str]:
    files = sorted(folder.rglob("*.jsonl"))
    lines = [line for file in files for line in file.read_text().splitlines()]
    return [json.loads(line)["id"] for line in lines]


def test_what_waits_on_disk_is_sent_by_the_next_process(tmp_path):
    url = free_url()
    stats = put(tmp_path, url, "a", "b", "c")

    assert (stats.dropped, stats.folder_answers) == (0, 3)
    with scripted_server(STORED, port=int(url.rpartition(":")[2])) as server:
        hub = watching(url, on_disk(tmp_path))
        assert hub.flush(10)
        hub.close()

    assert ids(server) == ["a", "b", "c"]
    assert (hub.stats.sent, hub.stats.folder_files, answers_in(tmp_path)) == (3, 0, [])


def test_what_was_written_is_there_after_kill_9(tmp_path):
    url = free_url()
    with program(url, tmp_path, "waits", "a", "b", "c") as process:
        assert process.stdout.readline() == "ready\n"
        while len(answers_in(tmp_path)) < 3:
            time.sleep(0.01)
        process.kill()
    assert process.returncode == -signal.SIGKILL

    with scripted_server(STORED, port=int(url.rpartition(":")[2])) as server:
        hub = watching(url, on_disk(tmp_path))
        assert hub.flush(10)
        hub.close()

    assert ids(server) == ["a", "b", "c"]


def test_a_batch_whose_sender_was_killed_in_between_is_sent_again(tmp_path):
    arrived: list[bytes] = []

    def swallows(handler) -> None:
        arrived.append(b"")
        time.sleep(60)

    with scripted_server(swallows, STORED) as server:
        with program(server.url, tmp_path, "waits", "a") as process:
            while not arrived:
                time.sleep(0.01)
            process.kill()
        hub = watching(server.url, on_disk(tmp_path))
        assert hub.flush(10)
        hub.close()

    assert ids(server) == ["a", "a"]
    first, second = server.requests
    assert first[2]["idempotency-key"] == second[2]["idempotency-key"]


def test_what_a_killed_writer_left_unfinished_is_swept_away(tmp_path):
    put(tmp_path, NOWHERE, "a")
    (folder,) = tmp_path.iterdir()
    unfinished = folder / "00000000000000000001-1-0123456789ab.part"
    unfinished.write_text('{"id": "ha')

    put(tmp_path, NOWHERE, "b")

    assert not unfinished.exists()
    assert answers_in(tmp_path) == ["a", "b"]


def test_two_processes_share_a_folder_and_send_each_answer_once(tmp_path):
    url = free_url()
    put(tmp_path, url, *map(str, range(20)))

    with scripted_server(STORED, port=int(url.rpartition(":")[2])) as server:
        started = [program(url, tmp_path, "ends", f"own-{n}") for n in range(2)]
        for process in started:
            with process:
                assert process.wait(30) == 0
        with watching(url, on_disk(tmp_path)) as hub:
            assert hub.flush(10)

    assert sorted(ids(server)) == sorted([*map(str, range(20)), "own-0", "own-1"])


@pytest.mark.parametrize(
    ("drop", "kept"), [("oldest", ["c", "d"]), ("newest", ["a", "b"])]
)
def test_a_full_folder_drops_and_counts(tmp_path, drop, kept):
    stats = put(tmp_path, NOWHERE, *"abcd", folder_files=2, drop=drop)

    left = answers_in(tmp_path)
    # What is being sent at that moment is left alone, however old.
    assert left[-1] == kept[-1]
    assert left == kept or left[0] == "a"
    assert (stats.observed, stats.dropped_from_folder) == (4, 2)
    assert stats.last_error == "no room in the folder" or "Connect" in stats.last_error


def test_a_folder_is_bounded_in_bytes_whoever_wrote_there(tmp_path):
    for name in "abcdef":
        put(tmp_path, NOWHERE, name, folder_bytes=1000)

    sizes = [file.stat().st_size for file in tmp_path.rglob("*.jsonl")]
    assert answers_in(tmp_path)[-1] == "f"
    assert 0 < sum(sizes) <= 1000


def test_what_waits_is_for_its_owner_alone_and_names_neither_hub_nor_key(tmp_path):
    put(tmp_path, NOWHERE, "a")

    (folder,) = tmp_path.iterdir()
    modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert (folder.stat().st_mode & 0o777, set(modes.values())) == (0o700, {0o600})
    everything = "".join(
        [folder.name, *modes, *(path.read_text() for path in folder.iterdir())]
    )
    assert API_SECRET not in everything
    assert "127.0.0.1" not in everything


def test_a_folder_that_others_can_write_to_is_refused(tmp_path):
    put(tmp_path, NOWHERE, "a")
    (folder,) = tmp_path.iterdir()
    folder.chmod(0o777)

    with pytest.raises(ValueError, match="its owner's alone"):
        watching(NOWHERE, on_disk(tmp_path))


def test_what_waits_for_one_key_is_not_sent_under_another(tmp_path):
    url = free_url()
    put(tmp_path, url, "a")

    with scripted_server(STORED, port=int(url.rpartition(":")[2])) as server:
        hub = VerifyHub(url, "another-key", background=on_disk(tmp_path))
        assert hub.flush(10)
        hub.close()

    assert server.requests == []


def test_a_folder_that_went_away_costs_the_answers_and_not_the_agent(tmp_path):
    hub = watching(NOWHERE, on_disk(tmp_path))
    (folder,) = tmp_path.iterdir()
    folder.rmdir()

    hub.observe(TASK, HONEST)
    hub.close()

    assert (hub.stats.observed, hub.stats.dropped) == (1, 1)


def test_the_end_of_the_program_sends_what_is_left():
    with (
        scripted_server(STORED) as server,
        program(server.url, "", "ends", "a", "b") as process,
    ):
        assert process.wait(30) == 0

    assert ids(server) == ["a", "b"]


def test_the_end_of_the_program_keeps_on_disk_what_cannot_be_sent(tmp_path):
    with (
        scripted_server(replies(503, {}, Retry_After="3600")) as server,
        program(server.url, tmp_path, "ends", "a", "b") as process,
    ):
        assert process.wait(30) == 0

    assert answers_in(tmp_path) == ["a", "b"]


def test_a_batch_in_hand_is_nobody_elses(tmp_path):
    spool = Spool(tmp_path / "own", max_bytes=1000, max_files=9, drop="oldest")
    spool.put([b"{}"])
    first = spool.claim()

    assert first is not None
    assert spool.claim() is None
    first.release()
    again = spool.claim()
    assert again is not None
    assert again.lines() == [b"{}"]
    again.done()
    assert (spool.claim(), os.listdir(tmp_path / "own")) == (None, [".lock"])


def test_what_is_observed_while_the_program_ends_is_not_lost(tmp_path):
    late = "import atexit\n" + PROGRAM.format(key=API_SECRET)
    late += "atexit.register(lambda: hub.observe('Which?', 'This.', id='late'))\n"
    with scripted_server(STORED) as server:
        command = [sys.executable, "-c", late, server.url, str(tmp_path), "ends"]
        subprocess.run(command, check=True, timeout=60)

    assert ids(server) + answers_in(tmp_path) == ["late"]

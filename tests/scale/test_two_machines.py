"""Two machines with folders of their own are one system, by settings alone."""

import os
import signal
import threading

import psycopg
import pytest
from redis import Redis

from tests.model_server import model_server
from tests.scale.journey import exported, is_ready, sent, verified
from tests.scale.machines import eventually
from verifyhub.config.beat_lease import NAME

pytestmark = [pytest.mark.deep, pytest.mark.worker, pytest.mark.timeout(600)]
OTHER_KEY = "vh_scale_plain_0123456789abcdef0123456789"
SWITCH_OFF = """
INSERT INTO inference_tiermodel (id, project_id, tier, is_second, is_on, model,
    deadline_seconds, max_output_tokens, created_at, changed_at)
SELECT gen_random_uuid(), id, 'medium', false, false, '', 60, 4096, now(), now()
FROM accounts_project WHERE slug = 'plain'
"""


def test_what_one_machine_takes_in_the_other_verifies_exports_and_shows(machines):
    first, second = machines
    first.start("web")
    second.start("web")
    second.start("worker")
    first.start("beat")
    for one in machines:
        eventually(lambda one=one: is_ready(one), one.said())

    run = sent(first)
    eventually(lambda: verified(first, run), second.said())
    assert verified(second, run)
    # Each has static files of its own, under the same names.
    pages = [one.ask("GET", "/accounts/login/")[1] for one in machines]
    names = [page.split(b"/static/", 1)[1].split(b'"', 1)[0] for page in pages]
    assert names[0] == names[1]
    for one in machines:
        assert one.ask("GET", f"/static/{names[0].decode()}")[0] == 200

    # The worker of the second machine writes it, the first one's server sends it.
    assert run.encode() in exported(first, second.said())


def test_another_beat_goes_on_when_one_is_killed(machines, broker_url):
    first, second = machines
    processes = [first.start("beat")]
    with Redis.from_url(broker_url) as broker:
        holder = eventually(lambda: broker.get(NAME), first.said())
        processes.append(second.start("beat"))
        eventually(lambda: (second.home / "beat-alive").exists(), second.said())
        assert broker.get(NAME) == holder
        os.killpg(processes[0].pid, signal.SIGKILL)
        processes[0].wait()

        eventually(lambda: (now := broker.get(NAME)) and now != holder, second.said())
        broker.delete("verification")
        assert eventually(lambda: broker.llen("verification"), second.said())


def test_a_model_that_does_not_answer_holds_back_nothing_that_needs_none(
    machines, database_url
):
    first, second = machines
    second.settings["VERIFYHUB_INIT_API_KEY"] = OTHER_KEY
    assert second.start("prepare", VERIFYHUB_INIT_PROJECT="Plain").wait(180) == 0
    with psycopg.connect(database_url) as connection:
        connection.execute(SWITCH_OFF)
    was_asked, is_over = threading.Event(), threading.Event()

    def slow(_handler, _request):
        was_asked.set()
        is_over.wait(120)

    with model_server(slow) as model:
        told = {
            "VERIFYHUB_MODEL_URL": model.base_url,
            "VERIFYHUB_MODEL_MEDIUM": "slow",
            "VERIFYHUB_MODEL_ALLOW_PRIVATE": model.base_url.split("/")[2],
        }
        for one in machines:
            one.settings |= told
        first.start("web")
        first.start("worker", VERIFYHUB_WORKER_QUEUES="models")
        second.start("worker", VERIFYHUB_WORKER_QUEUES="verification,general")
        second.start("beat")
        eventually(lambda: is_ready(first), first.said())

        # True and long: the ledger does not decide alone.
        true = f"It is `parse` in src/parser.py. {'It splits texts. ' * 4}"
        asking = sent(first, answer=true)
        assert eventually(was_asked.is_set, first.said() + second.said())
        plain = sent(first, key=OTHER_KEY)
        eventually(lambda: verified(first, plain, OTHER_KEY), second.said())

        assert not verified(first, asking)
        is_over.set()

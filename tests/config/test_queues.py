"""Kinds of work have queues of their own, which groups of workers may be given."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest
from celery.app.amqp import Queues
from kombu import Queue

from tests.architecture.tree import CHECKOUT
from verifyhub.common.env import SettingError
from verifyhub.config.celery import app
from verifyhub.config.model_consumer import ModelConsumer
from verifyhub.config.queues import QUEUE_OF_TASK, WorkQueue, queues_of_worker


def test_every_task_that_has_a_queue_of_its_own_exists():
    app.loader.import_default_modules()

    assert set(QUEUE_OF_TASK) <= set(app.tasks)


def test_a_worker_hears_every_kind_unless_told():
    assert queues_of_worker([]) == [name.value for name in WorkQueue]


def test_a_worker_hears_what_it_is_told():
    assert queues_of_worker(["models", "exports"]) == ["models", "exports"]


def test_a_kind_that_does_not_exist_is_refused_by_name():
    with pytest.raises(SettingError, match=r"VERIFYHUB_WORKER_QUEUES.*'modles'"):
        queues_of_worker(["modles"])


def test_who_hears_one_kind_still_sends_to_the_others():
    script = (
        "from verifyhub.config.celery import app;"
        "print(*app.amqp.queues.consume_from);"
        "print(app.amqp.router.route({}, 'exports.run')['queue'].name);"
        "print(app.amqp.router.route({}, 'audit.seal')['queue'].name)"
    )
    told = {**os.environ, "VERIFYHUB_WORKER_QUEUES": "verification"}
    result = subprocess.run(
        [sys.executable, "-c", script],
        cwd=CHECKOUT,
        env=told,
        capture_output=True,
        text=True,
        check=True,
    )

    assert result.stdout.split() == ["verification", "exports", "general"]


@pytest.mark.parametrize(
    ("names", "concurrency", "own"),
    [
        ([], 2, {"models", "embeddings"}),
        (["verification", "embeddings"], 2, {"embeddings"}),
        (["models", "embeddings"], 4, set()),
        (["verification", "general"], 4, set()),
        ([], 1, set()),
    ],
)
def test_one_process_is_kept_free_where_both_kinds_of_work_share_several(
    names, concurrency, own
):
    queues = Queues([Queue(name) for name in queues_of_worker(names)])
    worker = SimpleNamespace(
        app=SimpleNamespace(amqp=SimpleNamespace(queues=queues)),
        controller=SimpleNamespace(concurrency=concurrency),
        steps=[],
    )

    ModelConsumer(worker).include(worker)

    assert set(queues_of_worker(names)) - set(queues.consume_from) == own

"""Three questions at the longest deadline fit into the task that asks them."""

import pytest

from verifyhub.config.celery import app
from verifyhub.inference.services.tiers import MAX_DEADLINE_SECONDS

QUESTIONS = 3


@pytest.mark.parametrize("name", ["verification.verify", "verification.ask_again"])
def test_a_task_outlives_its_questions_and_no_message_outlives_the_task(name):
    app.loader.import_default_modules()
    task = app.tasks[name]

    assert task.soft_time_limit > QUESTIONS * MAX_DEADLINE_SECONDS
    assert task.soft_time_limit < task.time_limit
    waits = app.conf.broker_transport_options["visibility_timeout"]
    assert task.time_limit < waits

import ast

from tests.architecture.tree import calls, first_text, sources
from verifyhub.config.celery import app


def enqueued_names() -> set[str]:
    return {
        name
        for file in sources("verifyhub")
        for call in calls(file)
        if isinstance(call.func, ast.Name)
        and call.func.id in {"enqueue_on_commit", "wake_on_commit"}
        and (name := first_text(call))
    }


def test_every_enqueued_name_is_a_registered_task():
    app.loader.import_default_modules()

    assert enqueued_names()
    assert enqueued_names() <= set(app.tasks)


def test_every_scheduled_name_is_a_registered_task():
    app.loader.import_default_modules()

    scheduled = {entry["task"] for entry in app.conf.beat_schedule.values()}

    assert scheduled <= set(app.tasks)


def test_no_message_may_carry_code():
    assert app.conf.accept_content == ["json"]

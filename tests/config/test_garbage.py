"""When processes of the server collect garbage."""

import subprocess
import sys


def test_garbage_of_requests_is_collected_after_a_reply():
    # In a process of its own, since the import turns the collector off.
    script = (
        "import gc; from verifyhub.config import gunicorn\n"
        "gc.collect()\n"
        "for _ in range(3): gc.collect(0)\n"
        "print(gc.get_count()[1])\n"
        "gunicorn.post_request(None, None, None, None)\n"
        "print(gc.get_count()[1])"
    )

    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert ran.stdout.split() == ["3", "0"]


def test_workers_collect_no_garbage_amid_a_verification():
    script = (
        "import gc; from verifyhub.config import celery\n"
        "celery.share_memory(); gc.collect()\n"
        "objects = [[] for _ in range(20_000)]\n"
        "print(gc.get_count()[1], gc.get_freeze_count() > 0)"
    )

    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert ran.stdout.split() == ["0", "True"]

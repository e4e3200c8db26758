"""When the web server collects garbage."""

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

"""A new worker makes ready for the first plot and the first comparison."""

import subprocess
import sys

SCRIPT = """
import django
django.setup()
import sys, threading
from verifyhub.common.drawing import _drawn
from verifyhub.config.gunicorn import post_worker_init

class Worker:
    alive = True

post_worker_init(Worker())
(thread,) = [one for one in threading.enumerate() if one.name == "warm-up"]
thread.join(100)
print(_drawn.cache_info().currsize, "scipy.stats" in sys.modules)
"""


def test_a_worker_has_drawn_and_imported_before_anybody_asks():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True
    )

    assert done.stdout.split()[-2:] == ["1", "True"]

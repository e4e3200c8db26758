"""What the first plot and the first comparison of a process would wait for.

Measured in processor time: the renderer's first drawing 0.5 s, `scipy.special` 0.4 s,
`scipy.stats` 1.7 s; all of them take 75 MiB.
"""

from importlib import import_module
from threading import Thread

from verifyhub.common.drawing import Theme, svg
from verifyhub.metrics.plots.charts import Dot, intervals

SLOW = ("scipy.special", "scipy.stats")


def warm_up() -> None:
    """Draw once, and import what the figures compute with."""
    dot = Dot(at="", value=0.5, low=0.4, high=0.6, n=1)
    svg(intervals([dot], "")(Theme.PAGE), Theme.PAGE, height=20)
    for name in SLOW:
        import_module(name)


def warm_up_aside() -> None:
    """Do so in a thread: the worker answers meanwhile."""
    Thread(target=warm_up, name="warm-up", daemon=True).start()

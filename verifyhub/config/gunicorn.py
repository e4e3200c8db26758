"""The web server: `gunicorn --config python:verifyhub.config.gunicorn`."""

import gc
import resource
from typing import Any

from verifyhub.accounts.log_masking import mask_event
from verifyhub.common import env
from verifyhub.common.logs import json_logging

wsgi_app = "verifyhub.config.wsgi:application"
bind = f"{env.text('VERIFYHUB_BIND', '127.0.0.1')}:{env.integer('PORT', 8000)}"

# Requests and replies are buffered, so that slow clients occupy no thread (ADR 0072).
worker_class = "verifyhub.config.web.worker.BufferingWorker"
workers = env.integer("VERIFYHUB_WEB_WORKERS", 2, minimum=1)
# A client that waits for its verdict occupies a thread for up to 30 seconds.
threads = env.integer("VERIFYHUB_WEB_THREADS", 12, minimum=1)
timeout = 90
graceful_timeout = 40
# Longer than in proxies and clients: a request is lost if the server closes first.
keepalive = 75
# Connections of one process; beyond it the oldest idle ones are closed.
worker_connections = 2000
# Files are sent like other replies, buffered for slow readers.
sendfile = False

# A connection has a descriptor, and often another one for the body's file.
_, _most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(
    resource.RLIMIT_NOFILE,
    (65536 if _most == resource.RLIM_INFINITY else min(_most, 65536), _most),
)

# Restarts limit the effect of a leak; with jitter, workers do not restart together.
max_requests = 5000
max_requests_jitter = 500

# The proxies whose X-Forwarded-* headers are trusted.
forwarded_allow_ips = env.text("VERIFYHUB_FORWARDED_ALLOW_IPS", "127.0.0.1,::1")

# After so many collections of the youngest objects the next generation's is due; Python
# waits for ten.
YOUNG_COLLECTIONS = 3

reload = env.flag("VERIFYHUB_DEBUG", False)
# Imported once before forking, so that processes share read-only memory.
preload_app = not reload
if preload_app:
    # Garbage collection finds nothing during imports, and takes a sixth of the time.
    gc.disable()
control_socket_disable = True
accesslog = None
logconfig_dict = json_logging(env.text("VERIFYHUB_LOG_LEVEL", "INFO"), mask_event)


def when_ready(server: Any) -> None:
    """Import everything that requests need before forking, so that workers share it."""
    from django.urls import get_resolver

    if preload_app:
        # Importing the views takes half of the time; it opens no connection.
        get_resolver().url_patterns  # noqa: B018
        # Without a collection first: forks would reuse freed memory and copy its pages.
        gc.freeze()


def post_request(_worker: Any, _request: Any, _environ: Any, _response: Any) -> None:
    """Collect garbage after a reply, when nobody waits for it.

    A page leaves hundreds of objects in cycles. Left to Python, they are collected
    within every tenth request, which takes several milliseconds longer.
    """
    _, young, _ = gc.get_count()
    if young >= YOUNG_COLLECTIONS:
        gc.collect(1)


def post_worker_init(worker: Any) -> None:
    """Set up the shutdown of streams, and the checks of the server."""
    from verifyhub.config import alarms
    from verifyhub.events.streams import shutdown

    gc.enable()
    shutdown.follow(lambda: not worker.alive)
    alarms.watch(lambda: not worker.alive)

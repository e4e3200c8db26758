"""The web server: `gunicorn --config python:verifyhub.config.gunicorn`."""

import gc
import resource
from typing import Any

from verifyhub.accounts.log_masking import mask_event
from verifyhub.common import env
from verifyhub.common.logs import json_logging

wsgi_app = "verifyhub.config.wsgi:application"
bind = f"{env.text('VERIFYHUB_BIND', '127.0.0.1')}:{env.integer('PORT', 8000)}"

# Requests are whole before a thread is taken, and replies leave it at once: the threads
# are for work alone (ADR 0072).
worker_class = "verifyhub.config.web.worker.BufferingWorker"
workers = env.integer("VERIFYHUB_WEB_WORKERS", 2, minimum=1)
# A client that waits for its verdict holds a thread for up to 30 seconds.
threads = env.integer("VERIFYHUB_WEB_THREADS", 12, minimum=1)
timeout = 90
graceful_timeout = 40
# Longer than proxies and clients keep theirs: who closes first loses no request.
keepalive = 75
# Clients of one process, whatever they do or do not; the oldest idle ones make room.
worker_connections = 2000
# Files are as long as a reply that a slow reader leaves, and go the same way.
sendfile = False

# A connection is a descriptor, and often a body's file another one.
_, _most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(
    resource.RLIMIT_NOFILE,
    (65536 if _most == resource.RLIM_INFINITY else min(_most, 65536), _most),
)

# Recycling bounds what a leak can cost; the jitter keeps workers from going together.
max_requests = 5000
max_requests_jitter = 500

# Whose X-Forwarded-* headers are believed.
forwarded_allow_ips = env.text("VERIFYHUB_FORWARDED_ALLOW_IPS", "127.0.0.1,::1")

reload = env.flag("VERIFYHUB_DEBUG", False)
# Loaded once, before forking: what is only read stays shared by all processes.
preload_app = not reload
if preload_app:
    # A collection finds nothing while modules load, and takes a sixth of the time.
    gc.disable()
control_socket_disable = True
accesslog = None
logconfig_dict = json_logging(env.text("VERIFYHUB_LOG_LEVEL", "INFO"), mask_event)


def when_ready(server: Any) -> None:
    """Load everything that requests need before forking, so that workers share it."""
    from django.urls import get_resolver

    if preload_app:
        # Importing the views is half of the loading; nothing here opens a connection.
        get_resolver().url_patterns  # noqa: B018
        # No collection first: forks would fill the holes, and copy their pages.
        gc.freeze()


def post_worker_init(worker: Any) -> None:
    """Set up the shutdown of streams, and the checks of the server."""
    from verifyhub.config import alarms
    from verifyhub.events.streams import shutdown

    gc.enable()
    shutdown.follow(lambda: not worker.alive)
    alarms.watch(lambda: not worker.alive)

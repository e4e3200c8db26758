"""What Celery is set to: the same for those who send tasks, the workers and the beat.

A module of its own, so that the beat, which runs no task, need not load Django.
"""

from kombu import Queue

from verifyhub.common import env
from verifyhub.config.beat_schedule import BEAT_SCHEDULE
from verifyhub.config.paths import HOME

broker_url = env.text("BROKER_URL", "redis://127.0.0.1:6379/0")
broker_connection_retry_on_startup = True
# A broker that is away comes back; who gave up would have to be started by hand.
broker_connection_max_retries = None
broker_transport_options = {
    "visibility_timeout": 900,
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    # A sender gives up at once: the row is there and the reconciler rings again. The
    # default retries for six seconds, in which a request would hang.
    "max_retries": 0,
}
accept_content = ["json"]
task_serializer = "json"
task_ignore_result = True
task_acks_late = True
task_reject_on_worker_lost = True
task_time_limit = 300
task_soft_time_limit = 270
task_default_queue = "verifyhub"
# Workers take from both in turn: however many answers wait, other work is not behind
# them.
task_queues = [Queue("verifyhub"), Queue("verdicts")]
task_routes = {"verification.verify": {"queue": "verdicts"}}
# Celery would close a process's connection before and after every task: a new one knows
# nothing of any table and costs more than most tasks do. `config.celery` looks at it
# before each, as Django does before each request.
CELERY_DB_REUSE_MAX = 1_000_000
worker_concurrency = env.integer("VERIFYHUB_WORKER_CONCURRENCY", 2, minimum=1)
worker_prefetch_multiplier = 1
worker_max_tasks_per_child = 1000
worker_soft_shutdown_timeout = 30
worker_cancel_long_running_tasks_on_connection_loss = True
worker_hijack_root_logger = False
beat_schedule = BEAT_SCHEDULE
beat_scheduler = "verifyhub.config.beat:HeartbeatScheduler"
beat_heartbeat_file = str(HOME / "beat-alive")

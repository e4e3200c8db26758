"""Settings of Celery, shared by senders of tasks, workers and the beat.

A separate module, so that the beat need not import Django.
"""

from kombu import Queue

from verifyhub.common import env
from verifyhub.config.beat_schedule import BEAT_SCHEDULE
from verifyhub.config.paths import HOME
from verifyhub.config.queues import QUEUE_OF_TASK, WorkQueue, queues_of_worker

broker_url = env.text("BROKER_URL", "redis://127.0.0.1:6379/0")
# RabbitMQ has no counters; another server may be set for them.
counters_url = env.text(
    "VERIFYHUB_COUNTERS_URL", "" if broker_url.startswith("amqp") else broker_url
)
broker_connection_retry_on_startup = True
# A broker comes back; a process that gave up would have to be restarted by hand.
broker_connection_max_retries = None
broker_transport_options = {
    "visibility_timeout": 900,
    "socket_timeout": 5,
    "socket_connect_timeout": 2,
    # A broker whose machine disappears is noticed after two of these.
    "health_check_interval": 5,
    # A sender gives up at once, and the reconciler sends the wake-up later. By default
    # a request would hang for six seconds of retries.
    "max_retries": 0,
}
# For RabbitMQ: a worker whose machine disappears is noticed after two of these.
broker_heartbeat = 20
# Otherwise RabbitMQ would refuse a second worker of the same machine, and one that
# restarts before the loss of the former one is noticed.
control_queue_exclusive = False
control_queue_durable = True
accept_content = ["json"]
task_serializer = "json"
task_ignore_result = True
task_acks_late = True
task_reject_on_worker_lost = True
task_time_limit = 300
task_soft_time_limit = 270
task_default_queue = WorkQueue.GENERAL.value
# Workers consume their queues in turn, so that waiting answers do not delay other work.
# Senders may use queues that are not listed here.
task_queues = [
    Queue(name, routing_key=name)
    for name in queues_of_worker(env.words("VERIFYHUB_WORKER_QUEUES"))
]
task_routes = {task: {"queue": name.value} for task, name in QUEUE_OF_TASK.items()}
# Celery would close a process's connection before and after every task; a new one has
# empty caches and costs more than most tasks. `config.celery` checks it before each
# task, as Django does before each request.
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

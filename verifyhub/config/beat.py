"""The beat: `python -m verifyhub.config.beat`.

It sends names of tasks to the broker and runs none, so it has an app of its own,
without Django and the code of the tasks, and starts without Celery's command line,
which loads a prompt, its colours and its completion: a fifth of the memory.

The scheduler keeps nothing on disk but a sign of life.

Celery's own default keeps a file of when each task ran last. A machine that loses power
while it is written leaves a file with which beat never starts again, and nothing here
needs it: every task is due within minutes and does the same however often it runs.

Any number of beats may run, on any number of machines. One sends; the others go through
the same schedule without sending, and take its place (`beat_lease`).
"""

import logging.config
from pathlib import Path
from typing import Any

from celery import Celery
from celery.beat import ScheduleEntry, Scheduler
from celery.signals import setup_logging

from verifyhub.common import env
from verifyhub.common.logs import configure_structlog, json_logging
from verifyhub.config.beat_lease import ASK_SECONDS, BeatLease

# Without the fixup that would set up Django where its settings are named.
app = Celery("verifyhub-beat", set_as_current=False, fixups=[])
app.config_from_object("verifyhub.config.celery_settings")


@setup_logging.connect
def log_as_the_others_do(**_sender: Any) -> None:
    """Keep Celery from putting its own text logs in place of the JSON ones."""
    logging.config.dictConfig(json_logging(env.text("VERIFYHUB_LOG_LEVEL", "INFO")))


class HeartbeatScheduler(Scheduler):
    """Schedules from memory, and touches `beat_heartbeat_file` every three minutes.

    A clock that is set back delays nothing: Celery would wait until it shows again what
    it showed when each task was sent last.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        # Celery's own constructor makes the schedule.
        super().__init__(*args, **more)
        self._lease = BeatLease(self.app)

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Send a task if this beat is the one that sends."""
        if self._lease.is_held():
            super().apply_entry(entry, producer=producer)

    def close(self) -> None:
        self._lease.release()
        super().close()

    def tick(self, *args: Any, **more: Any) -> float:
        # Also while nothing is due, so that the lease goes on.
        self._lease.is_held()
        for entry in self.schedule.values():
            now = entry.default_now()
            if entry.last_run_at and entry.last_run_at > now:
                entry.last_run_at = now
                # The order in which entries are looked at is by the former clock, too.
                self._heap = None
        wait: float = super().tick(*args, **more)
        return min(wait, ASK_SECONDS)

    def setup_schedule(self) -> None:
        super().setup_schedule()
        self.sync()

    def sync(self) -> None:
        Path(self.app.conf.beat_heartbeat_file).touch()

    @property
    def info(self) -> str:
        return f"    . heartbeat -> {self.app.conf.beat_heartbeat_file}"


if __name__ == "__main__":
    configure_structlog()
    # The class itself, which Celery takes as well: its name would load this twice.
    app.Beat(scheduler=HeartbeatScheduler, quiet=True).run()  # type: ignore[arg-type]

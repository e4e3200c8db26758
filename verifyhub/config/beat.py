"""The beat: `python -m verifyhub.config.beat`.

It sends names of tasks to the broker and runs none, so it has its own Celery app,
without Django and the code of tasks, and starts without Celery's command line: a fifth
of the memory.

The scheduler stores nothing on disk but a heartbeat. Celery's default stores the last
run of each task in a file; after a power failure during a write, beat does not start
any more. It is not needed here: every task is due within minutes and idempotent.

Any number of beats may run, on any number of machines. One of them sends, and another
one takes over when it ends (`beat_lease`).
"""

import logging.config
from pathlib import Path
from typing import Any, NoReturn

from celery import Celery, platforms
from celery.apps.beat import Beat
from celery.beat import ScheduleEntry, Scheduler, Service
from celery.signals import setup_logging

from verifyhub.common import env
from verifyhub.common.logs import configure_structlog, json_logging
from verifyhub.config.beat_lease import ASK_SECONDS, BeatLease

# Without Celery's fixup that would set up Django.
app = Celery("verifyhub-beat", set_as_current=False, fixups=[])
app.config_from_object("verifyhub.config.celery_settings")


@setup_logging.connect
def log_as_the_others_do(**_sender: Any) -> None:
    """Prevent Celery from replacing the JSON logs by text logs."""
    logging.config.dictConfig(json_logging(env.text("VERIFYHUB_LOG_LEVEL", "INFO")))


class HeartbeatScheduler(Scheduler):
    """Schedules from memory, and touches `beat_heartbeat_file` every three minutes.

    Setting the clock back delays nothing: Celery would wait until it reaches the time
    when each task was last sent.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        # Celery's constructor creates the schedule.
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
        # Also while nothing is due, to renew the lease.
        self._lease.is_held()
        for entry in self.schedule.values():
            now = entry.default_now()
            if entry.last_run_at and entry.last_run_at > now:
                entry.last_run_at = now
                # The heap is ordered by the former clock.
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


class StoppableBeat(Beat):
    """Ends at SIGTERM and SIGINT, whatever it is doing.

    Celery's handler releases the lease and closes connections itself, and waits for
    ever if the signal came while the code it interrupts held one of their locks.
    """

    def install_sync_handler(self, service: Service) -> None:
        def stop(_signum: int, _frame: Any) -> NoReturn:
            # For the case that the exception gets lost, as in a destructor.
            service.stop()
            raise SystemExit

        platforms.signals.update(SIGTERM=stop, SIGINT=stop)


if __name__ == "__main__":
    configure_structlog()
    # The class, not its name, which would import this module twice.
    StoppableBeat(app=app, scheduler=HeartbeatScheduler, quiet=True).run()  # type: ignore[arg-type]

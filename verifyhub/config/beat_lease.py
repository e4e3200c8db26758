"""The lease of the one beat that sends tasks, held in the broker.

It is in the broker because a beat that cannot reach it can send nothing anyway, and
because a PostgreSQL driver would take a tenth of a beat's memory (ADR 0081).
"""

import time
from collections.abc import Callable
from secrets import token_hex
from socket import gethostname
from typing import Any

from celery import Celery
from kombu import Connection

from verifyhub import __version__
from verifyhub.common.logs import get_logger

logger = get_logger(__name__)

NAME = "verifyhub.beat"
# Another beat takes over from a dead one after so long, plus the seconds between tries.
LEASE_SECONDS = 15.0
# RabbitMQ closes a connection that is silent for two of these.
HEARTBEAT_SECONDS = 7.0
ASK_SECONDS = 3.0
# How much shorter a lease is here than in the broker: replies take time.
MARGIN_SECONDS = 2.0
# For both clients; each ignores the other's names.
PATIENCE = {"socket_timeout": 2, "read_timeout": 2, "write_timeout": 2}
TAKE = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
RELEASE = """
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""


class BeatLease:
    """One beat process's right to send.

    With a broker of the Redis protocol it is a key that expires. With RabbitMQ it is an
    exclusive queue of one connection, which the broker deletes when the connection ends
    or is silent for too long.
    """

    def __init__(self, app: Celery) -> None:
        self._app = app
        # The last word makes it unique.
        self._own = f"{gethostname()}, VerifyHub {__version__} {token_hex(8)}"
        self._connection: Connection | None = None
        self._held_until = 0.0
        self._ask_at = 0.0

    def is_held(self) -> bool:
        """Whether this process may send now; asks the broker every few seconds."""
        now = time.monotonic()
        if now >= self._ask_at:
            was_held = now < self._held_until
            self._ask_at = now + ASK_SECONDS
            is_held = self._take()
            self._held_until = now + LEASE_SECONDS - MARGIN_SECONDS if is_held else 0.0
            if is_held != was_held:
                logger.info("beat.active" if is_held else "beat.standing_by")
        return time.monotonic() < self._held_until

    def release(self) -> None:
        """Release the lease, so that another beat takes over at once."""
        if time.monotonic() < self._held_until and _is_redis(self._app):
            self._try(lambda channel: channel.client.eval(RELEASE, 1, NAME, self._own))
        self._held_until = 0.0
        self._close()

    def _take(self) -> bool:
        if _is_redis(self._app):
            lasts = int(LEASE_SECONDS * 1000)
            return bool(
                self._try(lambda c: c.client.eval(TAKE, 1, NAME, self._own, lasts))
            )
        return bool(self._try(self._declare))

    def _declare(self, channel: Any) -> bool:
        # Raises an error without a heartbeat from the broker, like a held queue.
        channel.connection.heartbeat_tick()
        channel.queue_declare(NAME, exclusive=True, auto_delete=True)
        return True

    def _try(self, ask: Callable[[Any], Any]) -> Any:
        """Return the broker's reply; None if it does not answer, or refuses."""
        try:
            if self._connection is None:
                self._connection = self._app.connection_for_write(
                    heartbeat=HEARTBEAT_SECONDS, transport_options=PATIENCE
                )
            return ask(self._connection.default_channel)
        except Exception:  # noqa: BLE001 - whatever it is, the lease is not held
            # A refusal closes RabbitMQ's channel; the next try opens a new one.
            self._close()
            return None

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.release()
            except Exception:  # noqa: BLE001 - it is broken, or given up for good
                return


def holder(app: Celery) -> str | None:
    """Return the machine and the version of the beat that sends; None if none does.

    RabbitMQ does not tell whose a queue is.
    """
    from amqp.exceptions import NotFound, ResourceLocked

    with app.connection_for_read(transport_options=PATIENCE) as connection:
        channel: Any = connection.default_channel
        if _is_redis(app):
            own = channel.client.get(NAME)
            return own.decode().rpartition(" ")[0] if own else None
        try:
            channel.queue_declare(NAME, passive=True)
        except NotFound:
            return None
        except ResourceLocked:
            return "one"
        return None


def _is_redis(app: Celery) -> bool:
    return not str(app.conf.broker_url).startswith("amqp")

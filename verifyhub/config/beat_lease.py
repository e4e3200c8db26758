"""The lease of the one beat that sends tasks, held in the broker.

The broker and no table, because a beat that cannot reach it could send nothing anyway,
and because the connection is there: a driver of PostgreSQL would take a tenth of a
beat's memory (ADR 0081).
"""

import time
from collections.abc import Callable
from secrets import token_hex
from typing import Any

from celery import Celery
from kombu import Connection

from verifyhub.common.logs import get_logger

logger = get_logger(__name__)

NAME = "verifyhub.beat"
# A beat that dies is followed after so long, and the seconds between two askings.
LEASE_SECONDS = 15.0
# RabbitMQ ends a connection that was silent for two of these.
HEARTBEAT_SECONDS = 7.0
ASK_SECONDS = 3.0
# What a lease is short of the broker's: an answer takes time, and clocks differ.
MARGIN_SECONDS = 2.0
# In the names of both clients; each leaves the other's alone.
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
    """The right to send, of one process of beat.

    With a broker that speaks the Redis protocol it is a key that ends by itself. With
    RabbitMQ it is a queue that one connection has for itself: the broker takes it back
    when the connection ends, or has given no sign of life for as long.
    """

    def __init__(self, app: Celery) -> None:
        self._app = app
        self._own = token_hex(16)
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
        if time.monotonic() < self._held_until and self._is_redis():
            self._try(lambda channel: channel.client.eval(RELEASE, 1, NAME, self._own))
        self._held_until = 0.0
        self._close()

    def _take(self) -> bool:
        if self._is_redis():
            lasts = int(LEASE_SECONDS * 1000)
            return bool(
                self._try(lambda c: c.client.eval(TAKE, 1, NAME, self._own, lasts))
            )
        return bool(self._try(self._declare))

    def _declare(self, channel: Any) -> bool:
        # Without a sign of life from the broker this raises, as does a held queue.
        channel.connection.heartbeat_tick()
        channel.queue_declare(NAME, exclusive=True, auto_delete=True)
        return True

    def _try(self, ask: Callable[[Any], Any]) -> Any:
        """Return what the broker answers; None where it does not, or refuses."""
        try:
            if self._connection is None:
                self._connection = self._app.connection_for_write(
                    heartbeat=HEARTBEAT_SECONDS, transport_options=PATIENCE
                )
            return ask(self._connection.default_channel)
        except Exception:  # noqa: BLE001 - whatever it is, the lease is not held
            # A refusal ends a channel of RabbitMQ; the next asking has a new one.
            self._close()
            return None

    def _is_redis(self) -> bool:
        return not str(self._app.conf.broker_url).startswith("amqp")

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            try:
                connection.release()
            except Exception:  # noqa: BLE001 - it is broken, or given up for good
                return

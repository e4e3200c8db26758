"""Django's backend for PostgreSQL, without a round trip to check a busy connection."""

import select
import time

from django.db.backends.postgresql import base

# A connection that was in use so recently is not asked for a reply.
RECENT_SECONDS = 1.0


class DatabaseWrapper(base.DatabaseWrapper):
    """Checks connections as `CONN_HEALTH_CHECKS` does, except for recently used ones.

    PostgreSQL sends an error and closes the socket when it ends a session, so there is
    something to read. Only a machine that vanished says nothing, and then a check
    would wait as long as the request's own first statement.
    """

    # Django sets it for each connection.
    health_check_done: bool
    # The end of the last request or task that used the connection.
    used_at = 0.0

    def close_if_unusable_or_obsolete(self) -> None:
        if self.health_check_done:
            self.used_at = time.monotonic()
        super().close_if_unusable_or_obsolete()

    def close_if_health_check_failed(self) -> None:
        if not self.health_check_done and self._is_recent_and_silent():
            self.health_check_done = True
        super().close_if_health_check_failed()

    def _is_recent_and_silent(self) -> bool:
        if (
            self.connection is None
            or self.connection.closed
            or time.monotonic() - self.used_at > RECENT_SECONDS
        ):
            return False
        socket = select.poll()
        socket.register(self.connection.fileno(), select.POLLIN)
        return not socket.poll(0)

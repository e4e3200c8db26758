"""Causes of database errors that an operator can act on."""

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from django.db import Error, InterfaceError, InternalError, OperationalError
from django.utils.translation import gettext_noop


class DatabaseFault(StrEnum):
    """A cause in a word, the same for machines and logs."""

    DISK_FULL = "disk_full"
    READ_ONLY = "read_only"
    NO_MEMORY = "no_memory"
    TOO_MANY_CONNECTIONS = "too_many_connections"
    RESTARTING = "restarting"
    OVERLOADED = "overloaded"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"


SENTENCES = {
    DatabaseFault.DISK_FULL: gettext_noop("The disk of the database is full."),
    DatabaseFault.READ_ONLY: gettext_noop("The database is read-only."),
    DatabaseFault.NO_MEMORY: gettext_noop("The database has no memory left."),
    DatabaseFault.TOO_MANY_CONNECTIONS: gettext_noop(
        "The database has no connection left."
    ),
    DatabaseFault.RESTARTING: gettext_noop("The database is starting or stopping."),
    DatabaseFault.OVERLOADED: gettext_noop("The database takes too long to respond."),
    DatabaseFault.REFUSED: gettext_noop("The database rejects the server's login."),
    DatabaseFault.UNREACHABLE: gettext_noop("The database does not respond."),
}

# The classes and codes of PostgreSQL's appendix "Error Codes", the longest first.
_STATES = {
    "53100": DatabaseFault.DISK_FULL,
    "53200": DatabaseFault.NO_MEMORY,
    "53300": DatabaseFault.TOO_MANY_CONNECTIONS,
    "25006": DatabaseFault.READ_ONLY,
    # A transaction was idle for too long: its process or the machine was stopped.
    "25P03": DatabaseFault.OVERLOADED,
    "25P04": DatabaseFault.OVERLOADED,
    "42501": DatabaseFault.REFUSED,
    "55P03": DatabaseFault.OVERLOADED,
    "57014": DatabaseFault.OVERLOADED,
    "57P": DatabaseFault.RESTARTING,
    "40": DatabaseFault.OVERLOADED,
    "28": DatabaseFault.REFUSED,
    "3D": DatabaseFault.REFUSED,
}
# A refused connection has no code, only the server's message.
_WORDS = {
    "No space left on device": DatabaseFault.DISK_FULL,
    "too many clients": DatabaseFault.TOO_MANY_CONNECTIONS,
    "remaining connection slots": DatabaseFault.TOO_MANY_CONNECTIONS,
    "too many connections": DatabaseFault.TOO_MANY_CONNECTIONS,
    "the database system is": DatabaseFault.RESTARTING,
    "terminating connection": DatabaseFault.RESTARTING,
    "authentication failed": DatabaseFault.REFUSED,
    "does not exist": DatabaseFault.REFUSED,
}


def fault_of(error: Error) -> DatabaseFault:
    """Return the cause of a database error; None if it is unknown."""
    state = str(getattr(error.__cause__, "sqlstate", None) or "")
    for length in (5, 3, 2):
        if fault := _STATES.get(state[:length]):
            return fault
    text = str(error)
    return next(
        (f for word, f in _WORDS.items() if word in text), DatabaseFault.UNREACHABLE
    )


def is_away(error: BaseException | None) -> bool:
    """Whether the database is unavailable for any statement: try again later."""
    if isinstance(error, InternalError):
        # Without a code it is the driver's: a pooler that lost the database sends its
        # own error and then the reply, which are two replies to one statement.
        is_of_driver = getattr(error.__cause__, "sqlstate", "unknown") is None
        fault = fault_of(error)
        return is_of_driver or fault in {
            DatabaseFault.READ_ONLY,
            DatabaseFault.OVERLOADED,
        }
    return isinstance(error, OperationalError | InterfaceError)


@contextmanager
def unless_away() -> Iterator[None]:
    """Leave out what the block does if the database is unavailable."""
    try:
        yield
    except Error as error:
        if not is_away(error):
            raise

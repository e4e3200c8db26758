"""Why the database refused: a few causes that an operator can act on."""

from enum import StrEnum

from django.db import Error, InterfaceError, InternalError, OperationalError
from django.utils.translation import gettext_noop


class Fault(StrEnum):
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
    Fault.DISK_FULL: gettext_noop("The disk of the database is full."),
    Fault.READ_ONLY: gettext_noop("The database takes no writes: it is read-only."),
    Fault.NO_MEMORY: gettext_noop("The database has no memory left."),
    Fault.TOO_MANY_CONNECTIONS: gettext_noop("The database has no connection left."),
    Fault.RESTARTING: gettext_noop("The database is starting or stopping."),
    Fault.OVERLOADED: gettext_noop("The database takes too long to answer."),
    Fault.REFUSED: gettext_noop("The database does not let the server in."),
    Fault.UNREACHABLE: gettext_noop("The database does not answer."),
}

# The classes and codes of PostgreSQL's appendix "Error Codes", the longest first.
_STATES = {
    "53100": Fault.DISK_FULL,
    "53200": Fault.NO_MEMORY,
    "53300": Fault.TOO_MANY_CONNECTIONS,
    "25006": Fault.READ_ONLY,
    "42501": Fault.REFUSED,
    "55P03": Fault.OVERLOADED,
    "57014": Fault.OVERLOADED,
    "57P": Fault.RESTARTING,
    "40": Fault.OVERLOADED,
    "28": Fault.REFUSED,
    "3D": Fault.REFUSED,
}
# A connection that was refused has no code: only the words that the server sent.
_WORDS = {
    "No space left on device": Fault.DISK_FULL,
    "too many clients": Fault.TOO_MANY_CONNECTIONS,
    "remaining connection slots": Fault.TOO_MANY_CONNECTIONS,
    "too many connections": Fault.TOO_MANY_CONNECTIONS,
    "the database system is": Fault.RESTARTING,
    "terminating connection": Fault.RESTARTING,
    "authentication failed": Fault.REFUSED,
    "does not exist": Fault.REFUSED,
}


def fault_of(error: Error) -> Fault:
    """Return why the database refused, as far as its error tells."""
    state = str(getattr(error.__cause__, "sqlstate", None) or "")
    for length in (5, 3, 2):
        if fault := _STATES.get(state[:length]):
            return fault
    text = str(error)
    return next((f for word, f in _WORDS.items() if word in text), Fault.UNREACHABLE)


def is_away(error: BaseException | None) -> bool:
    """Whether the database could do nothing, whatever it was asked: try again later."""
    if isinstance(error, InternalError):
        return fault_of(error) is Fault.READ_ONLY
    return isinstance(error, OperationalError | InterfaceError)

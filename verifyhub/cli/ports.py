"""Free and used TCP ports on this machine."""

import errno
import socket

import psutil


def is_free(address: str, port: int) -> bool:
    """Return whether a server can listen on an address now.

    Raises:
        OSError: If the address does not exist or is not allowed.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        # Like servers, which ignore lingering connections of an earlier one.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
    return True


def listener(address: str, port: int) -> socket.socket:
    """Return a socket that listens on an address.

    Raises:
        OSError: If it cannot.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return socket.create_server((address, port), family=family, backlog=128)


def free_port(preferred: int | None = None) -> int:
    """Return a free port on loopback, the preferred one if possible."""
    if preferred and is_free("127.0.0.1", preferred):
        return preferred
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def holder(port: int) -> str:
    """Return the program that listens on a port, if this user may see it."""
    try:
        connections = psutil.net_connections("tcp")
    except (psutil.Error, OSError):
        return "another program"
    for connection in connections:
        listens = connection.status == psutil.CONN_LISTEN
        if listens and connection.laddr.port == port and connection.pid:
            try:
                return f"{psutil.Process(connection.pid).name()} (pid {connection.pid})"
            except psutil.Error:
                break
    return "another program"

"""Ask a running server for its readiness."""

import http.client
import os
import sys
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """The reply of `/readyz`."""

    is_ready: bool
    text: str


def local_address(bind: str) -> str:
    """Return the local address of a server that listens on an address."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(bind, bind)  # noqa: S104


def readiness(bind: str, port: int, timeout_seconds: float = 5) -> Readiness:
    """Ask the server that listens on `bind` and `port`, without any proxy."""
    connection = http.client.HTTPConnection(
        local_address(bind), port, timeout=timeout_seconds
    )
    try:
        connection.request("GET", "/readyz", headers={"Host": "localhost"})
        answer = connection.getresponse()
        text = answer.read(4096).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException) as error:
        return Readiness(is_ready=False, text=str(error))
    finally:
        connection.close()
    return Readiness(is_ready=answer.status == 200, text=text)


def main() -> int:
    """Return 0 if a server of this machine is ready: a container's health check.

    Its port is `PORT`, or the only argument.
    """
    bind = os.environ.get("VERIFYHUB_BIND", "127.0.0.1")
    port = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("PORT", "8000")
    answer = readiness(bind, int(port))
    print(answer.text)
    return 0 if answer.is_ready else 1


if __name__ == "__main__":
    sys.exit(main())

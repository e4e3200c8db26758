"""What stands before the web servers: leads each connection to one that takes it.

    python -m tests.cluster.balancer ADDRESS:PORT=TARGET:PORT,TARGET:PORT …

Where none does, or none answers in time, it says 503 itself, as nginx or Caddy would
say 502 or 504.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from contextlib import suppress

BLOCK = 64 * 1024
CONNECT_SECONDS, REPLY_SECONDS, REST_SECONDS = 1.0, 40.0, 3.0
NONE = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nX-By: balancer"
    b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
)


class Balancer:
    """Of one port: takes the targets in turn, and lets those that failed rest."""

    def __init__(self, targets: Sequence[tuple[str, int]]) -> None:
        self._rests_until = dict.fromkeys(targets, 0.0)
        self._taken = dict.fromkeys(targets, 0)

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        """Lead one connection, from its first to its last byte."""
        far = await self._connected()
        answered = False
        if far:
            far_reader, far_writer = far
            sending = asyncio.create_task(_carry(reader, far_writer))
            with suppress(OSError, TimeoutError):
                while block := await asyncio.wait_for(
                    far_reader.read(BLOCK), REPLY_SECONDS
                ):
                    answered = True
                    writer.write(block)
                    await writer.drain()
            sending.cancel()
            far_writer.close()
        with suppress(OSError):
            if not answered:
                writer.write(NONE)
                await writer.drain()
        writer.close()

    async def _connected(
        self,
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        for target in sorted(self._taken, key=self._turn):
            try:
                far = await asyncio.wait_for(
                    asyncio.open_connection(*target), CONNECT_SECONDS
                )
            except (OSError, TimeoutError):
                self._rests_until[target] = time.monotonic() + REST_SECONDS
                continue
            self._taken[target] += 1
            return far
        return None

    def _turn(self, target: tuple[str, int]) -> tuple[bool, int]:
        return self._rests_until[target] > time.monotonic(), self._taken[target]


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while block := await reader.read(BLOCK):
            writer.write(block)
            await writer.drain()
        writer.write_eof()


async def _main(ways: Sequence[str]) -> None:
    servers = []
    for way in ways:
        own, _, targets = way.partition("=")
        balancer = Balancer([_place(one) for one in targets.split(",")])
        servers.append(await asyncio.start_server(balancer.serve, *_place(own)))
    await asyncio.gather(*(one.serve_forever() for one in servers))


def _place(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    return host, int(port)


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1:]))

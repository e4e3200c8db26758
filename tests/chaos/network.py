"""A network that can be slow or break: a TCP proxy on loopback in this process."""

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

BLOCK = 16 * 1024
SLOW_SECONDS = 0.2


class Network:
    """Leads connections to another port, and does to them what it is told."""

    def __init__(self, target: int) -> None:
        self.target, self.port = target, 0
        self._delay, self._is_cut, self._after = 0.0, False, -1
        self._open: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()

    def slow(self) -> None:
        """Hold each block back for a while."""
        self._delay = SLOW_SECONDS

    def cut(self) -> None:
        """Break every connection, and refuse new ones."""
        self._is_cut = True
        self._loop.call_soon_threadsafe(self._break_all)

    def cut_in_replies(self, after: int) -> None:
        """Break connections that have carried so many bytes to their client."""
        self._after = after

    def mend(self) -> None:
        self._delay, self._is_cut, self._after = 0.0, False, -1

    def _break_all(self) -> None:
        for writer in list(self._open):
            _reset(writer)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        try:
            if self._is_cut:
                return
            far_reader, far_writer = await asyncio.open_connection(
                "127.0.0.1", self.target
            )
        except OSError:
            # Nobody listens there: the caller hears it, as without a network between.
            _reset(writer)
            return
        finally:
            if self._is_cut:
                _reset(writer)
        pair = {writer, far_writer}
        self._open |= pair
        try:
            await asyncio.gather(
                self._carry(reader, far_writer, is_reply=False),
                self._carry(far_reader, writer, is_reply=True),
            )
        except OSError:
            for one in pair:
                _reset(one)
        finally:
            self._open -= pair
            for one in pair:
                one.close()

    async def _carry(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        is_reply: bool,
    ) -> None:
        carried = 0
        while block := await reader.read(BLOCK):
            await asyncio.sleep(self._delay)
            carried += len(block)
            if is_reply and 0 <= self._after < carried:
                raise ConnectionResetError
            writer.write(block)
            await writer.drain()
        with suppress(OSError):
            writer.write_eof()

    async def _run(self, started: threading.Event) -> None:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        await server.serve_forever()

    @contextmanager
    def running(self) -> Iterator["Network"]:
        """Listen on a free port, `port`, until the block ends."""
        started = threading.Event()

        def serve() -> None:
            task = self._loop.create_task(self._run(started))
            self._stop = lambda: self._loop.call_soon_threadsafe(task.cancel)
            with suppress(asyncio.CancelledError):
                self._loop.run_until_complete(task)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        started.wait()
        try:
            yield self
        finally:
            self._stop()
            thread.join()
            self._loop.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Break a connection at once, as a network does that is gone."""
    transport = writer.transport
    link = transport.get_extra_info("socket")
    if link:
        with suppress(OSError):
            link.setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00"
            )
    transport.abort()

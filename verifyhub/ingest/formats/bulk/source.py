"""The bytes of an untrusted stream, bounded while they are decompressed and read.

A few hundred kilobytes of gzip may decompress to hundreds of megabytes without content.
So each read checks the size so far, the compression ratio, the time, and the distance
from the last item.
"""

import gzip
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Protocol, cast

CHUNK = 64 * 1024
MAX_LINE = 16 * 1024 * 1024
MEBIBYTE = 1024 * 1024
# Smaller streams may have any compression ratio.
RATIO_FROM = 64 * MEBIBYTE
BROKEN, LATE, TOO_LARGE, WRONG = 400, 408, 413, 422


class BrokenStreamError(ValueError):
    """The stream is incomplete, wrongly compressed, or exceeds a bound.

    Attributes:
        status: The HTTP status: 400 broken, 408 too slow, 413 too large, 422 without
            content.
    """

    def __init__(self, message: str, *, status: int = BROKEN) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The bounds of a stream.

    Attributes:
        unpacked: Total bytes after decompression.
        ratio: The maximum compression ratio, from 64 MiB on. Similar texts compress to
            a tenth, a run that is repeated a thousand times to a hundredth; gzip can
            reach a thousandth.
        blank: Consecutive bytes that belong to no line or value.
        unfound: Bytes without a complete line or value.
        item_seconds: Seconds without a complete line or value; None for no limit.
        seconds: Total seconds; None for no limit.
    """

    unpacked: int = 16 * 1024 * MEBIBYTE
    ratio: int = 400
    blank: int = MEBIBYTE
    unfound: int = 16 * MAX_LINE
    item_seconds: float | None = None
    seconds: float | None = None


class Readable(Protocol):
    """A readable stream of bytes; `read` returns no bytes at its end."""

    def read(self, size: int = -1, /) -> bytes: ...

    def readline(self, size: int = -1, /) -> bytes: ...


class LineSource:
    """A stream that is read within bounds.

    Attributes:
        bounds: The limits of the stream.
    """

    def __init__(
        self,
        stream: Readable,
        *,
        encoding: str = "identity",
        bounds: Bounds | None = None,
        wait: Callable[[float], None] | None = None,
    ) -> None:
        """Open a stream.

        Args:
            stream: The stream.
            encoding: `gzip`, or anything else for uncompressed bytes.
            bounds: Its limits.
            wait: Called before each read with the seconds that the read may take.
        """
        self.bounds = bounds or Bounds()
        self._packed = _Counted(stream, self._check_time)
        self._wait = wait
        self._plain = (
            gzip.GzipFile(fileobj=cast("IO[bytes]", self._packed), mode="rb")
            if encoding == "gzip"
            else self._packed
        )
        self._is_packed = encoding == "gzip"
        self._begun = self._item_began = time.monotonic()
        self._total = self._at_item = self._blank = 0

    def read(self, size: int = -1, /) -> bytes:
        """Read at most `size` bytes; none at the end."""
        return self._checked(self._plain.read, CHUNK if size < 0 else size)

    def readline(self, size: int = -1, /) -> bytes:
        """Read a line, or its first `size` bytes."""
        return self._checked(self._plain.readline, CHUNK if size < 0 else size)

    def mark_item(self) -> None:
        """Start counting the next line or value."""
        self._at_item, self._item_began = self._total, time.monotonic()
        self._blank = 0

    def skip_blank(self, size: int) -> None:
        """Count bytes that belong to no line or value.

        Raises:
            BrokenStreamError: If there are too many consecutive ones.
        """
        self._blank += size
        if self._blank > self.bounds.blank:
            raise BrokenStreamError(
                f"More than {self.bounds.blank} bytes hold no line or value.",
                status=WRONG,
            )

    def _checked(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            data = read(size)
        except (EOFError, OSError, zlib.error) as error:
            self._check_time()
            raise BrokenStreamError("The stream ends before it is whole.") from error
        self._total += len(data)
        self._check_size()
        return data

    def _check_size(self) -> None:
        bounds, total = self.bounds, self._total
        if total > bounds.unpacked:
            message = f"The stream has more than {bounds.unpacked} bytes"
            raise BrokenStreamError(
                f"{message}, unpacked." if self._is_packed else f"{message}.",
                status=TOO_LARGE,
            )
        if total - self._at_item > bounds.unfound:
            raise BrokenStreamError(
                f"More than {bounds.unfound} bytes hold no whole line or value.",
                status=WRONG,
            )
        if total > RATIO_FROM and total > self._packed.bytes_read * bounds.ratio:
            raise BrokenStreamError(
                f"Unpacked, it is more than {bounds.ratio} times as large as packed.",
                status=TOO_LARGE,
            )

    def _check_time(self) -> None:
        now, bounds = time.monotonic(), self.bounds
        left = []
        if bounds.item_seconds is not None:
            left.append(self._item_began + bounds.item_seconds - now)
            if left[-1] <= 0:
                raise BrokenStreamError(
                    f"No whole line or value came in {bounds.item_seconds:g} seconds.",
                    status=LATE,
                )
        if bounds.seconds is not None:
            left.append(self._begun + bounds.seconds - now)
            if left[-1] <= 0:
                raise BrokenStreamError(
                    f"The stream took more than {bounds.seconds:g} seconds; send the"
                    " rest as another one.",
                    status=LATE,
                )
        if left and self._wait is not None:
            self._wait(min(left))


class _Counted:
    """Counts the bytes that are read from a stream; calls `before` before each read."""

    def __init__(self, stream: Readable, before: Callable[[], None]) -> None:
        self._stream, self._before, self.bytes_read = stream, before, 0

    def read(self, size: int = -1, /) -> bytes:
        self._before()
        data = self._stream.read(size)
        self.bytes_read += len(data)
        return data

    def readline(self, size: int = -1, /) -> bytes:
        self._before()
        data = self._stream.readline(size)
        self.bytes_read += len(data)
        return data

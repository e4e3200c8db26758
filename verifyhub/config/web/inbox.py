"""Buffer the bytes of a request until it is complete."""

import re
import tempfile
from collections.abc import Callable
from enum import Enum

# More than gunicorn accepts, so that gunicorn reports the error of longer heads.
MAX_HEAD = 64 * 1024
# Longer bodies are buffered on disk.
IN_MEMORY = 64 * 1024
END_OF_HEAD = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,15})[ \t]*(?=\r\n)", re.I)
_FRAMING = re.compile(rb"\r\n(?:content-length|transfer-encoding)[ \t]*:", re.I)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding[ \t]*:", re.I)
_EXPECTS = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*(?=\r\n)", re.I)


class Way(Enum):
    """How the body of a request is received.

    `WHOLE`: before a thread is started, as there is no body or a short one. `LIVE`: by
    the thread, as it arrives. `LEFT`: not at all, as the head shows a bad request.
    """

    WHOLE = "whole"
    LIVE = "live"
    LEFT = "left"


class Inbox:
    """One request of a connection.

    Gunicorn parses the same bytes again, so this class only decides when a thread gets
    the request. At worst, a head that is misread here has no body.

    Attributes:
        way: How the body is received; known once the head is complete.
        is_ready: Whether a thread can handle the request.
        is_too_long: Whether the head exceeds the maximum size.
        asks_to_go_on: Whether the client waits for `100 Continue` before the body.
        size: Bytes of the body received so far.
        length: The stated length of the body in bytes.
        target: Its method and path; known once the head is complete.
    """

    def __init__(
        self, *, streams: Callable[[str, int | None], bool], max_body: int
    ) -> None:
        """Wait for a head.

        Args:
            streams: Takes a path and a length (None if not stated), and returns whether
                the thread reads such a body itself.
            max_body: The largest body that is buffered, in bytes.
        """
        self.way = Way.WHOLE
        self.is_ready = self.is_too_long = self.asks_to_go_on = False
        self.size = self.length = 0
        self.target = ("", "")
        self._streams, self._max_body = streams, max_body
        self._head, self._rest = bytearray(), b""
        self._has_head = False
        self._body = tempfile.SpooledTemporaryFile[bytes](max_size=IN_MEMORY)

    @property
    def is_empty(self) -> bool:
        """Whether no bytes have been received."""
        return not self._head

    @property
    def on_disk(self) -> int:
        """The number of bytes of the body that are buffered on disk."""
        return self.size if self.size > IN_MEMORY else 0

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        if self._has_head:
            self._feed_body(data)
            return
        searched = max(0, len(self._head) - len(END_OF_HEAD))
        self._head += data
        end = self._head.find(END_OF_HEAD, searched)
        if end < 0:
            if len(self._head) > MAX_HEAD:
                self.way = Way.LEFT
                self.is_ready = self.is_too_long = True
            return
        end += len(END_OF_HEAD)
        body = bytes(self._head[end:])
        del self._head[end:]
        self._has_head = True
        self._read_head()
        self._feed_body(body)

    def read(self, size: int) -> bytes:
        """Return the next bytes of the request, at most so many; none at its end."""
        if self._head:
            data = bytes(self._head[:size])
            del self._head[:size]
            return data
        if self.way is Way.WHOLE:
            return self._body.read(size)
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def take_rest(self) -> bytes:
        """Return the bytes after this request, which belong to the next one."""
        rest, self._rest = self._rest, b""
        return rest

    def close(self) -> None:
        """Close the file of the body."""
        self._body.close()

    def _read_head(self) -> None:
        # The request line is not a header, and no line break precedes it.
        line, _, _ = self._head.partition(b"\r\n")
        words = line.split(b" ")
        target = words[1] if len(words) > 1 else b""
        path = target.partition(b"?")[0].decode("latin-1")
        self.target = words[0].decode("latin-1"), path
        head = bytes(self._head[:-2])
        lengths = _LENGTH.findall(head)
        is_told = len(lengths) == 1 and len(_FRAMING.findall(head)) == 1
        length = int(lengths[0]) if is_told else None
        has_body = bool(length) or bool(_CHUNKED.search(head))
        self.asks_to_go_on = bool(length) and bool(_EXPECTS.search(head))
        if has_body and self._streams(path, length):
            self.way = Way.LIVE
        elif _FRAMING.search(head) and (length is None or length > self._max_body):
            self.way = Way.LEFT
        self.length = length or 0
        self.is_ready = self.way is not Way.WHOLE or not self.length

    def _feed_body(self, data: bytes) -> None:
        taken_in = b""
        if self.way is Way.WHOLE:
            taken_in = data[: self.length - self.size]
            self._body.write(taken_in)
            self.size += len(taken_in)
            if self.size == self.length:
                self._body.seek(0)
                self.is_ready = True
        self._rest += data[len(taken_in) :]

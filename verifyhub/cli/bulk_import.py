"""`verifyhub import`: send a file of any length to a server; resumable.

The file is split into requests, each of which is committed and answered before the next
one. After an interruption lost lines are sent again, and nothing is duplicated.
"""

import argparse
import gzip
import hashlib
import json
import os
import sys
import time
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import quote

from verifyhub.cli.verify_text import visible
from verifyhub.common.contract import FormatError
from verifyhub.ingest.formats.bulk.items import NATIVE, formats
from verifyhub.ingest.formats.bulk.parquet import MAGIC, parquet_items
from verifyhub.ingest.formats.bulk.source import LineSource
from verifyhub.ingest.formats.bulk.streams import (
    RawItem,
    csv_items,
    is_gzip,
    raw_items,
)
from verifyhub.ingest.formats.exports.span_export import row_reader
from verifyhub.ingest.formats.native import looks_native
from verifyhub.ingest.formats.transcripts import (
    AUTO,
    MAX_BYTES,
    parse_document,
    read_document,
)
from verifyhub_client.errors import ConnectionBrokenError
from verifyhub_client.steps import Request, Response
from verifyhub_client.transport import HttpSender

DONE, SOME_REFUSED, BAD_INPUT, GAVE_UP, INTERRUPTED = 0, 1, 2, 3, 130
PATH, TRANSCRIPTS = "/api/v1/bulk/", "/api/v1/transcripts/"
CHUNK_BYTES, CHUNK_LINES = 4 * 1024 * 1024, 1000
# Blank lines that are sent to keep line numbers; with more, a chunk ends.
GAP = 100
TIMEOUT_SECONDS = 300
# Tries of one chunk without a response, and the maximum wait between two of them.
TRIES, LONGEST_WAIT = 8, 60
SHOWN_REFUSALS = 20
SAMPLE = 1024 * 1024
EPILOG = """\
The file is JSON Lines, a JSON array, CSV or Parquet, optionally compressed with gzip.
Each line is a run in VerifyHub's own format, a transcript, or a row of a Langfuse or
Phoenix export. A file that is one transcript (a Claude Code or Codex session, a list of
messages) is sent as a whole, including its last turn. After an interruption, run the
same command again: it continues after the last line stored on the server. The API key
is read from VERIFYHUB_API_KEY.
Exit codes: 0 all lines are stored; 1 some lines were rejected; 2 invalid file or
argument; 3 the server did not respond or refused the request; 130 interrupted.
"""


class GaveUpError(Exception):
    """The server is unreachable, or refuses; the message is for people."""


@dataclass(slots=True)
class Chunk:
    """The lines of one request, with the numbers of the first and the last one."""

    first: int
    last: int
    data: bytes


def describe(parser: argparse.ArgumentParser) -> None:
    """Add the description and the options of the subcommand."""
    parser.description = "Upload a file of runs to a server and show the progress."
    parser.epilog = EPILOG
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("file", metavar="FILE", type=Path, help="file to upload")
    add("--to", metavar="URL", required=True, help="URL of the server")
    add(
        "--key",
        help="API key of the server; VERIFYHUB_API_KEY keeps it out of the process "
        "list",
    )
    add("--format", choices=formats(), default=AUTO, help="default: detect it")
    add(
        "--id",
        metavar="NAME",
        help="name of the import; by default derived from the file's content",
    )
    add(
        "--from-start",
        action="store_true",
        help="send all lines, including those already stored",
    )
    add("--quiet", action="store_true", help="hide the progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Send the file; print progress on stderr and the result on stdout."""
    key = arguments.key or os.environ.get("VERIFYHUB_API_KEY", "")
    try:
        with arguments.file.open("rb") as file:
            sending = Sending(
                HttpSender(arguments.to, key),
                name=arguments.id or name_of(file),
                format_name=arguments.format,
                is_quiet=arguments.quiet,
            )
            transcript = transcript_of(file, format_name=arguments.format)
            if transcript is None:
                sending.send(file, from_start=arguments.from_start)
            else:
                sending.send_transcript(transcript)
    except (OSError, ValueError) as error:
        print(f"verifyhub import: {visible(str(error))}", file=sys.stderr)
        return BAD_INPUT
    except GaveUpError as error:
        print(f"verifyhub import: {visible(str(error))}", file=sys.stderr)
        return GAVE_UP
    except KeyboardInterrupt:
        print("\ninterrupted; run the same command again to continue", file=sys.stderr)
        return INTERRUPTED
    print(json.dumps(sending.outcome))
    return SOME_REFUSED if sending.refused else DONE


def name_of(file: IO[bytes]) -> str:
    """Return a constant name for a file, from its length and first megabyte."""
    digest = hashlib.sha256(str(os.fstat(file.fileno()).st_size).encode())
    digest.update(file.read(SAMPLE))
    file.seek(0)
    return f"file-{digest.hexdigest()[:24]}"


class Sending:
    """One import.

    Attributes:
        outcome: The server's latest response.
        refused: Whether anything was refused, locally or by the server.
    """

    def __init__(
        self, sender: HttpSender, *, name: str, format_name: str, is_quiet: bool
    ) -> None:
        self.outcome: dict[str, Any] = {}
        self.refused = False
        self._sender, self._name, self._format = sender, name, format_name
        self._is_quiet, self._shown = is_quiet, 0

    def send(self, file: IO[bytes], *, from_start: bool) -> None:
        """Send what the server does not have.

        Raises:
            GaveUpError: If a chunk is not accepted.
            ValueError: If the file cannot be read to its end.
        """
        size = max(1, os.fstat(file.fileno()).st_size)
        done = 0 if from_start else self._stored()
        self._progress(f"{self._name}: lines up to {done} are stored" if done else "")
        for chunk in chunks(self._checked(items_of(file)), after=done):
            self._send_chunk(chunk)
            percent = min(100, file.tell() * 100 // size)
            self._progress(
                f"line {chunk.last:,} · {percent} % ·"
                f" {self.outcome.get('created', 0):,} new,"
                f" {self.outcome.get('refused', 0):,} refused"
            )
        self.refused |= bool(self.outcome.get("refused"))

    def send_transcript(self, text: bytes) -> None:
        """Send a file that is one transcript, in as many requests as it needs.

        Raises:
            GaveUpError: If it is not accepted.
        """
        request = _upload(TRANSCRIPTS, {"format": self._format, "final": "true"}, text)
        remaining: int | None = None
        while remaining != 0:
            self.outcome = self._body(self._send(request), status=207)
            refused = [
                result for result in self.outcome.pop("results") if result["error"]
            ]
            for turn in refused:
                self._report(turn["id"], turn["error"])
            self.refused |= bool(refused)
            before, remaining = remaining, int(self.outcome["remaining"])
            if remaining == before:
                raise GaveUpError(f"The server did not store {remaining} turns.")

    def _checked(self, items: Iterator[RawItem]) -> Iterator[RawItem]:
        for item in items:
            if item.problem:
                self.refused = True
                self._say(f"line {item.number}: {item.problem}")
            else:
                yield item

    def _stored(self) -> int:
        """Return the last line of this import that the server has."""
        reply = self._send(
            Request(
                method="GET", path=f"{PATH}{quote(self._name)}/", timeout_seconds=30
            )
        )
        if reply.status == 404:
            return 0
        self.outcome = self._body(reply)
        return int(self.outcome["line"])

    def _send_chunk(self, chunk: Chunk) -> None:
        """Send one chunk until all of it is committed."""
        for _ in range(TRIES * 100):
            query = {
                "id": self._name,
                "format": self._format,
                "from_line": str(chunk.first),
                "results": "problems",
            }
            reply = self._send(_upload(PATH, query, chunk.data))
            if reply.status != 207:
                self._body(reply)
            *refused, last = [json.loads(line) for line in reply.body.splitlines()]
            summary = last.get("summary", {})
            for line in refused:
                [error] = line["errors"] or [{"field": "", "message": line["status"]}]
                self._report(f"line {line['line']}", error)
            if summary.get("status") == 200:
                self.outcome = summary["bulk"]
                return
            wait = summary.get("retry_after")
            if wait is None:
                raise GaveUpError(
                    str(summary.get("detail") or "The response was interrupted.")
                )
            self._wait(wait, str(summary["detail"]))
        raise GaveUpError("The server has no capacity.")

    def _send(self, request: Request) -> Response:
        """Send a request until there is a response other than "wait"."""
        for turn in range(TRIES):
            try:
                reply = self._sender(request)
            except ConnectionBrokenError as error:
                self._wait(min(2**turn, LONGEST_WAIT), str(error))
                continue
            if reply.status not in (429, 502, 503, 504):
                return reply
            header = reply.headers.get("retry-after", "")
            wait = int(header) if header.isdecimal() else 2**turn
            self._wait(wait, f"HTTP {reply.status}")
        raise GaveUpError(
            "The server does not respond. Run the same command again to continue."
        )

    def _body(self, reply: Response, *, status: int = 200) -> dict[str, Any]:
        try:
            body = json.loads(reply.body)
        except ValueError:
            body = {}
        if reply.status != status:
            raise GaveUpError(
                f"HTTP {reply.status}: {body.get('detail', 'no reason given')}"
            )
        return cast("dict[str, Any]", body)

    def _report(self, place: str, error: dict[str, Any]) -> None:
        self._shown += 1
        if self._shown <= SHOWN_REFUSALS:
            self._say(f"{place}: {error['field']} {error['message']}")

    def _wait(self, seconds: float, why: str) -> None:
        self._progress(f"{why} waiting {seconds} s")
        time.sleep(min(seconds, LONGEST_WAIT))

    def _progress(self, text: str) -> None:
        if text and not self._is_quiet:
            ending = "\r" if sys.stderr.isatty() else "\n"
            print(f"{visible(text):<78}", end=ending, file=sys.stderr, flush=True)

    def _say(self, text: str) -> None:
        print(visible(text), file=sys.stderr)


def _upload(path: str, query: dict[str, str], lines: bytes) -> Request:
    return Request(
        method="POST",
        path=path,
        query=query,
        headers={"Content-Type": "application/jsonl", "Content-Encoding": "gzip"},
        body=gzip.compress(lines, compresslevel=1),
        timeout_seconds=TIMEOUT_SECONDS,
    )


def items_of(file: IO[bytes]) -> Iterator[RawItem]:
    """Yield the lines, values or rows of a file, by its type.

    Raises:
        BrokenStreamError: While reading, if it is truncated or invalid.
    """
    head = _head(file)
    if head.startswith(MAGIC):
        yield from parquet_items(file)
        return
    name = str(file.name).lower()
    plain = LineSource(file, encoding="gzip" if is_gzip(head) else "identity")
    is_csv = name.removesuffix(".gz").endswith(".csv")
    yield from csv_items(plain) if is_csv else raw_items(plain)


def _head(file: IO[bytes]) -> bytes:
    head = file.read(16)
    file.seek(0)
    return head


def transcript_of(file: IO[bytes], *, format_name: str) -> bytes | None:
    """Return the text of a file that is one transcript; None for a file of many runs.

    It is one if its first line or item is no run by itself.
    """
    first = next(items_of(file), None)
    file.seek(0)
    if format_name == NATIVE or first is None or not first.data or first.problem:
        return None
    if _holds_run(first.data, format_name):
        return None
    plain = gzip.GzipFile(fileobj=file) if is_gzip(_head(file)) else file
    try:
        text = plain.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        # The reader of the lines reports where the file is invalid.
        return None
    finally:
        file.seek(0)
    return text if _holds_run(text, format_name) else None


def _holds_run(text: bytes, format_name: str) -> bool:
    try:
        document = parse_document(text)
        value = document.value
        if looks_native(value) or row_reader(value):
            return True
        return bool(read_document(document, format=format_name).interactions)
    except FormatError:
        return False


def chunks(items: Iterator[RawItem], *, after: int) -> Iterator[Chunk]:
    """Group lines into requests.

    Args:
        items: The lines in order.
        after: Lines up to this one are left out.
    """
    lines: list[bytes] = []
    first = last = size = 0
    for item in items:
        if item.number <= after:
            continue
        gap = item.number - last - 1
        if lines and (size >= CHUNK_BYTES or len(lines) >= CHUNK_LINES or gap > GAP):
            yield Chunk(first, last, b"\n".join(lines))
            lines, size = [], 0
        if not lines:
            first, gap = item.number, 0
        line = _line(item)
        lines += [b""] * gap + [line]
        size, last = size + len(line), item.number
    if lines:
        yield Chunk(first, last, b"\n".join(lines))


def _line(item: RawItem) -> bytes:
    if not item.data:
        return json.dumps(item.value, ensure_ascii=False).encode()
    # An object over several lines; line breaks within texts are escaped.
    return item.data.replace(b"\r", b" ").replace(b"\n", b" ")

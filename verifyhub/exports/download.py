"""Downloads of exports over HTTP, with byte ranges (RFC 9110, section 14)."""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from verifyhub.exports import files, manifest
from verifyhub.exports.catalogue import DATASETS
from verifyhub.exports.files import ExportFile
from verifyhub.exports.models import ExportJob
from verifyhub.exports.writing import CONTENT_TYPES, FileFormat, csv_header

RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class DownloadSegment:
    """A range of a file, or bytes."""

    source: ExportFile | bytes
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Download:
    """A file as it is sent, as a sequence of ranges.

    Attributes:
        etag: Its quoted ETag.
    """

    name: str
    content_type: str
    segments: Sequence[DownloadSegment]
    etag: str

    @property
    def size(self) -> int:
        return sum(segment.length for segment in self.segments)


def downloads(job: ExportJob) -> list[str]:
    """Return the names of an export's downloadable files, manifest first."""
    if not job.has_files:
        return []
    names = [manifest.NAME]
    for name in job.datasets:
        own = [part["name"] for part in job.parts if part["dataset"] == name]
        if len(own) == 1 or job.written_as != FileFormat.PARQUET:
            names.append(f"{name}.{job.written_as}")
        if len(own) > 1:
            names += own
    return names


def download_of(job: ExportJob, name: str) -> Download | None:
    """Return a file of an export; None if it does not exist (any more)."""
    if not job.has_files:
        return None
    if name == manifest.NAME:
        return _of_bytes(name, manifest.manifest_bytes(job))
    part = job.part(name)
    if part is not None:
        parts = [part]
    elif name in downloads(job):
        dataset_name = name.removesuffix(f".{job.written_as}")
        parts = [entry for entry in job.parts if entry["dataset"] == dataset_name]
    else:
        return None
    written_as = FileFormat(job.written_as)
    # Only the first part of a CSV file has a header.
    skipped = 0
    if written_as is FileFormat.CSV and len(parts) > 1:
        dataset = DATASETS[parts[0]["dataset"]]
        columns = dataset.columns_of(deep=False, shape=job.shape)
        skipped = len(csv_header(columns))
    segments = [
        DownloadSegment(
            files.file_of(job.id, entry["file"]),
            skip := skipped * bool(at),
            entry["bytes"] - skip,
        )
        for at, entry in enumerate(parts)
    ]
    digests = "".join(entry["sha256"] for entry in parts).encode()
    etag = f'"{hashlib.sha256(digests).hexdigest()[:32]}"'
    return Download(name, CONTENT_TYPES[written_as], segments, etag)


def send(request: HttpRequest, file: Download, *, called: str) -> HttpResponseBase:
    """Reply with a file, or with the byte range that `Range` requests.

    Args:
        request: The request with `Range` and `If-Range`; for several ranges the whole
            file is returned.
        file: The file.
        called: The file name for browsers.
    """
    if not all(
        isinstance(segment.source, bytes) or segment.source.exists()
        for segment in file.segments
    ):
        return HttpResponse(status=410)
    byte_range = _range(request, file)
    if byte_range == ():
        response: HttpResponseBase = HttpResponse(status=416)
        response["Content-Range"] = f"bytes */{file.size}"
        return response
    first, last = byte_range or (0, file.size - 1)
    response = StreamingHttpResponse(
        _bytes(file.segments, first, last),
        content_type=file.content_type,
        status=206 if byte_range else 200,
    )
    if byte_range:
        response["Content-Range"] = f"bytes {first}-{last}/{file.size}"
    response["Content-Length"] = str(last - first + 1)
    response["Accept-Ranges"] = "bytes"
    response["ETag"] = file.etag
    response["Cache-Control"] = "private"
    # Names and slugs contain only letters, digits, hyphens, underscores and dots.
    response["Content-Disposition"] = f'attachment; filename="{called}"'
    return response


def _range(request: HttpRequest, file: Download) -> tuple[int, int] | tuple[()] | None:
    """Return the requested range; None for the whole file, () for an invalid range."""
    match = RANGE.fullmatch(request.headers.get("Range", ""))
    condition = request.headers.get("If-Range", file.etag)
    if match is None or condition != file.etag or not any(match.groups()):
        return None
    start, end = match.groups()
    if not start:
        length = min(int(end), file.size)
        return (file.size - length, file.size - 1) if length else ()
    last = min(int(end), file.size - 1) if end else file.size - 1
    if end and int(end) < int(start):
        return None
    return (int(start), last) if int(start) < file.size else ()


def _bytes(
    segments: Sequence[DownloadSegment], first: int, last: int
) -> Iterator[bytes]:
    left = last - first + 1
    skip = first
    for segment in segments:
        if skip >= segment.length:
            skip -= segment.length
            continue
        length = min(left, segment.length - skip)
        begin = segment.start + skip
        if isinstance(segment.source, bytes):
            yield segment.source[begin : begin + length]
        else:
            yield from segment.source.pieces(begin, length)
        left, skip = left - length, 0
        if not left:
            return


def _of_bytes(name: str, data: bytes) -> Download:
    etag = f'"{hashlib.sha256(data).hexdigest()[:32]}"'
    return Download(name, JSON, [DownloadSegment(data, 0, len(data))], etag)

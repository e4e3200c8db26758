"""Decode OTLP requests into spans, and encode the replies."""

import json
import zlib
from typing import Any

from google.protobuf.json_format import MessageToDict
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsServiceResponse,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceResponse,
)

from verifyhub.ingest.formats.otlp.limits import OtlpError, SpanBatch
from verifyhub.ingest.formats.otlp.requests import Signal, read_request

PROTOBUF, JSON = "application/x-protobuf", "application/json"
# Lets zlib detect a gzip or a zlib header.
ANY_HEADER = 32 + zlib.MAX_WBITS
ENCODINGS = ("gzip", "deflate")
TOO_LARGE, UNSUPPORTED = 413, 415
# google.rpc.Code, by HTTP status.
RPC_CODES = {400: 3, 401: 16, 403: 7, 413: 8, 415: 3, 429: 8, 503: 14}
RPC_UNKNOWN = 2

# The reply to each signal, and its count of refused spans or records.
REPLIES: dict[Signal, tuple[Any, str]] = {
    Signal.TRACES: (ExportTraceServiceResponse, "rejected_spans"),
    Signal.LOGS: (ExportLogsServiceResponse, "rejected_log_records"),
}


def read_body(
    data: bytes,
    *,
    content_type: str,
    encoding: str,
    max_bytes: int,
    signal: Signal = Signal.TRACES,
) -> SpanBatch:
    """Read a request.

    Args:
        data: The body as it was sent.
        content_type: Its media type without parameters.
        encoding: `Content-Encoding`; empty for none.
        max_bytes: The limit of the uncompressed body; decompression stops there.
        signal: The kind of request; log records become spans too.

    Raises:
        OtlpError: If the request is refused, with the HTTP status.
    """
    if content_type not in {PROTOBUF, JSON}:
        raise OtlpError(f"Send {PROTOBUF} or {JSON}.", status=UNSUPPORTED)
    plain = unpacked(data, encoding=encoding, max_bytes=max_bytes)
    return read_request(plain, signal, is_json=content_type == JSON)


def unpacked(data: bytes, *, encoding: str, max_bytes: int) -> bytes:
    """Decompress a body, up to a size.

    Raises:
        OtlpError: If it is larger, broken, or of another encoding.
    """
    if encoding in {"", "identity"}:
        plain = data
    elif encoding in ENCODINGS:
        plain = _inflated(data, encoding, max_bytes)
    else:
        raise OtlpError(
            "Send the body compressed with gzip or deflate, or uncompressed.",
            status=UNSUPPORTED,
        )
    if len(plain) > max_bytes:
        raise OtlpError(
            f"The uncompressed body has more than {max_bytes} bytes.", status=413
        )
    return plain


def _inflated(data: bytes, encoding: str, max_bytes: int) -> bytes:
    reader = zlib.decompressobj(ANY_HEADER)
    try:
        plain = reader.decompress(data, max_bytes + 1)
    except zlib.error:
        raise OtlpError(f"The body is not {encoding}.") from None
    is_whole = reader.eof and not reader.unused_data
    if not is_whole and len(plain) <= max_bytes:
        raise OtlpError(f"The body is not one whole {encoding} stream.")
    return plain


def reply(
    content_type: str, *, signal: Signal, refused: int = 0, reason: str = ""
) -> bytes:
    """Return the reply of an OTLP service, in the encoding of its request."""
    response, rejected = REPLIES[signal]
    message = response()
    if refused:
        setattr(message.partial_success, rejected, refused)
        message.partial_success.error_message = reason
    if content_type == PROTOBUF:
        return bytes(message.SerializeToString())
    return json.dumps(MessageToDict(message)).encode()


def refusal(content_type: str, *, status: int, message: str) -> bytes:
    """Return a google.rpc.Status in the encoding of its request.

    The protobuf is written by hand: two fields do not need another dependency.
    """
    code = RPC_CODES.get(status, RPC_UNKNOWN)
    if content_type != PROTOBUF:
        return json.dumps({"code": code, "message": message}).encode()
    text = message.encode()
    return b"\x08" + _varint(code) + b"\x12" + _varint(len(text)) + text


def _varint(number: int) -> bytes:
    octets = bytearray()
    while number > 0x7F:
        octets.append(number & 0x7F | 0x80)
        number >>= 7
    octets.append(number)
    return bytes(octets)

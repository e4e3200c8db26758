"""OpenTelemetry spans of VerifyHub itself, if an operator configures them.

The trace of a verification has the verification's id, so no context needs to be passed
from the request through the row to the worker. Requests and batches have their own
traces, with links to those of their rows, and the engine's span has a link to the
agent's own span, where the run names it. Spans contain ids, kinds and numbers, and no
text of an agent, a person or a model.

Without `VERIFYHUB_OTLP_TRACES_ENDPOINT` nothing is imported and nothing is done.
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from verifyhub import __version__

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import SpanContext, Tracer

TIMEOUT_SECONDS = 10
# The most rows of a request or batch that are linked.
MOST_LINKS = 64
# Trace and span, as W3C's Trace Context writes them.
AGENT_SPAN = re.compile(r"[0-9a-f]{32}-[0-9a-f]{16}")
Value = str | int | float | bool


@contextmanager
def span(
    name: str,
    *,
    of: UUID | None = None,
    links: Iterable[UUID] = (),
    agent: Mapping[str, Any] | None = None,
    **attributes: Value | None,
) -> Iterator[None]:
    """Record the body as one span, if tracing is on.

    Args:
        name: The operation, `package.verb`.
        of: The verification whose trace it belongs to; None for the current span's
            trace, or a new one. It is below the current span, if that is part of it.
        links: Other verifications that it concerns.
        agent: The metadata of a run, whose `trace_id` and `span_id`, if it has them,
            are the agent's own span, which is linked.
        attributes: Further attributes; None values are left out.
    """
    if not settings.OTLP_TRACES_ENDPOINT:
        yield
        return
    from opentelemetry import trace
    from opentelemetry.trace import Link

    parent, around = None, trace.get_current_span().get_span_context()
    # Within that trace the current span is the parent.
    if of is not None and around.trace_id != of.int:
        parent = trace.set_span_in_context(trace.NonRecordingSpan(_context_of(of)))
    contexts = [_context_of(link) for link in list(links)[:MOST_LINKS]]
    if agent and (own_span := _context_of_agent(agent)):
        contexts.append(own_span)
    with _tracer(os.getpid()).start_as_current_span(
        name,
        context=parent,
        links=[Link(context) for context in contexts],
        attributes={k: v for k, v in attributes.items() if v is not None},
        # Both would send the error's text.
        record_exception=False,
        set_status_on_exception=False,
    ) as own:
        try:
            yield
        except BaseException as error:
            own.set_status(trace.StatusCode.ERROR)
            own.set_attribute("error.type", type(error).__name__)
            raise


def record_wait(of: UUID, *, since: datetime) -> None:
    """Record how long a verification waited for a worker, until now."""
    if not settings.OTLP_TRACES_ENDPOINT:
        return
    from opentelemetry import trace

    parent = trace.set_span_in_context(trace.NonRecordingSpan(_context_of(of)))
    waited = _tracer(os.getpid()).start_span(
        "verification.wait",
        context=parent,
        start_time=round(since.timestamp() * 1_000_000_000),
    )
    waited.end()


def link_to(rows: Iterable[UUID]) -> None:
    """Link the current span to the traces of verifications."""
    if not settings.OTLP_TRACES_ENDPOINT:
        return
    from opentelemetry import trace

    around = trace.get_current_span()
    for row in list(rows)[:MOST_LINKS]:
        around.add_link(_context_of(row))


def address_of(row: UUID) -> str:
    """Return the URL of a verification's trace; empty if none is configured."""
    return settings.TRACE_URL.replace("{trace}", row.hex) if settings.TRACE_URL else ""


class TraceMiddleware:
    """Records a span for each request; not installed if tracing is off."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.OTLP_TRACES_ENDPOINT:
            raise MiddlewareNotUsed
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        from opentelemetry import trace

        with span("http.request"):
            response = self._get_response(request)
            around = trace.get_current_span()
            # The pattern, not the path, which may contain a secret.
            route = request.resolver_match.route if request.resolver_match else ""
            around.set_attribute("http.request.method", request.method or "")
            around.set_attribute("http.route", route)
            around.set_attribute("http.response.status_code", response.status_code)
            around.set_attribute("verifyhub.request_id", response["X-Request-ID"])
        return response


def _context_of(row: UUID) -> "SpanContext":
    from opentelemetry.trace import SpanContext, TraceFlags

    return SpanContext(
        trace_id=row.int,
        span_id=row.int & 0xFFFF_FFFF_FFFF_FFFF,
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )


def _context_of_agent(metadata: Mapping[str, Any]) -> "SpanContext | None":
    from opentelemetry.trace import SpanContext, TraceFlags

    names = f"{metadata.get('trace_id')}-{metadata.get('span_id')}"
    if not AGENT_SPAN.fullmatch(names):
        return None
    trace_id, span_id = names.split("-")
    return SpanContext(
        trace_id=int(trace_id, 16),
        span_id=int(span_id, 16),
        is_remote=True,
        trace_flags=TraceFlags(TraceFlags.SAMPLED),
    )


def _tracer(process: int) -> "Tracer":
    return _provider(process).get_tracer("verifyhub", __version__)


@lru_cache(maxsize=1)
def _provider(_process: int) -> "TracerProvider":
    """Return this process's tracer provider, whose thread does not survive a fork."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    own: dict[str, Any] = {
        "service.name": "verifyhub",
        "service.version": __version__,
        "service.instance.id": settings.ROOT_URL,
    }
    provider = TracerProvider(resource=Resource.create(own))
    exporter = OTLPSpanExporter(
        endpoint=settings.OTLP_TRACES_ENDPOINT,
        headers=dict(header.split("=", 1) for header in settings.OTLP_TRACES_HEADERS),
        timeout=TIMEOUT_SECONDS,
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider


def flush() -> None:
    """Send the recorded spans of this process now."""
    if settings.OTLP_TRACES_ENDPOINT:
        _provider(os.getpid()).force_flush()

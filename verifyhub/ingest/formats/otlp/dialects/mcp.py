"""Spans of the Model Context Protocol: `mcp.*`.

Source: open-telemetry/semantic-conventions, mcp.md. Instrumentors write
arguments and results under the GenAI names, or under their own names below `mcp.`.
"""

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.keys import Keys
from verifyhub.ingest.formats.otlp.reading import SpanReading, SpanStep
from verifyhub.ingest.formats.otlp.span import Span

CALL = "tools/call"


def read(span: Span, keys: Keys) -> SpanReading | None:
    """Read a tool call over MCP; other requests are not part of a run."""
    if not keys.has("mcp."):
        return None
    method = keys.text("mcp.method.name", "mcp.method")
    keys.understand("mcp.session.id", "mcp.protocol.version", "mcp.resource.uri")
    keys.understand("network.", "rpc.", "jsonrpc.")
    # The server's own span repeats the client's.
    if method != CALL and not span.name.startswith(CALL):
        return SpanReading(step=SpanStep.OTHER)
    name = keys.text("gen_ai.tool.name", "mcp.tool.name", "mcp.request.params.name")
    return SpanReading(
        step=SpanStep.TOOL,
        tool=name or span.name.removeprefix(CALL).strip(),
        call_id=keys.text("gen_ai.tool.call.id"),
        input=keys.data(
            "gen_ai.tool.call.arguments",
            "mcp.tool.arguments",
            "mcp.tool.args",
            "mcp.request.argument",
            "mcp.request.params.arguments",
        ),
        output=keys.data(
            "gen_ai.tool.call.result",
            "mcp.tool.result",
            "mcp.response.value",
            "mcp.response.result",
        ),
    )


MCP = SpanDialect("MCP", read)

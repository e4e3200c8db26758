"""All dialects; if several read a field of a span, the first one counts."""

from verifyhub.ingest.formats.otlp.dialects.base import SpanDialect
from verifyhub.ingest.formats.otlp.dialects.genai import GENAI
from verifyhub.ingest.formats.otlp.dialects.genai_older import GENAI_OLDER
from verifyhub.ingest.formats.otlp.dialects.google_adk import GOOGLE_ADK
from verifyhub.ingest.formats.otlp.dialects.langfuse import LANGFUSE
from verifyhub.ingest.formats.otlp.dialects.livekit import LIVEKIT
from verifyhub.ingest.formats.otlp.dialects.mcp import MCP
from verifyhub.ingest.formats.otlp.dialects.mlflow import MLFLOW
from verifyhub.ingest.formats.otlp.dialects.openinference import OPENINFERENCE
from verifyhub.ingest.formats.otlp.dialects.openllmetry import OPENLLMETRY
from verifyhub.ingest.formats.otlp.dialects.pydantic_ai import PYDANTIC_AI
from verifyhub.ingest.formats.otlp.dialects.vercel import VERCEL

DIALECTS: tuple[SpanDialect, ...] = (
    OPENINFERENCE,
    GOOGLE_ADK,
    VERCEL,
    PYDANTIC_AI,
    LANGFUSE,
    MLFLOW,
    LIVEKIT,
    OPENLLMETRY,
    GENAI,
    GENAI_OLDER,
    MCP,
)

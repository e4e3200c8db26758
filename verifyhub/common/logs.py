"""Structured logs: one JSON object a line, with the id of the request or task."""

from typing import Any

import structlog

PROCESSORS: tuple[structlog.typing.Processor, ...] = (
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_logger_name,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
)


def get_logger(name: str) -> Any:
    """Return a logger whose events are dotted facts with ids as keywords."""
    return structlog.get_logger(name)


def configure_structlog() -> None:
    """Send structlog's events through the standard library's logging."""
    structlog.configure(
        processors=[
            *PROCESSORS,
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.processors.StackInfoRenderer(),
            structlog.processors.format_exc_info,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )


def json_logging(level: str, *processors: structlog.typing.Processor) -> dict[str, Any]:
    """Return a `logging.config` dictionary: everything as JSON lines to stderr.

    Args:
        level: Name of the lowest level that is written, such as INFO.
        processors: The last processors of an event, with its traceback as text.
    """
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "json": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    structlog.processors.format_exc_info,
                    *processors,
                    structlog.processors.JSONRenderer(),
                ],
                "foreign_pre_chain": PROCESSORS,
            },
        },
        "handlers": {
            "console": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stderr",
                "formatter": "json",
            },
        },
        "root": {"handlers": ["console"], "level": level},
        "loggers": {
            # Django's default would write tracebacks a second time, as text.
            "django": {"handlers": [], "propagate": True},
            "gunicorn.error": {"handlers": [], "level": level, "propagate": True},
            "gunicorn.access": {"handlers": [], "level": "WARNING"},
            # URLs of webhooks are secret, and the model client's debug lines contain
            # whole prompts.
            "httpx2": {"level": "WARNING"},
            "httpcore2": {"level": "WARNING"},
            "openai": {"level": "WARNING"},
            # The MCP server would log the content of refused tool calls.
            "mcp": {"level": "WARNING"},
            # Celery would log every task with its arguments and result.
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.beat": {"level": "WARNING"},
        },
    }

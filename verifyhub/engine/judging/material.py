"""Parts of a run as shown to judges: truncated, and only as JSON values."""

import json
from collections.abc import Sequence
from typing import Any

from verifyhub.engine.types import ToolCall

MAX_TEXT_CHARACTERS = 40_000
MAX_EXCERPT_CHARACTERS = 500
MAX_CALLS = 60


def tool_results(calls: Sequence[ToolCall]) -> list[dict[str, Any]]:
    """Return the first calls with the beginnings of their outputs."""
    return [
        {
            "tool": call.tool,
            "status": str(call.status),
            "input": json.dumps(dict(call.input), default=str)[:MAX_EXCERPT_CHARACTERS],
            "output": call.output[:MAX_EXCERPT_CHARACTERS],
            "output_characters": len(call.output),
        }
        for call in calls[:MAX_CALLS]
    ]

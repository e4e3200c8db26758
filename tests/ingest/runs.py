"""Runs as JSON documents and as engine values, with dull defaults."""

from typing import Any

from verifyhub.engine.types import Interaction
from verifyhub.ingest.formats.native import parse_interaction


def a_call(**fields: Any) -> dict[str, Any]:
    return {
        "tool": "Read",
        "input": {"file_path": "src/parser.py"},
        "output": "def parse(text):\n    return text.split()\n",
        "status": "ok",
        **fields,
    }


def a_run(**fields: Any) -> dict[str, Any]:
    """The JSON document of a run whose answer invents one file of two."""
    return {
        "task": "Where is the parser?",
        "answer": "It is `parse` in src/parser.py; the lexer is in src/lexer.py.",
        "tool_calls": [a_call()],
        **fields,
    }


def an_interaction(**fields: Any) -> Interaction:
    return parse_interaction(a_run(**fields))

"""The stable codes of a verdict object, schema 1, that this client acts on.

`tests/client/test_words.py` compares them with the server's codes. An unknown code is
from another version and does not count as an acceptance.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

VERDICT_SCHEMA = 1
VERIFIED = "verified"
UNVERIFIED = "unverified"

# Reasons for which an unverified name does not count against the answer.
NOT_COUNTED = frozenset(
    {
        "authored",
        "common_knowledge",
        "hypothetical",
        "negated",
        "plain_words",
        "proposed",
        "quoted_task",
        "stale",
        "task_only",
        "trace_cut",
    }
)


class Judgement(StrEnum):
    """The verdict on an answer."""

    ACCEPT = "accept"
    UNCERTAIN = "uncertain"
    REJECT = "reject"


class Action(StrEnum):
    """The next step of the agent."""

    ACCEPT = "accept"
    RETRY = "retry"
    REFORMULATE = "reformulate"
    FOLLOW_UP = "follow_up"
    CLARIFY = "clarify"
    FAIL = "fail"


class MitigationAction(StrEnum):
    """Advice for an answer, mildest first."""

    FLAG_UNCERTAIN = "flag_uncertain"
    REQUEST_SOURCES = "request_sources"
    DISCLAIM = "disclaim"
    REGENERATE = "regenerate"
    DECOMPOSE_AND_RETRY = "decompose_and_retry"
    BLOCK = "block"


def counts(mention: Mapping[str, Any]) -> bool:
    """Whether a name of a verdict object counts against the answer."""
    return mention["status"] == UNVERIFIED and mention["reason"] not in NOT_COUNTED

"""The stable words of a verdict object, schema 1, that this client acts on.

The server says them too: `tests/client/test_words.py` holds both sides to one another.
What is not among them is another version's word, and counts as no acceptance.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

VERDICT_SCHEMA = 1
VERIFIED = "verified"
UNVERIFIED = "unverified"

# Reasons with which an unverified name does not speak against the answer.
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
    """The judgement of an answer."""

    ACCEPT = "accept"
    UNCERTAIN = "uncertain"
    REJECT = "reject"


class Action(StrEnum):
    """What the agent is to do next."""

    ACCEPT = "accept"
    RETRY = "retry"
    REFORMULATE = "reformulate"
    FOLLOW_UP = "follow_up"
    CLARIFY = "clarify"
    FAIL = "fail"


class MitigationAction(StrEnum):
    """What else to do about an answer, mildest first."""

    FLAG_UNCERTAIN = "flag_uncertain"
    REQUEST_SOURCES = "request_sources"
    DISCLAIM = "disclaim"
    REGENERATE = "regenerate"
    DECOMPOSE_AND_RETRY = "decompose_and_retry"
    BLOCK = "block"


def counts(mention: Mapping[str, Any]) -> bool:
    """Whether a name of a verdict object speaks against the answer."""
    return mention["status"] == UNVERIFIED and mention["reason"] not in NOT_COUNTED

"""Probe how an endpoint can be made to reply in a given schema."""

import json
from dataclasses import dataclass

from verifyhub.common import strict_json
from verifyhub.egress.deadline import Deadline
from verifyhub.egress.policy import EgressPolicy
from verifyhub.engine.judging.replies import reply_tool
from verifyhub.engine.llm import memory
from verifyhub.engine.llm.cost import worst_microdollars
from verifyhub.engine.llm.endpoint import ChatEndpoint, Dialect, ReplyMode
from verifyhub.engine.llm.exchange import Connection
from verifyhub.engine.llm.structured import AS_JSON, ask_structured
from verifyhub.engine.ports import ModelError, ModelRequest, ModelUsage

SYSTEM = (
    "You add numbers. Report the total of the numbers in the user's message by"
    " calling report_total exactly once."
)
USER = '{"numbers": [2, 3]}'
TOOL = reply_tool("report_total", "Report the total.", {"total": {"type": "number"}})
MAX_ARGUMENTS_BYTES = 10_000
# Asking in the other way would end the same.
FINAL = frozenset({"blocked", "deadline", "rate_limited"})
# What is worth remembering: the endpoint answers, and cannot.
LASTING = frozenset({"no_tool_call", "malformed"})
MODE_SENTENCES = {
    ReplyMode.FORCED_TOOL: "Forced tool calls work.",
    ReplyMode.JSON_SCHEMA: "Replies of a given JSON schema work.",
}
MODE_NAMES = {
    ReplyMode.FORCED_TOOL: "forced call",
    ReplyMode.JSON_SCHEMA: "JSON schema",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """The capabilities of an endpoint.

    Attributes:
        reply_mode: The way that works; None where none does.
        latency_seconds: Of the last reply.
        message: In words, for a person; never holds text of the endpoint.
        reason: Of `ModelError`, where none works; else empty.
        usage: What probing took; None where nothing was answered.
        retry_after_seconds: How long the endpoint asked to wait, where it did.
    """

    reply_mode: ReplyMode | None
    latency_seconds: float
    message: str
    reason: str = ""
    usage: ModelUsage | None = None
    retry_after_seconds: float | None = None


def probe(endpoint: ChatEndpoint, *, policy: EgressPolicy) -> ProbeResult:
    """Try each reply mode by a small request until one works; failures are results.

    Only a reply in the asked-for shape counts: prose that holds the right number does
    not. The sum itself may be wrong, small models cannot add.
    """
    connection = Connection(endpoint=endpoint, policy=policy)
    return probe_within(connection, connection.deadline())


def probe_within(connection: Connection, deadline: Deadline) -> ProbeResult:
    """Probe within a running deadline, and remember the outcome."""
    modes = [ReplyMode.FORCED_TOOL, ReplyMode.JSON_SCHEMA]
    if Dialect(connection.endpoint.dialect) == Dialect.ANTHROPIC:
        modes.remove(ReplyMode.JSON_SCHEMA)
    spent: ModelUsage | None = None
    faults = []
    last = ModelError("not_configured", "nothing was asked")
    for mode in modes:
        try:
            usage = _try(connection, mode, deadline)
        except ModelError as error:
            last = error
            spent = error.usage.plus(spent) if error.usage else spent
            faults.append(f"{MODE_NAMES[mode]}: {error}")
            if error.reason in FINAL:
                break
        else:
            memory.learn(connection.endpoint, mode)
            return ProbeResult(
                reply_mode=mode,
                latency_seconds=usage.latency_seconds,
                message=" ".join(
                    [MODE_SENTENCES[mode], *(f"({fault})" for fault in faults)]
                ),
                usage=usage.plus(spent),
            )
    if last.reason in LASTING:
        memory.learn(connection.endpoint, None)
    return ProbeResult(
        reply_mode=None,
        latency_seconds=last.usage.latency_seconds if last.usage else 0.0,
        message="No structured reply. " + "; ".join(faults),
        reason=last.reason,
        usage=spent,
        retry_after_seconds=last.retry_after_seconds,
    )


def worst_probe(endpoint: ChatEndpoint) -> int | None:
    """Return the maximal cost of probing; None without the endpoint's prices."""
    texts = (SYSTEM, AS_JSON, USER, json.dumps(TOOL))
    cost = worst_microdollars(endpoint, texts, None)
    return None if cost is None else cost * len(MODE_NAMES)


def _try(connection: Connection, mode: ReplyMode, deadline: Deadline) -> ModelUsage:
    request = ModelRequest(system=SYSTEM, user=USER, tool=TOOL, purpose="probe")
    reply = ask_structured(connection, mode, deadline, request, tries=1)
    try:
        data = strict_json.loads(reply.text.encode(), max_bytes=MAX_ARGUMENTS_BYTES)
    except strict_json.StrictJSONError:
        data = None
    total = data.get("total") if isinstance(data, dict) and len(data) == 1 else None
    if not isinstance(total, int | float) or isinstance(total, bool):
        raise ModelError(
            "malformed", "the reply is not in the given shape", usage=reply.usage
        )
    return reply.usage

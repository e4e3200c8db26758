"""Send one request to an endpoint, with retries, within one deadline."""

import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from verifyhub.egress.client import http_client
from verifyhub.egress.deadline import Deadline
from verifyhub.egress.errors import EgressError
from verifyhub.egress.policy import EgressPolicy
from verifyhub.engine.llm import memory
from verifyhub.engine.llm.anthropic import AnthropicWire
from verifyhub.engine.llm.cost import cost_microdollars, most_tokens
from verifyhub.engine.llm.endpoint import ChatEndpoint, Dialect
from verifyhub.engine.llm.messages import ChatRequest, RawReply
from verifyhub.engine.llm.openai import OpenAIWire
from verifyhub.engine.llm.wire import Wire, WireReply
from verifyhub.engine.ports import ModelError, ModelRequest, ModelUsage

MAX_TRIES = 4
FIRST_PAUSE_SECONDS = 0.5
# What an endpoint may ask a caller to wait; beyond it the word is not believed.
MAX_RETRY_AFTER_SECONDS = 600.0
OK, TOO_MANY, SERVER_ERROR = 200, 429, 500
# How endpoints refuse a parameter: wrong, not for this caller, or not understood.
REFUSALS = frozenset({400, 403, 422})

# An error status, or no connection: nothing was generated, so nothing is charged.
UNBILLED = ModelUsage(input_tokens=0, output_tokens=0, cost_microdollars=0)

Pause = Callable[[float], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """An endpoint, with the policy and protocol of requests to it.

    Attributes:
        endpoint: The model to ask.
        policy: The addresses that requests may reach.
        pause: Waits a number of seconds; tests replace it.
        wire: The protocol of requests; None for the chat of the dialect.
    """

    endpoint: ChatEndpoint
    policy: EgressPolicy
    pause: Pause = time.sleep
    wire: Wire | None = None

    def deadline(self) -> Deadline:
        """The deadline of a question asked now."""
        return Deadline(self.endpoint.deadline_seconds)

    def within(self, request: ModelRequest) -> "Connection":
        """Return the same endpoint, limited to a request's time and length."""
        seconds, tokens = request.deadline_seconds, request.max_output_tokens
        most = self.endpoint
        if seconds is not None and seconds < most.deadline_seconds:
            most = replace(most, deadline_seconds=seconds)
        if tokens is not None and tokens < most.max_output_tokens:
            most = replace(most, max_output_tokens=max(1, tokens))
        return replace(self, endpoint=most)

    def ask(
        self, request: ChatRequest, deadline: Deadline, *, tries: int = MAX_TRIES
    ) -> tuple[RawReply, ModelUsage]:
        """Ask until there is a reply, with retries after 429, 5xx and resets.

        Raises:
            ModelError: If there is none within the deadline and the tries.
        """
        self._require_askable()
        began = time.monotonic()
        wire = self.wire or _wire(self.endpoint)
        may_be_billed = False
        for number in range(tries):
            outcome = self._ask_once(wire, request, deadline)
            if isinstance(outcome, RawReply):
                seconds = time.monotonic() - began
                return outcome, self._usage(request, outcome, seconds)
            may_be_billed = may_be_billed or outcome.error.usage is None
            wait = outcome.pause(number)
            if number == tries - 1 or not outcome.may_pass or wait >= deadline.left():
                if may_be_billed:
                    outcome.error.usage = None
                raise outcome.error
            self.pause(wait)
        raise AssertionError("a question is asked at least once")

    def _require_askable(self) -> None:
        """Refuse what could not be sent before anything is."""
        try:
            self.policy.check_url(self.endpoint.base_url)
        except EgressError as error:
            raise ModelError(error.reason, str(error)) from error
        for text in (self.endpoint.api_key, self.endpoint.api_version):
            if not text.isascii() or not text.isprintable():
                raise ModelError(
                    "not_configured", "key or version hold what no header can carry"
                )

    def _ask_once(
        self, wire: Wire, request: ChatRequest, deadline: Deadline
    ) -> "RawReply | _Failure":
        try:
            answer = self._send(wire, request, deadline)
        except EgressError as error:
            passing = error.reason == "unreachable"
            usage = None if error.was_sent else UNBILLED
            failed = ModelError(error.reason, str(error), usage=usage)
            return _Failure(failed, may_pass=passing)
        except ModelError as error:
            return _Failure(error, may_pass=error.reason == "unreachable")
        if answer.status != OK:
            return _failure_of(answer)
        return wire.read(answer.body)

    def _send(self, wire: Wire, request: ChatRequest, deadline: Deadline) -> WireReply:
        """Send, leaving out what the endpoint says it does not take."""
        while True:
            omitted = memory.omitted(self.endpoint)
            with http_client(self.policy, deadline) as client:
                answer = wire.send(client, request, omitted)
            refused = (
                name
                for name in sorted(wire.optional - omitted)
                if name.encode() in answer.body
            )
            name = next(refused, None) if answer.status in REFUSALS else None
            if name is None:
                return answer
            memory.omit(self.endpoint, name)

    def _usage(
        self, request: ChatRequest, reply: RawReply, seconds: float
    ) -> ModelUsage:
        """Return what an exchange took, as far as its endpoint can be believed."""
        paid, returned = reply.input_tokens, reply.output_tokens
        most_paid = most_tokens(request.texts())
        most_returned = request.longest_reply(self.endpoint.max_output_tokens)
        overstated = (paid or 0) > most_paid or (returned or 0) > most_returned
        if overstated:
            paid = None if paid is None else min(paid, most_paid)
            returned = None if returned is None else min(returned, most_returned)
        return ModelUsage(
            input_tokens=paid,
            output_tokens=returned,
            cost_microdollars=cost_microdollars(self.endpoint, paid, returned),
            latency_seconds=seconds,
            overstated=overstated,
        )


@dataclass(frozen=True, slots=True)
class _Failure:
    """The error of one try, and whether a retry may succeed."""

    error: ModelError
    may_pass: bool

    def pause(self, number: int) -> float:
        """Return the seconds before the next try: as asked, else longer each time.

        The random part keeps callers that failed together from returning together.
        """
        if self.error.retry_after_seconds is not None:
            return self.error.retry_after_seconds
        longest = FIRST_PAUSE_SECONDS * 2.0**number
        return random.uniform(longest / 2, longest)  # noqa: S311 - no secret


def _wire(endpoint: ChatEndpoint) -> Wire:
    if Dialect(endpoint.dialect) == Dialect.ANTHROPIC:
        return AnthropicWire(endpoint)
    return OpenAIWire(endpoint)


def _failure_of(answer: WireReply) -> _Failure:
    """Name a status; never with the endpoint's own words, which may quote the key."""
    status, after = answer.status, retry_after(answer.headers)
    if status == TOO_MANY:
        reason = "rate_limited"
    elif status >= SERVER_ERROR:
        reason = "unreachable"
    else:
        reason, after = "refused", None
    message = f"the endpoint answered {status}"
    error = ModelError(reason, message, usage=UNBILLED, retry_after_seconds=after)
    return _Failure(error, may_pass=reason != "refused")


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long to wait: a number of seconds or a date (RFC 9110, 10.2.3).

    Returns:
        Seconds, at most ten minutes; None where the reply states nothing usable.
    """
    header = headers.get("retry-after", "").strip()
    if not header:
        return None
    if header.isascii() and header.isdigit():
        # Longer digits than these exceed the cap whatever they say.
        return min(float(header[:9]), MAX_RETRY_AFTER_SECONDS)
    try:
        moment = parsedate_to_datetime(header)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    seconds = (moment - datetime.now(UTC)).total_seconds()
    return min(max(0.0, seconds), MAX_RETRY_AFTER_SECONDS)

"""Interfaces that callers of the engine implement."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, Protocol, runtime_checkable

from pydantic import Field

from verifyhub.common.contract import Count, Seconds, StoredModel
from verifyhub.engine.errors import EngineError

BUDGET, BUSY = "budget", "busy"
# The project's own caps kept a call from being made: a choice, and no failure.
HELD_BACK = frozenset({BUDGET, BUSY})


class ModelError(EngineError):
    """A model gave no usable reply; `reason` is a stable word for it.

    One of `unreachable`, `deadline`, `refused`, `rate_limited`, `too_large`,
    `no_tool_call`, `malformed`, `blocked` (the egress guard), `budget` (no money or
    tokens left), `busy` (as many calls at once as are allowed), `not_configured`.

    Attributes:
        usage: What the failed call cost all the same, where that is known.
        retry_after_seconds: How long the endpoint, or the clock of a cap, asks to
            wait; None where neither says so.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        *,
        usage: "ModelUsage | None" = None,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.usage = usage
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelUsage:
    """The usage of one call of a model.

    Attributes:
        input_tokens: Tokens of the request, as the endpoint counted them; None where
            it did not say.
        output_tokens: Tokens of the reply, likewise.
        cost_microdollars: Millionths of a US dollar by the project's price table;
            None where it has no price for the model.
        latency_seconds: From asking to the last byte; 0 for a reply from the cache.
        cached: Whether the reply is a stored one.
        overstated: Whether the endpoint counted more than was sent and asked for; the
            counts are then the most that there can be.
    """

    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_microdollars: int | None = None
    latency_seconds: float = 0.0
    cached: bool = False
    overstated: bool = False

    def plus(self, other: "ModelUsage | None") -> "ModelUsage":
        """Return the usage of two calls that both left this machine."""
        if other is None:
            return self
        return ModelUsage(
            input_tokens=_total(self.input_tokens, other.input_tokens),
            output_tokens=_total(self.output_tokens, other.output_tokens),
            cost_microdollars=_total(self.cost_microdollars, other.cost_microdollars),
            latency_seconds=self.latency_seconds + other.latency_seconds,
            overstated=self.overstated or other.overstated,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(StoredModel):
    """Model usage of one verdict."""

    calls: Count = 0
    """Number of model calls, without cached replies."""
    input_tokens: Count | None = 0
    """Total of all calls; null if an endpoint did not report it."""
    output_tokens: Count | None = 0
    microdollars: Count | None = 0
    """Millionths of a US dollar; null if a price is unknown."""
    latency_seconds: Seconds = 0.0
    """Total duration of all calls."""
    share_of_run: Annotated[float, Field(ge=0)] | None = None
    """Share of the run's cost from its `usage`; null if not reported."""

    @classmethod
    def of(
        cls, usages: Sequence[ModelUsage], *, run_microdollars: int | None
    ) -> "Cost":
        """Add up calls, against what the run itself cost."""
        paid = [usage for usage in usages if not usage.cached]
        spent = _total(*[usage.cost_microdollars for usage in paid])
        return cls(
            calls=len(paid),
            input_tokens=_total(*[usage.input_tokens for usage in paid]),
            output_tokens=_total(*[usage.output_tokens for usage in paid]),
            microdollars=spent,
            latency_seconds=sum(usage.latency_seconds for usage in paid),
            share_of_run=_share(spent, run_microdollars),
        )

    def plus_try(self, other: "Cost") -> "Cost":
        """Add what another try at the same verdict took.

        What is not known of one of them is not known of both.
        """
        shares = (self.share_of_run, other.share_of_run)
        share = None if None in shares else sum(filter(None, shares))
        return replace(self.plus(other, run_microdollars=None), share_of_run=share)

    def plus(self, other: "Cost", *, run_microdollars: int | None) -> "Cost":
        """Add what other calls for the same verdict took, against the run's cost."""
        spent = _total(self.microdollars, other.microdollars)
        return Cost(
            calls=self.calls + other.calls,
            input_tokens=_total(self.input_tokens, other.input_tokens),
            output_tokens=_total(self.output_tokens, other.output_tokens),
            microdollars=spent,
            latency_seconds=self.latency_seconds + other.latency_seconds,
            share_of_run=_share(spent, run_microdollars),
        )


def _share(spent: int | None, whole: int | None) -> float | None:
    return spent / whole if spent is not None and whole else None


def _total(*numbers: int | None) -> int | None:
    """Add up; what is not known in one part is not known of the whole."""
    known = [number for number in numbers if number is not None]
    return sum(known) if len(known) == len(numbers) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One question to a model.

    Attributes:
        system: Instructions of VerifyHub; never holds text of an agent.
        user: The material, as one JSON document.
        purpose: Which check asks (`cross_tier`, `claims.judge`); for the accounts.
        tool: `name`, `description` and `parameters` (JSON Schema) of a structured
            reply; None for free text.
        temperature: 0 to 1.
        max_output_tokens: At most so many; None for the endpoint's own limit.
        logprobs: Whether the probability of free text is wanted.
        deadline_seconds: At most so long; never more than the endpoint's own.
    """

    system: str
    user: str
    purpose: str
    tool: Mapping[str, Any] | None = None
    temperature: float = 0.1
    max_output_tokens: int | None = None
    logprobs: bool = False
    deadline_seconds: float | None = None

    @property
    def schema(self) -> str:
        """The tool as JSON text; empty for free text."""
        return "" if self.tool is None else json.dumps(dict(self.tool), sort_keys=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """A reply as the model wrote it; it is not checked yet.

    Attributes:
        text: What it wrote; where a tool was asked for, the JSON text of its arguments.
        logprob: Natural logarithm of the probability of the whole text by the model,
            the sum over its tokens; None where the endpoint does not report it.
        tokens: How many tokens that sum has; None likewise.
        is_cut: Whether it stopped at its length limit.
    """

    text: str
    logprob: float | None = None
    tokens: int | None = None
    is_cut: bool = False
    usage: ModelUsage = ModelUsage()


class Model(Protocol):
    """A model that can be asked: over HTTP, or a wrapper around one.

    Layers count what calls take, hold them to a budget or a time, or record them.
    """

    @property
    def name(self) -> str:
        """The model's name, as it is recorded with the check."""

    def ask(self, request: ModelRequest) -> ModelReply:
        """Ask once.

        Raises:
            ModelError: If no such reply arrived within the limits.
        """


@runtime_checkable
class Priced(Protocol):
    """A model that can tell the maximal cost of a question in advance."""

    def worst_microdollars(self, request: ModelRequest) -> int | None:
        """Return the most one call can cost; None where no price is known."""


@runtime_checkable
class OpinionMemory(Protocol):
    """A `Model` that also caches its opinions, once they were checked.

    A nonce and control names make every prompt another one, so a prompt cannot be
    the key. `material` is: one text of everything the reply depends on, in a fixed
    order, without nonce and controls (instructions, schema, document). What is kept
    is the opinion as the caller read it, after its controls were found right; a reply
    that was misled, malformed or late is never kept.
    """

    def recall(self, *, purpose: str, material: str) -> str | None:
        """Return the opinion kept for this material; None if there is none.

        A hit is recorded among the calls, at no cost. Project, endpoint and model
        belong to the key without being asked for.
        """

    def remember(self, *, purpose: str, material: str, opinion: str) -> None:
        """Store an opinion, as JSON text, that was valid and right about the controls.

        Call it after `ask` on the same object; it replaces what was kept.
        """


class FileState(StrEnum):
    """The state of a file at a path; `unread` if it could not be looked up."""

    PRESENT = "present"
    ABSENT = "absent"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLook:
    """One file as it was found.

    `sha256` and `anchors` (the asked-for texts that stand in it) are None where they
    are not known. `reason` says in a stable word why a file was not read; every path
    that does not lead to a file inside gives the same word, there or not.
    """

    state: FileState
    sha256: str | None = None
    anchors: frozenset[str] | None = None
    reason: str = ""


class FileTree(Protocol):
    """The files of a run, and nothing outside them."""

    @property
    def name(self) -> str:
        """The source of the files, as recorded in the check."""

    def look(self, path: str, anchors: Sequence[str]) -> FileLook:
        """Look up one file; never raise for a path that an agent claims.

        Args:
            path: The path as the agent wrote it.
            anchors: Texts to search for in it.
        """


class Clock(Protocol):
    """Seconds that only ever grow, from any start."""

    def __call__(self) -> float:
        """Read the clock."""

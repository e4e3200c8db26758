"""A model with a budget, a log of calls, and stored opinions."""

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

from verifyhub.accounts.models import Project
from verifyhub.common.db import connection_of_thread
from verifyhub.common.tracing import span
from verifyhub.engine.llm.cost import most_tokens
from verifyhub.engine.ports import (
    BUDGET,
    HELD_BACK,
    Model,
    ModelError,
    ModelReply,
    ModelRequest,
    ModelUsage,
)
from verifyhub.inference.models import CACHED, LOST, OK, ModelCall
from verifyhub.inference.selectors import ModelInForce
from verifyhub.inference.services import budget, opinions

VERSION_DIGITS = 12


class MeteredModel:
    """A model of one project and one verification.

    It implements `Model`, `OpinionMemory` and `Priced`, in this order: stored opinion,
    budget, call. Threads may share it, but only one may store opinions.
    """

    def __init__(
        self,
        *,
        project: Project,
        model: ModelInForce,
        verification_id: UUID | None,
        connect: Callable[[ModelInForce, ModelRequest], Model],
    ) -> None:
        """Bind a model; connects at the first call.

        Args:
            project: The tenant.
            model: The active model.
            verification_id: The verification that makes the calls, if any.
            connect: Returns the adapter for a request; may raise `ModelError`.
        """
        self._project, self._model = project, model
        self._verification_id = verification_id
        self._connect = connect
        self._home = threading.get_ident()
        self._answered: ModelCall | None = None

    @property
    def name(self) -> str:
        """The model's name, which is recorded with the check."""
        return self._model.model

    @property
    def tier(self) -> str:
        """The tier of the model."""
        return self._model.tier.value

    def ask(self, request: ModelRequest) -> ModelReply:
        """Call the model once within the budget; see `Model.ask`.

        Raises:
            ModelError: As the adapter does, and with reason `budget` or `busy`.
        """
        if masker := self._project.outgoing_masker:
            # `user` is JSON: within its strings, a mask needs no escaping.
            request = replace(request, user=masker.text(request.user))
        model = self._within(request)
        version = _digest(*filter(None, (request.system, request.schema)))
        call = self._call(request.purpose, version[:VERSION_DIGITS])
        adapter = self._reserved(call, model, request)
        with span(
            "model.call",
            of=self._verification_id,
            purpose=request.purpose,
            tier=self.tier,
        ):
            reply = self._answer(call, adapter, request)
        self._answered = call
        return reply

    def worst_microdollars(self, request: ModelRequest) -> int | None:
        """Return the maximal cost of a call; see `ports.Priced`."""
        if not self._model.has_price:
            return None
        return _worst(self._within(request), request).microdollars

    def recall(self, *, purpose: str, material: str) -> str | None:
        """Return a stored opinion; see `OpinionMemory.recall`."""
        key = self._opinion_key(purpose, material)
        opinion = opinions.find(project=self._project, key=key)
        if opinion is None:
            return None
        call = self._call(purpose, opinion.prompt_version)
        call.opinion_key = key
        record_unmade(call, CACHED)
        return opinion.value

    def remember(self, *, purpose: str, material: str, opinion: str) -> None:
        """Store an opinion; see `OpinionMemory.remember`."""
        if self._answered is None:
            raise ValueError("only what was asked on this object can be remembered")
        key = self._opinion_key(purpose, material)
        opinions.keep(call=self._answered, key=key, value=opinion)

    def _within(self, request: ModelRequest) -> ModelInForce:
        """Return the model with the limits of time and length of a request."""
        model, seconds = self._model, request.deadline_seconds
        tokens = request.max_output_tokens
        if seconds is not None and seconds < model.deadline_seconds:
            model = replace(model, deadline_seconds=max(0.0, seconds))
        if tokens is not None and tokens < model.max_output_tokens:
            model = replace(model, max_output_tokens=max(1, tokens))
        return model

    def _reserved(
        self, call: ModelCall, model: ModelInForce, request: ModelRequest
    ) -> Model:
        with connection_of_thread(self._home):
            try:
                adapter = self._connect(model, request)
                budget.reserve(
                    call=call,
                    worst=_worst(model, request),
                    deadline_seconds=model.deadline_seconds,
                )
            except ModelError as error:
                # Recorded as refused by a cap, whatever its period.
                record_unmade(
                    call, BUDGET if error.reason in HELD_BACK else error.reason
                )
                raise
        return adapter

    def _answer(
        self, call: ModelCall, adapter: Model, request: ModelRequest
    ) -> ModelReply:
        began = time.monotonic()
        try:
            reply = adapter.ask(request)
        except ModelError as error:
            partial_usage = self._priced(error.usage) or ModelUsage()
            if not partial_usage.latency_seconds:
                seconds = time.monotonic() - began
                partial_usage = replace(partial_usage, latency_seconds=seconds)
            self._settle(call, error.reason, partial_usage)
            raise
        except BaseException:
            self._settle(call, LOST, None)
            raise
        usage = self._priced(reply.usage) or ModelUsage()
        self._settle(call, OK, usage)
        return replace(reply, usage=usage)

    def _settle(self, call: ModelCall, outcome: str, usage: ModelUsage | None) -> None:
        with connection_of_thread(self._home):
            budget.settle(call=call, outcome=outcome, usage=usage)

    def _call(self, purpose: str, prompt_version: str) -> ModelCall:
        return ModelCall(
            project=self._project,
            verification_id=self._verification_id,
            purpose=purpose[: ModelCall.MAX_PURPOSE],
            tier=self._model.tier,
            endpoint_name=self._model.endpoint_name,
            model=self._model.model,
            prompt_version=prompt_version,
            cost_microdollars=0 if self._model.has_price else None,
        )

    def _priced(self, usage: ModelUsage | None) -> ModelUsage | None:
        """Compute the cost from reported tokens and the project's price."""
        if usage is None or usage.input_tokens is None or usage.output_tokens is None:
            return usage
        cost = self._model.cost(usage.input_tokens, usage.output_tokens)
        return replace(usage, cost_microdollars=cost)

    def _opinion_key(self, purpose: str, material: str) -> str:
        # A second verifier needs an opinion of its own, even from the same model.
        part = "second" if self._model.is_second else "first"
        return _digest(self._model.fingerprint, part, purpose, material)


def _worst(model: ModelInForce, request: ModelRequest) -> budget.Worst:
    texts = (request.system, request.user, *filter(None, [request.schema]))
    paid, returned = most_tokens(texts), model.max_output_tokens
    return budget.Worst(
        microdollars=model.cost(paid, returned) or 0,
        tokens=paid + returned,
        ms=round(model.deadline_seconds * 1000),
    )


def record_unmade(call: ModelCall, outcome: str) -> None:
    """Record a call that was not made."""
    call.outcome, call.latency_ms = outcome, 0
    call.reserved_microdollars = call.reserved_tokens = call.reserved_ms = 0
    call.save(force_insert=True)


def _digest(*parts: str) -> str:
    joined = "\0".join(parts)
    return hashlib.sha256(joined.encode(errors="surrogatepass")).hexdigest()
